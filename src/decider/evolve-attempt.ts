import { endInWords, type AttemptEnd } from '../domain/attempt-end.ts';
import type { AuditEventOf } from '../domain/events.ts';
import type { PacketId, Token } from '../domain/ids.ts';
import { assert, required } from '../std/assert.ts';
import { accountOf, countSuccess } from './account-ledger.ts';
import { giveBack, movePacket, packetOf } from './packet-board.ts';
import type { AuditState } from './state.ts';

/** The part of `evolve` that is about attempts: leases, their ends, and what a rejection gives back. */

/** A lease begins: the number of this event is the attempt's token. */
export const startAttempt = (state: AuditState, event: AuditEventOf<'AttemptStarted'>): void => {
  const packet = packetOf(state, event.packet);
  const account = accountOf(state, event.account);
  assert(packet.lease === undefined, 'I5: a packet has at most one open lease');
  assert(
    packet.status === 'ready' || packet.status === 'backing-off',
    `I5: a packet that is ${packet.status} is not started`,
  );
  assert(
    account.cooldownUntil === undefined || account.cooldownUntil <= event.at,
    `I7: nothing starts on ${event.account} during its cooldown`,
  );
  account.cooldownUntil = undefined;
  account.inFlight += 1;
  packet.attempts += 1;
  packet.lease = state.seq;
  movePacket(state, packet, 'running');
  state.leases.add(state.seq);
  state.writer.starts += 1;
  state.writer.begun.add(event.packet);
  state.counts.attempts.running += 1;
  state.attempts.set(state.seq, {
    token: state.seq,
    packet: event.packet,
    provider: event.provider,
    account: event.account,
    attempt: event.attempt,
    startedAt: event.at,
    leaseUntil: event.leaseUntil,
    end: undefined,
    hasAnswer: false,
    endedAt: undefined,
  });
  giveOperatorsWord(state, event.packet);
};

/** What the operator answered for a packet goes to its next attempt. */
const giveOperatorsWord = (state: AuditState, packet: PacketId): void => {
  for (const asked of state.questions.values()) {
    const isNew = asked.value !== undefined && asked.usedBy === undefined;
    if (isNew && asked.packet === packet) asked.usedBy = state.seq;
  }
};

/** An attempt without an answer has not used it: nobody is asked the same again for that. */
const takeBackOperatorsWord = (state: AuditState, token: Token): void => {
  for (const asked of state.questions.values()) {
    if (asked.usedBy === token) asked.usedBy = undefined;
  }
};

export const endAttempt = (state: AuditState, event: AuditEventOf<'AttemptEnded'>): void => {
  const attempt = required(
    state.attempts.get(event.token),
    `A3: attempt ${event.token} was started`,
  );
  assert(attempt.end === undefined, `A3: attempt ${event.token} ends once`);
  const packet = packetOf(state, attempt.packet);
  const account = accountOf(state, attempt.account);
  attempt.end = event.end;
  attempt.hasAnswer = event.answer !== undefined;
  attempt.endedAt = event.at;
  account.inFlight -= 1;
  packet.lease = undefined;
  state.leases.delete(event.token);
  state.counts.attempts.running -= 1;
  state.counts.attempts[endingOf(event)] += 1;
  if (event.answer !== undefined) {
    countSuccess(account, attempt.startedAt);
    packet.answers = [...packet.answers, event.answer.digest];
  }
  if (event.answer !== undefined) {
    if (packet.openTasks > 0) movePacket(state, packet, 'answered');
    state.queue.set(state.seq, {
      kind: 'answer',
      packet: attempt.packet,
      answer: event.answer,
      token: event.token,
      provider: attempt.provider,
      ...(event.usage?.outputTokens === 0 && { isWordless: true as const }),
    });
    return;
  }
  if (packet.openTasks === 0) return;
  takeBackOperatorsWord(state, event.token);
  if (event.end.kind === 'asked') noteQuestion(state, attempt.packet, event.token, event.end);
  if (event.counted) packet.counted += 1;
  if (event.counted && isSpent(state, packet.counted)) {
    movePacket(state, packet, 'answered');
    enqueueSpent(state, packet.spec.id, endInWords(event.end));
  } else giveBack(state, packet, event.retryAt);
};

const noteQuestion = (
  state: AuditState,
  packet: PacketId,
  token: Token,
  { question: text, options }: Extract<AttemptEnd, { kind: 'asked' }>,
): void => {
  const id = `q-${token}`;
  const asked = { id, text, packet, value: undefined, usedBy: undefined };
  state.questions.set(id, options === undefined ? asked : { ...asked, options });
};

/** A rejection that says `counted` closes the judging of an answer: the packet may go on. */
export const rejectResult = (state: AuditState, event: AuditEventOf<'ResultRejected'>): void => {
  state.queue.delete(event.of);
  if (event.counted === undefined) return;
  const packet = packetOf(state, event.packet);
  if (packet.openTasks === 0) return;
  if (event.counted) packet.counted += 1;
  if (event.counted && isSpent(state, packet.counted)) {
    enqueueSpent(state, event.packet, `its last answer was not acceptable (${event.code})`);
  } else giveBack(state, packet, event.retryAt);
};

const isSpent = (state: AuditState, counted: number): boolean =>
  counted >= (state.settings?.limits.attemptsMax ?? 0);

const enqueueSpent = (state: AuditState, packet: PacketId, reason: string): void => {
  state.queue.set(state.seq, { kind: 'spent', packet, reason });
};

const endingOf = (
  event: AuditEventOf<'AttemptEnded'>,
): 'answered' | 'failed' | 'limited' | 'cancelled' | 'asked' => {
  if (event.answer !== undefined) return 'answered';
  switch (event.end.kind) {
    case 'limited':
    case 'overloaded':
      return 'limited';
    case 'cancelled':
      return 'cancelled';
    case 'asked':
      return 'asked';
    case 'exited':
    case 'crashed':
    case 'not-started':
    case 'timed-out':
    case 'lost':
    case 'expired':
      return 'failed';
  }
};
