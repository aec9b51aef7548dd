/**
 * States a broken invariant and stops. The sentence is in the present tense and names the rule
 * where there is one: "M2: an audit in blocked cannot take ResultAccepted".
 *
 * A failed assertion ends the writer before it can write another line; nothing catches it to go on.
 */
export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation';
}

export function assert(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new InvariantViolation(sentence);
}

/** For a value that the surrounding rules promise to exist. */
export const required = <T>(value: T | undefined, sentence: string): T => {
  assert(value !== undefined, sentence);
  return value;
};
