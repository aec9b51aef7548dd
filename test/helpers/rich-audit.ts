import type { AttemptEnd } from '../../src/domain/attempt-end.ts';
import type { CommitDraft } from '../../src/domain/commit.ts';
import type { Command } from '../../src/domain/commands.ts';
import type { AuditEvent } from '../../src/domain/events.ts';
import type { AccountId, PacketId } from '../../src/domain/ids.ts';
import { evolve } from '../../src/decider/evolve.ts';
import { execute } from '../../src/decider/execute.ts';
import { nextDeadline } from '../../src/decider/plan.ts';
import { initialState, type AuditState } from '../../src/decider/state.ts';
import { accepts, derives, judges, refuses } from './command-samples.ts';
import { findingIdOf } from './finding-samples.ts';
import {
  ACCOUNT,
  auditOpened,
  blob,
  NO_FINDINGS,
  packet,
  packetIdOf,
  START,
  task,
  taskIdOf,
} from './samples.ts';

/** A commit, and the writer that made it. */
export type RichCommit = { readonly epoch: number; readonly draft: CommitDraft };

const OTHER = 'other' as AccountId;
const ACCOUNTS = [
  { id: ACCOUNT, ceiling: 2, source: 'declared' },
  { id: OTHER, ceiling: 1, source: 'unknown' },
] as const;

/**
 * A long and unlucky audit, decided by the core: four processes, every type of event, most ends of
 * attempts and codes of rejection.
 */
