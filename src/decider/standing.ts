import { endInWords } from '../domain/attempt-end.ts';
import type { Subject } from '../domain/subject.ts';
import { selectionWords } from '../domain/selection.ts';
import { counted } from '../std/counted.ts';
import { isoTime } from '../std/instant-text.ts';
import { accountStatus } from './account-ledger.ts';
import { reasonWords } from './reason-words.ts';
import type { AttemptRecord, AuditState, PacketRecord, TaskRecord } from './state.ts';
import { statusOf } from './status.ts';
import { whyOf } from './views.ts';

/**
 * What a thing is, and why it is where it is now, as of the last event; a sentence each. Events and
 * findings stand in no state: their history says all.
 */
export type Standing = { readonly what: readonly string[]; readonly now: readonly string[] };

/** @returns undefined when the state knows no such thing. */
export const standingOf = (state: AuditState, subject: Subject): Standing | undefined => {
  switch (subject.kind) {
    case 'audit':
      return auditStanding(state);
    case 'task': {
      const task = state.tasks.get(subject.id);
      return task && taskStanding(state, task);
    }
    case 'packet': {
      const packet = state.packets.get(subject.id);
      return packet && packetStanding(state, packet);
    }
    case 'attempt': {
      const attempt = state.attempts.get(subject.id);
      return attempt && attemptStanding(attempt);
    }
    case 'account':
      return accountStanding(state, subject.id);
    case 'obligation':
      return obligationStanding(state, subject.id);
    case 'event':
    case 'finding':
      return undefined;
  }
};

const auditStanding = (state: AuditState): Standing => {
  const { opened, settings, blocker, completed, counts } = state;
  const what =
    opened === undefined || settings === undefined
      ? []
      : [
          `Audit ${opened.audit} of ${opened.root.name}: ${counted(opened.files, 'file')}, provider ${settings.provider}, ${settings.lenses.length === 1 ? 'lens' : 'lenses'} ${settings.lenses.join(', ')}.`,
          ...(settings.selection === undefined
            ? []
            : [`It is asked about ${selectionWords(settings.selection)}.`]),
        ];
  if (completed !== undefined) {
    return {
      what,
      now: [
        `It is complete (${completed.how}) since event ${completed.number}: no obligation is left.`,
        ...completed.reasons,
      ],
    };
  }
  const open = `${counted(counts.tasks.open, 'task')} of ${counted(sumOf(counts.tasks), 'task')} open, ${counted(state.leases.size, 'attempt')} in flight, ${counted(state.queue.size, 'answer')} to be judged.`;
  const now = [`It is in ${state.lifecycle.path}: ${open}`];
  if (blocker !== undefined) {
    now.push(
      `It is blocked since event ${blocker.number} (${blocker.cause}): ${blocker.message} ${blocker.remedy}`,
    );
  }
  if (state.lifecycle.path === 'cooldown') {
    const until = [...state.accounts.values()].flatMap(({ cooldownUntil }) => cooldownUntil ?? []);
    if (until.length > 0) {
      now.push(`Every account is at its limit; work can start at ${isoTime(Math.min(...until))}.`);
    }
  }
  const missing = statusOf(state).obligations.find(
    ({ state: standing }) => standing !== 'current' && standing !== 'waived',
  );
  if (missing !== undefined) {
    now.push(`The first obligation that does not hold is ${missing.id} (${missing.state}).`);
  }
  now.push(
    state.writer.isOpen
      ? `Writer ${state.writer.epoch} has not closed the log: it works, or it has died.`
      : `No process works on it. ${isForOthers(blocker) ? blocker?.remedy : 'Go on with: casefile run (and the same flags)'}`,
  );
  return { what, now };
};

/** What only a person or a host can do; a run would wait for it too. */
const isForOthers = (blocker: AuditState['blocker']): boolean =>
  blocker?.waitsFor === 'hand-off' || blocker?.waitsFor === 'answer';

const taskStanding = (state: AuditState, task: TaskRecord): Standing => {
  const packet = task.packet === undefined ? undefined : state.packets.get(task.packet);
  return {
    what: [
      `Task ${task.id}: ${task.kind} of ${task.unit} under the lens ${task.lens}.`,
      `Its files: ${task.paths.join(', ')}.`,
      ...(packet === undefined ? [] : [`Its packet is ${packet.spec.id}.`]),
    ],
    now: [taskNow(state, task, packet)],
  };
};

