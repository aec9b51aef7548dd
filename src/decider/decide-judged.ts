import type { Command, TaskVerdict } from '../domain/commands.ts';
import type { AuditEvent, AuditEventOf } from '../domain/events.ts';
import type { TaskId } from '../domain/ids.ts';
import { assert } from '../std/assert.ts';
import { attemptsMax, isCounted, pauseAfter } from './decide-attempt.ts';
import { decided, rejected, type Decision } from './decision.ts';
import { packetOf } from './packet-board.ts';
import type { AuditState, PacketRecord, QueueItem } from './state.ts';

type Judged = Extract<Command, { type: 'ReportJudged' }>;
type QueuedAnswer = Extract<QueueItem, { kind: 'answer' }>;

/**
 * What the judgement of an answer means, item by item: one bad item never spoils the others, and
 * every open task of the packet gets exactly one word. The same answer judged twice changes nothing.
 */
export const decideJudged = (state: AuditState, command: Judged): Decision => {
  const item = state.queue.get(command.of);
  if (item === undefined || item.kind !== 'answer') {
    return rejected('not-judging', `Nothing of event ${command.of} waits to be judged.`);
  }
  if (state.lifecycle.path !== 'ingesting') {
    return rejected('not-possible-now', `An audit in ${state.lifecycle.path} judges nothing.`);
  }
  const packet = packetOf(state, item.packet);
  const accepted = acceptedResults(state, command, item);
  const settled = new Set(accepted.map(({ task }) => task));
  const verified = verifiedFindings(state, command, settled);
  const open = packet.spec.tasks.filter((id) => isOpen(state, id));
  const remaining = open.filter((id) => !settled.has(id));
  const rejections = rejectedResults(state, command, packet, settled, remaining);
  if (accepted.length + rejections.length === 0) {
    rejections.push({
      type: 'ResultRejected',
      of: command.of,
      packet: item.packet,
      code: 'superseded',
      message: 'Every task of the packet was settled before.',
      at: command.now,
    });
  }
  const events: AuditEvent[] = [...accepted, ...verified, ...rejections];
  const belongsToPacket = packet.status === 'answered' && item.token !== undefined;
  const isFree = packet.status === 'ready' || packet.status === 'backing-off';
  if ((belongsToPacket || isFree) && remaining.length > 0) {
    const { remainder } = command;
    if (accepted.length > 0 && remainder !== undefined && isSameSet(remainder.tasks, remaining)) {
      events.push({
        type: 'PacketsPlanned',
        packets: [{ ...remainder, replaces: item.packet }],
      });
    } else if (belongsToPacket) {
      closeJudging(state, command, packet, item, events, accepted.length > 0);
    }
  }
  if (isCurrent(state, 'synthesis') && accepted.some(({ task }) => !isNarrative(state, task))) {
    events.push({
      type: 'ArtifactsStale',
      obligations: ['synthesis', 'narrative'],
      reason: 'A task was settled after the synthesis.',
      openWork: remaining.length > 0 || state.counts.tasks.open > accepted.length,
      at: command.now,
    });
  }
  return decided(events, command.of);
};

type Accepted = AuditEventOf<'ResultAccepted'>;
type Rejected = AuditEventOf<'ResultRejected'>;

const acceptedResults = (state: AuditState, command: Judged, item: QueuedAnswer): Accepted[] => {
  const { provider } = item;
  const seen = new Set<TaskId>();
  return command.verdicts.flatMap((verdict): Accepted[] => {
    if (verdict.kind !== 'accepted' || !isOpen(state, verdict.task) || seen.has(verdict.task)) {
      return [];
    }
    seen.add(verdict.task);
    return [
      {
        type: 'ResultAccepted',
        of: command.of,
        task: verdict.task,
        result: verdict.result,
        verdict: verdict.verdict,
        findings: verdict.findings,
        provider,
        reviewer: provider === 'builtin' ? 'analyzers' : 'agent',
        ...(verdict.repaired !== undefined && { repaired: [...verdict.repaired] }),
        ...(verdict.quarantined !== undefined && { quarantined: verdict.quarantined }),
        ...(isNarrative(state, verdict.task) && { settles: 'narrative' as const }),
        at: command.now,
      },
    ];
  });
};

