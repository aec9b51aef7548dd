import type { AttemptEnd } from '../domain/attempt-end.ts';
import type { AttemptReport, Command } from '../domain/commands.ts';
import type { AuditEvent, AuditEventOf } from '../domain/events.ts';
import type { Digest, Instant, Token } from '../domain/ids.ts';
import { defaultCooldownMs, retryAt } from '../scheduler/retry-policy.ts';
import { required } from '../std/assert.ts';
import { accountOf } from './account-ledger.ts';
import { decided, rejected, type Decision } from './decision.ts';
import { packetOf } from './packet-board.ts';
import type { AttemptRecord, AuditState, PacketRecord } from './state.ts';
import { accountViews } from './views.ts';

/**
 * How attempts end. A3: the token decides who may end an attempt; content decides whether an answer
 * counts. M4: raw bytes are recorded first, whatever state the audit is in, and judged second.
 */
export const decideAttempt = (
  state: AuditState,
  command: Extract<Command, { type: 'ReportAttempt' }>,
): Decision => {
  const attempt = state.attempts.get(command.token);
  if (attempt === undefined) {
    return rejected('unknown-token', `No attempt has the token ${command.token}.`);
  }
  if (attempt.end !== undefined) return decideLate(state, attempt, command.report, command.now);
  return decided(endAttempt(state, attempt, command.report, command.now), command.token);
};

/** The attempt is over already. Its answer, if it brings one that is new, enters as imported. */
const decideLate = (
  state: AuditState,
  attempt: AttemptRecord,
  report: AttemptReport,
  now: Instant,
): Decision => {
  if (report.answer === undefined) {
    return rejected('attempt-over', `Attempt ${attempt.token} has ended already.`);
  }
  const packet = packetOf(state, attempt.packet);
  if (isRepeat(packet, report.answer.digest)) {
    return rejected('repeat', 'These very bytes were handed in before.');
  }
  const { answer } = report;
  const late = { packet: attempt.packet, answer, source: 'late', token: attempt.token } as const;
  return decided([answersImported(state, late, now)], attempt.token);
};

/** An answer that no open attempt brings. In a complete audit nobody judges it any more. */
export const answersImported = (
  state: AuditState,
  fields: Pick<AuditEventOf<'AnswersImported'>, 'packet' | 'answer' | 'source'> & {
    readonly token?: Token;
  },
  at: Instant,
): AuditEvent => ({
  type: 'AnswersImported',
  ...fields,
  answersWaiting: state.completed === undefined,
  at,
});

/** Leases that ran out and that this process neither runs nor waits for. */
export const expireLeases = (
  state: AuditState,
  now: Instant,
  running: ReadonlySet<Token>,
): AuditEvent[] => {
  const events: AuditEvent[] = [];
  for (const token of state.leases) {
    const attempt = required(state.attempts.get(token), 'A3: a lease belongs to an attempt');
    if (attempt.leaseUntil > now || running.has(token)) continue;
    events.push(...endAttempt(state, attempt, { end: { kind: 'expired' } }, now));
  }
  return events;
};

const endAttempt = (
  state: AuditState,
  attempt: AttemptRecord,
  report: AttemptReport,
  now: Instant,
): AuditEvent[] => {
  const packet = packetOf(state, attempt.packet);
  const hasAnswer = report.answer !== undefined;
  const counted = !hasAnswer && isCounted(report.end) && packet.openTasks > 0;
  const isSpent = counted && packet.counted + 1 >= attemptsMax(state);
  const ended: AuditEventOf<'AttemptEnded'> = {
    type: 'AttemptEnded',
    token: attempt.token,
    end: report.end,
    ...(report.answer && { answer: report.answer }),
    ...(report.stdout && { stdout: report.stdout }),
    ...(report.stderr && { stderr: report.stderr }),
    ...(report.usage && { usage: report.usage }),
    counted,
    ...(counted && !isSpent && { retryAt: pauseAfter(packet, now) }),
    answersWaiting: state.queue.size > 0 || hasAnswer || isSpent,
    at: now,
  };
  return [ended, ...limitSignals(state, attempt, report.end, now)];
};

/** A4. What the world or we did to it is not the packet's fault. */
export const isCounted = (end: AttemptEnd): boolean => {
  switch (end.kind) {
    case 'limited':
    case 'overloaded':
    case 'cancelled':
    case 'not-started':
    case 'asked':
      return false;
    case 'exited':
    case 'crashed':
    case 'timed-out':
    case 'lost':
    case 'expired':
      return true;
  }
};

export const attemptsMax = (state: AuditState): number =>
  required(state.settings, 'I4: an audit has settings').limits.attemptsMax;

export const pauseAfter = (packet: PacketRecord, at: Instant): Instant =>
  retryAt({ packet: packet.spec.id, counted: packet.counted + 1, at });

/** Whether these bytes came for the packet before (A3). */
export const isRepeat = (packet: PacketRecord, digest: Digest): boolean =>
  packet.answers.includes(digest);

/** What an end says about its account: a cooldown, or that nothing can be started on it at all. */
const limitSignals = (
  state: AuditState,
  attempt: AttemptRecord,
  end: AttemptEnd,
  now: Instant,
): AuditEvent[] => {
  if (end.kind === 'not-started') {
    const reason = `It could not be started: ${end.message.replace(/\.?$/, '.')}`;
    return [{ type: 'AccountExhausted', account: attempt.account, reason, at: now }];
  }
  if (end.kind !== 'limited' && end.kind !== 'overloaded') return [];
  const account = accountOf(state, attempt.account);
  const given = end.kind === 'limited' ? end.resetAt : end.retryAt;
  const isGiven = given !== undefined && given > now;
  return [
    {
      type: 'CooldownStarted',
      account: attempt.account,
      until: isGiven ? given : now + defaultCooldownMs(account.limitsInRow + 1),
      limit: end.kind === 'limited' ? end.limit : 'overload',
      assumed: !isGiven,
      allAccounts: !state.lifecycle.path.startsWith('deriving') && othersCool(state, attempt, now),
      token: attempt.token,
      at: now,
    },
  ];
};

/** Only a state that dispatches says of the whole audit that it cools; `deriving` goes on. */
const othersCool = (state: AuditState, attempt: AttemptRecord, now: Instant): boolean =>
  accountViews(state).every(
    (account) =>
      account.id === attempt.account ||
      account.isExhausted ||
      (account.cooldownUntil !== undefined && account.cooldownUntil > now),
  );
