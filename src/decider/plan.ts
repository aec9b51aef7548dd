import type { Effect } from '../domain/effects.ts';
import type { Instant } from '../domain/ids.ts';
import { STAGES, type Stage } from '../domain/vocabulary.ts';
import { required } from '../std/assert.ts';
import { heldAnswers } from './held-inputs.ts';
import { packetOf } from './packet-board.ts';
import type { AuditState } from './state.ts';
import { scheduleOf } from './views.ts';

/**
 * What ought to be running in this state. Level-triggered: it says all of it each time, whoever
 * started what before; after a crash the same function yields the recovery work. The cost grows
 * with what is in flight, not with the audit.
 */
export const plan = (state: AuditState): readonly Effect[] => {
  if (state.opened === undefined) return [];
  if (state.completed !== undefined) {
    return [
      ...inputsToOpen(state),
      { type: 'WriteReport', key: `report:${state.completed.number}` },
    ];
  }
  const effects: Effect[] = [];
  const stage = stageOf(state);
  if (stage !== undefined) {
    effects.push({
      type: 'DeriveStage',
      key: `derive:${stage}:${state.basis}`,
      stage,
      basis: state.basis,
    });
  }
  for (const token of state.leases) {
    const attempt = required(state.attempts.get(token), 'A3: a lease belongs to an attempt');
    const packet = packetOf(state, attempt.packet);
    effects.push({
      type: packet.openTasks > 0 ? 'RunAttempt' : 'StopAttempt',
      key: `attempt:${token}`,
      token,
      packet: attempt.packet,
      provider: attempt.provider,
      prompt: packet.spec.prompt,
    });
  }
  if (state.obligations.get('planning')?.state === 'current') effects.push(...inputsToOpen(state));
  if (state.lifecycle.path === 'ingesting') {
    for (const [of, item] of state.queue) {
      if (item.kind !== 'answer') continue;
      const { packet, answer, provider, isWordless } = item;
      effects.push({
        type: 'JudgeAnswer',
        key: `judge:${of}`,
        of,
        packet,
        answer,
        provider,
        ...(isWordless && { isWordless }),
      });
    }
  }
  return effects;
};

/** Answers from outside can be told apart by packet once there is a plan. */
const inputsToOpen = (state: AuditState): Effect[] =>
  [...heldAnswers(state)].map(({ of, content, packet }) => ({
    type: 'OpenInput',
    key: `input:${of}`,
    of,
    content,
    ...(packet !== undefined && { packet }),
  }));

const stageOf = (state: AuditState): Stage | undefined => {
  const [parent, child] = state.lifecycle.path.split('.');
  return parent === 'deriving' ? STAGES.find((stage) => stage === child) : undefined;
};

/**
 * The next instant at which the passing of time alone may change something: a cooldown or a pause
 * that ends, a lease that runs out. The shell sleeps until then and sends `Advance`.
 */
export const nextDeadline = (state: AuditState, now: Instant): Instant | undefined => {
  const instants: Instant[] = [];
  for (const token of state.leases) {
    const until = state.attempts.get(token)?.leaseUntil;
    if (until !== undefined && until > now) instants.push(until);
  }
  const { waitUntil } = scheduleOf(state, now);
  if (waitUntil !== undefined) instants.push(waitUntil);
  return instants.length === 0 ? undefined : Math.min(...instants);
};