/** What accepted results say of findings: of the one that the task is about, and of no other. */
const verifiedFindings = (
  state: AuditState,
  command: Judged,
  settled: ReadonlySet<TaskId>,
): AuditEventOf<'FindingVerified'>[] => {
  const told = new Set<TaskId>();
  return command.verdicts.flatMap((one): AuditEventOf<'FindingVerified'>[] => {
    if (one.kind !== 'accepted' || one.judgement === undefined) return [];
    if (!settled.has(one.task) || told.has(one.task)) return [];
    told.add(one.task);
    const { finding, verdict, severity } = one.judgement;
    assert(
      state.tasks.get(one.task)?.about?.finding?.id === finding,
      'V1: a verification is about the finding of its task',
    );
    return [
      {
        type: 'FindingVerified',
        finding,
        verdict,
        ...(severity !== undefined && { severity }),
        by: command.of,
        at: command.now,
      },
    ];
  });
};

/** What was refused, what came for settled tasks, and what the answer does not account for. */
const rejectedResults = (
  state: AuditState,
  command: Judged,
  packet: PacketRecord,
  settled: ReadonlySet<TaskId>,
  remaining: readonly TaskId[],
): Rejected[] => {
  const base = { type: 'ResultRejected', of: command.of, packet: packet.spec.id } as const;
  const told = new Set<TaskId>();
  const rejections = command.verdicts.flatMap((verdict): Rejected[] => {
    const refusal = refusalOf(state, verdict, settled);
    if (refusal === undefined) return [];
    if (verdict.task !== undefined) told.add(verdict.task);
    return [
      {
        ...base,
        ...(verdict.task !== undefined && { task: verdict.task }),
        ...refusal,
        at: command.now,
      },
    ];
  });
  const isWholeAnswer = command.verdicts.some(
    (verdict) => verdict.kind === 'rejected' && verdict.task === undefined,
  );
  if (isWholeAnswer && settled.size === 0) return rejections;
  for (const task of remaining) {
    if (told.has(task)) continue;
    rejections.push({
      ...base,
      task,
      code: 'not-accounted-for',
      message: 'The answer says nothing about this task.',
      at: command.now,
    });
  }
  return rejections;
};

/** Why a verdict on a task changes nothing; undefined when the task is settled by this very answer. */
export const refusalOf = (
  state: AuditState,
  verdict: TaskVerdict,
  settled: ReadonlySet<TaskId> = new Set(),
): Pick<Rejected, 'code' | 'message'> | undefined => {
  if (verdict.kind === 'rejected') return { code: verdict.code, message: verdict.message };
  if (settled.has(verdict.task)) return undefined;
  const { result, status } = state.tasks.get(verdict.task) ?? {};
  if (status === 'stale') {
    return {
      code: 'answers-previous-version',
      message: 'The files of the task have changed since this audit began.',
    };
  }
  if (result !== undefined && result.blob.digest !== verdict.result.digest) {
    return {
      code: 'conflicting-answer',
      message: 'The task has another result already; the first one stands.',
    };
  }
  return { code: 'already-settled', message: 'The task was settled before.' };
};

/** Gives the packet back, or says that its last attempt is spent; the last rejection carries it. */
const closeJudging = (
  state: AuditState,
  command: Judged,
  packet: PacketRecord,
  item: QueuedAnswer,
  events: AuditEvent[],
  madeProgress: boolean,
): void => {
  const { token } = item;
  const end = token === undefined ? undefined : state.attempts.get(token)?.end;
  const counted = !madeProgress && end !== undefined && isCounted(end);
  const isSpent = counted && packet.counted + 1 >= attemptsMax(state);
  const last = events.pop();
  if (last?.type !== 'ResultRejected') {
    throw new Error('A4: an answer that leaves tasks open has a rejection');
  }
  events.push({
    ...last,
    counted,
    ...(counted && !isSpent && { retryAt: pauseAfter(packet, command.now) }),
  });
};

const isSameSet = (left: readonly TaskId[], right: readonly TaskId[]): boolean =>
  left.length === right.length && left.every((id) => right.includes(id));

const isOpen = (state: AuditState, id: TaskId): boolean => state.tasks.get(id)?.status === 'open';
const isNarrative = (state: AuditState, id: TaskId): boolean =>
  state.tasks.get(id)?.kind === 'narrative';
const isCurrent = (state: AuditState, obligation: 'synthesis'): boolean =>
  state.obligations.get(obligation)?.state === 'current';
