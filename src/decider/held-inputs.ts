import type { AuditEventOf } from '../domain/events.ts';
import type { Digest, EventNumber } from '../domain/ids.ts';
import type { AuditState, InputRecord } from './state.ts';

/** Whether answers were handed in that nobody has looked into yet: no call is paid before that. */
export const hasHeldAnswers = (state: AuditState): boolean =>
  heldAnswers(state).next().done !== true;

/** Inputs with answers that wait to be opened, the oldest first. */
export function* heldAnswers(
  state: AuditState,
): Generator<InputRecord & { readonly of: EventNumber }, void> {
  for (const [of, input] of state.inputs) {
    if (input.kind === 'answers' && !input.isConsumed) yield { of, ...input };
  }
}

/**
 * The event that brought these very bytes before, if handing them in again would change nothing. What
 * brought nothing where it lay may be of use in the assigned place of a packet.
 */
export const knownInput = (
  state: AuditState,
  given: Pick<AuditEventOf<'ExternalInputReceived'>, 'kind' | 'packet'> & {
    readonly digest: Digest;
  },
): EventNumber | undefined => {
  for (const [number, known] of state.inputs) {
    if (known.kind !== given.kind || known.content.digest !== given.digest) continue;
    if (!known.isConsumed || known.imported > 0 || known.packet === given.packet) return number;
  }
  return undefined;
};