const taskNow = (state: AuditState, task: TaskRecord, packet: PacketRecord | undefined): string => {
  switch (task.status) {
    case 'accepted':
      if (task.result?.inherited !== undefined) {
        const { audit, event } = task.result.inherited;
        return `It is settled, and was not asked again: audit ${audit} reviewed the same content under the same question (event ${event} of its log brought the answer).`;
      }
      return `It is settled: the answer of event ${task.result?.of ?? 0} was accepted${task.result?.reviewer === 'analyzers' ? ' (analyzers only)' : ''}.`;
    case 'abandoned':
      return `It was given up: ${task.reason ?? 'no reason was recorded'}`;
    case 'stale':
      return 'It is stale: its files changed after the inventory. The next audit takes them as they are then.';
    case 'retired':
      return 'It is no part of the audit any more: a later plan does not name it.';
    case 'open':
      return packet === undefined
        ? 'It is open, and no packet holds it yet.'
        : `It is open. Its packet ${packet.spec.id}: ${why(state, packet)}.`;
  }
};

const packetStanding = (state: AuditState, packet: PacketRecord): Standing => {
  const { spec } = packet;
  const limit = state.settings?.limits.attemptsMax;
  return {
    what: [
      `Packet ${spec.id}: ${counted(spec.tasks.length, 'task')}, about ${counted(spec.tokens, 'token')} of input, place ${packet.order + 1} in the plan's order.`,
      `Its tasks: ${spec.tasks.join(', ')}.`,
      ...(spec.replaces === undefined
        ? []
        : [`It holds what was left open of packet ${spec.replaces}.`]),
    ],
    now: [
      `It is ${packet.status}: ${why(state, packet)}.`,
      `${counted(packet.openTasks, 'task')} of it ${packet.openTasks === 1 ? 'is' : 'are'} open; ${counted(packet.attempts, 'attempt')} made, ${packet.counted}${limit === undefined ? '' : ` of ${limit}`} counted.`,
    ],
  };
};

const why = (state: AuditState, packet: PacketRecord): string =>
  reasonWords(whyOf(state, state.at, packet.spec.id));

const attemptStanding = (attempt: AttemptRecord): Standing => {
  const { token, packet, end } = attempt;
  const what = [
    `Attempt #${token}: number ${attempt.attempt} of packet ${packet}, with ${attempt.provider} on account ${attempt.account}.`,
  ];
  if (end === undefined) {
    return {
      what,
      now: [
        `It is open since ${isoTime(attempt.startedAt)}; its lease runs until ${isoTime(attempt.leaseUntil)}.`,
      ],
    };
  }
  const seconds = ((attempt.endedAt ?? attempt.startedAt) - attempt.startedAt) / 1000;
  return {
    what,
    now: [
      attempt.hasAnswer
        ? `It brought an answer after ${seconds} s${end.kind === 'exited' ? '' : `, though ${endInWords(end)}`}.`
        : `It brought no answer: ${endInWords(end)}, after ${seconds} s.`,
    ],
  };
};

const accountStanding = (state: AuditState, id: string): Standing | undefined => {
  const account = [...state.accounts.values()].find((candidate) => candidate.id === id);
  if (account === undefined) return undefined;
  const status = accountStatus(account);
  const now = [
    `It is ${status}: ${account.inFlight} of ${account.ceiling} calls in flight (${account.source}).`,
  ];
  if (account.exhausted !== undefined) now.push(account.exhausted);
  if (account.cooldownUntil !== undefined) {
    now.push(
      `A ${account.limit ?? 'rate'} limit was reached; nothing starts on it before ${isoTime(account.cooldownUntil)}.`,
    );
  }
  const mine = [...state.attempts.values()].filter((attempt) => attempt.account === id);
  const limited = mine.filter(({ end }) => end?.kind === 'limited' || end?.kind === 'overloaded');
  return {
    what: [
      `Account ${account.id}: ${counted(mine.length, 'attempt')} so far, of which ${limited.length} met a limit.`,
    ],
    now,
  };
};

const obligationStanding = (state: AuditState, id: string): Standing | undefined => {
  const { obligations } = statusOf(state);
  const index = obligations.findIndex((one) => one.id === id);
  const found = obligations[index];
  if (found === undefined) return undefined;
  const before = obligations
    .slice(0, index)
    .find(({ state: standing }) => standing === 'missing' || standing === 'stale');
  const waits =
    found.state === 'missing' && before !== undefined ? ` ${before.id} comes first.` : '';
  return {
    what: [`Obligation ${id}, number ${index + 1} of ${obligations.length} in the fixed order.`],
    now: [
      `${OBLIGATION_STATE[found.state]}${waits}`,
      ...(found.reason === undefined ? [] : [found.reason]),
    ],
  };
};

const OBLIGATION_STATE = {
  missing: 'It does not hold yet.',
  current: 'It holds.',
  stale: 'It held and has to be derived again.',
  waived: 'It is waived: nobody here can or should do it.',
  open: 'Work on it is open.',
} as const;

const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
