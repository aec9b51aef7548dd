import type { AuditEventOf, InputKind } from '../domain/events.ts';
import type { Digest, EventNumber } from '../domain/ids.ts';
import type { AuditState, InputRecord } from './state.ts';

/** Whether answers were handed in that nobody has looked into yet: no call is paid before that. */
export const hasHeldAnswers = (state: AuditState): boolean =>
  heldAnswers(state).next().done !== true;

/** Inputs with answers that wait to be opened, the oldest first. */
export const heldAnswers = (state: AuditState): Generator<HeldInput, void> =>
  held(state, 'answers');

/** Results of analyzers that no stage has used yet, the oldest first. */
export const heldAnalyzerResults = (state: AuditState): readonly HeldInput[] => [
  ...held(state, 'analyzer-results'),
];

/** What others found out by running the project, and no stage has used yet; the oldest first. */
export const heldRuntimeUpdates = (state: AuditState): readonly HeldInput[] => [
  ...held(state, 'runtime-updates'),
];

type HeldInput = InputRecord & { readonly of: EventNumber };

function* held(state: AuditState, kind: InputKind): Generator<HeldInput, void> {
  for (const [of, input] of state.inputs) {
    if (input.kind === kind && !input.isConsumed) yield { of, ...input };
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