export const richAudit = (): readonly RichCommit[] => {
  const commits: RichCommit[] = [];
  const state = initialState();
  let now = START;
  let epoch = 1;

  const path = (): string => state.lifecycle.path;
  const push = (draft: Omit<CommitDraft, 'at'>): void => {
    commits.push({ epoch, draft: { at: now, ...draft } });
  };
  const give = (command: Command | ((at: AuditState) => Command)): void => {
    now += 1_700;
    const made = { ...(typeof command === 'function' ? command(state) : command), now };
    if (made.type === 'OpenWriter') epoch = made.epoch;
    const execution = execute(state, made);
    if (execution.kind === 'rejected') {
      throw new Error(`${made.type}: ${execution.rejection.message}`);
    }
    const { events, from, to, cause } = execution;
    if (events.length > 0) push({ cause, events, from, to });
  };
  /** Of what no command decides yet. */
  const record = (event: AuditEvent): void => {
    evolve(state, event);
    push({ cause: { command: 'Advance' }, events: [event], from: path(), to: path() });
  };
  const advance = (): void => give({ type: 'Advance', running: state.leases, now });
  const wait = (): void => {
    now = Math.max(now, nextDeadline(state, now) ?? now);
    advance();
    advance();
  };
  const tokenOf = (id: PacketId): number => {
    const lease = state.packets.get(id)?.lease;
    if (lease === undefined) throw new Error(`Packet ${id} is not in flight.`);
    return lease;
  };
  const ends = (number: number, end: AttemptEnd, answer?: string): void =>
    give({
      type: 'ReportAttempt',
      token: tokenOf(packetIdOf(number)),
      report: {
        end,
        ...(answer !== undefined && { answer: blob(answer) }),
        stdout: blob(`stdout ${number}`),
        ...(answer !== undefined && {
          usage: { inputTokens: 1200, outputTokens: 80, costUsd: 0.0625, model: 'sample-1' },
        }),
      },
      now,
    });
  const handIn = (packet: number, text: string): void => {
    give({
      type: 'ReceiveInput',
      kind: 'answers',
      name: 'answer.json',
      content: blob(text),
      packet: packetIdOf(packet),
      now,
    });
    const of = state.seq;
    give({ type: 'ReportInput', of, packets: [packetIdOf(packet)], refused: [], now });
  };
  const waiting = (): number => [...state.queue.keys()][0] ?? 0;
  const openWriter = (number: number, startsMax?: number): void =>
    give({
      type: 'OpenWriter',
      epoch: number,
      tool: '0.1.0',
      ...(startsMax !== undefined && { startsMax }),
      now,
    });

  // The first life: a stage fails, the plan stands, answers come in part, limits are met.
  const opened = auditOpened({ accounts: [...ACCOUNTS] });
  if (opened.type !== 'AuditOpened') throw new Error('The sample opens an audit.');
  const { type: _, at: __, ...fields } = opened;
  give({ type: 'OpenAudit', ...fields, now });
  openWriter(1);
  while (path() !== 'deriving.planning') give(derives);
  give({
    type: 'ReportStageFailed',
    obligation: 'planning',
    basis: state.basis,
    message: 'The disk is full.',
    remedy: 'Make room and run again.',
    now,
  });
  give({ type: 'Resume', by: 'run', now });
  const tasks = [[1, 2, 3], [4], [5], [6, 7], [8], [9], [10], [11]];
  give((at) =>
    derives(at, {
      tasks: tasks.flat().map((number) => task(number)),
      packets: tasks.map((numbers, index) => packet(index + 1, numbers)),
      incomplete: ['One file could not be parsed.'],
    }),
  );
  advance();
  ends(1, { kind: 'exited' }, 'a part of it');
  give(judges(waiting(), [accepts(1), refuses('wrong-shape', 2)], packet(101, [2, 3])));
  ends(2, { kind: 'crashed', exitCode: 1 });
  ends(3, { kind: 'limited', limit: 'rate', resetAt: now + 90_000 });
  record({
    type: 'AccountThrottled',
    account: ACCOUNT,
    ceiling: 1,
    reason: 'Two limits in a row.',
    at: now,
  });
  advance();
  ends(101, { kind: 'overloaded' });
  wait();
  give({
    type: 'ChangeLimits',
    changes: { accounts: [...ACCOUNTS] },
    reason: 'asked for by the flags of this call',
    now,
  });
  give({ type: 'CloseWriter', now });

  // The second life may start one attempt and is killed with it.
  openWriter(2, 1);
  while (state.writer.starts === 0) wait();

  // The third finds it lost, takes what people hand in, and asks them something.
  openWriter(3);
  const lost = [...state.leases].at(-1) ?? 0;
  for (const token of state.leases) {
    give({ type: 'ReportAttempt', token, report: { end: { kind: 'lost' } }, now });
  }
  give({
    type: 'ReportAttempt',
    token: lost,
    report: { end: { kind: 'exited' }, answer: blob('too late, and unreadable') },
    now,
  });
  give(judges(waiting(), [refuses('unreadable-answer')]));
  handIn(4, 'by hand');
  give({
    type: 'ReportJudged',
    of: waiting(),
    verdicts: [
      {
        kind: 'accepted',
        task: taskIdOf(6),
        result: blob('result 6'),
        verdict: 'findings',
        findings: { critical: 0, high: 1, medium: 2, low: 0, info: 0 },
      },
    ],
    now,
  });
  handIn(4, 'by another hand');
  give(judges(waiting(), [accepts(6, 'something else'), accepts(7)]));
  give({
    type: 'ReportDrift',
    paths: [
      { path: 'src/f8.ts', expected: blob('a').digest, found: blob('b').digest },
      { path: 'src/f1.ts', expected: blob('a').digest },
    ],
    now,
  });
  give({
    type: 'BlockAudit',
    cause: 'answer-needed',
    message: 'Is the folder "legacy" still in use?',
    remedy: 'casefile answer legacy yes|no',
    waitsFor: 'answer',
    question: {
      id: 'legacy',
      text: 'Is the folder "legacy" still in use?',
      options: ['yes', 'no'],
    },
    now,
  });
  give({ type: 'AnswerQuestion', question: 'legacy', value: 'no', now });
  give({ type: 'RequestStop', reason: 'signal', now });
  give({ type: 'CloseWriter', now });

  // The fourth mends the provider and comes to the end.
  openWriter(4);
  const failing = packetIdOf(7);
  for (let turn = 0; turn < 60 && !path().startsWith('deriving'); turn += 1) {
    const [token] = state.leases;
    const asked = state.blocker?.question;
    if (path() === 'blocked' && asked !== undefined) {
      give({ type: 'AnswerQuestion', question: asked.id, value: 'yes', now });
    } else if (path() === 'blocked') give({ type: 'Resume', by: 'operator', now });
    else if (state.queue.size > 0) {
      const id = [...state.queue.values()][0]?.packet as PacketId;
      const open = state.packets.get(id)?.spec.tasks ?? [];
      give(
        judges(
          waiting(),
          open.map((one) => accepts(Number.parseInt(one.slice(2), 16))),
        ),
      );
    } else if (token === undefined) wait();
    else {
      const { packet: id, attempt } = state.attempts.get(token) ?? { packet: failing, attempt: 1 };
      const number = Number.parseInt(id.slice(2), 16);
      if (id === packetIdOf(6) && attempt === 1) {
        // Both accounts cannot start it: no provider is left.
        for (const open of state.leases) {
          const message = 'no such program';
          const report = { end: { kind: 'not-started', message } } as const;
          give({ type: 'ReportAttempt', token: open, report, now });
        }
        continue;
      }
      if (id === packetIdOf(5) && state.questions.size === 0) {
        ends(number, { kind: 'asked', question: 'May I?', options: ['yes', 'no'] });
        continue;
      }
      if (id === failing) {
        ends(number, UNLUCKY[attempt % UNLUCKY.length] ?? { kind: 'lost' });
      } else ends(number, { kind: 'exited' }, `answer ${token}`);
    }
    if (path() === 'dispatching') advance();
  }
  const narrative = task(20, { kind: 'narrative', lens: 'architecture' });
  give((at) =>
    derives(at, {
      tasks: [
        narrative,
        task(21, {
          kind: 'verification',
          about: {
            trigger: 'finding',
            round: 1,
            finding: { id: findingIdOf(1), severity: 'high' },
          },
        }),
      ],
      packets: [packet(20, [20]), packet(21, [21])],
    }),
  );
  while (state.leases.size < 2) wait();
  ends(21, { kind: 'exited' }, 'deeper');
  give(
    judges(waiting(), [
      {
        kind: 'accepted',
        task: taskIdOf(21),
        result: blob('result 21'),
        verdict: 'judged',
        findings: NO_FINDINGS,
        judgement: { finding: findingIdOf(1), verdict: 'downgraded', severity: 'medium' },
      },
    ]),
  );
  ends(20, { kind: 'cancelled', by: 'settled' });
  give((at) =>
    derives(at, {
      tasks: [task(22, { kind: 'narrative', lens: 'architecture' })],
      packets: [packet(22, [22])],
      deepeningEnd: {
        reason: 'nothing-left',
        rounds: 1,
        tasks: 1,
        tokens: 1000,
        tokensMax: 12_000,
      },
    }),
  );
  while (state.leases.size === 0) wait();
  ends(22, { kind: 'exited' }, 'the story');
  give(judges(waiting(), [accepts(22)]));
  handIn(8, 'after the end');
  give({ type: 'CloseWriter', now });
  return commits;
};

const UNLUCKY: readonly AttemptEnd[] = [
  { kind: 'timed-out', limit: 'wall', afterMs: 600_000 },
  { kind: 'expired' },
  { kind: 'crashed', signal: 'SIGSEGV' },
  { kind: 'limited', limit: 'quota' },
];
