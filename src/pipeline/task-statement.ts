import type { AnswerResult } from '../domain/answer.ts';
import type { RejectionCode } from '../domain/vocabulary.ts';
import { canonicalJson } from '../std/canonical-json.ts';

/** What an answer says about one task: a result to be judged, or why none can be taken from it. */
export type TaskStatement = { readonly kind: 'stated'; readonly result: AnswerResult } | Refusal;

export type Refusal = {
  readonly kind: 'refused';
  readonly code: RejectionCode;
  /** One printable sentence: what is wrong, and where. */
  readonly message: string;
};

/** What an answer says about the tasks of one packet, whatever form it has. */
export type PacketStatements = {
  /** By task id; only tasks of the packet that the answer names. */
  readonly byTask: ReadonlyMap<string, TaskStatement>;
  /** What is wrong with parts that belong to no task of the packet. */
  readonly stray: readonly Refusal[];
};

export const refusal = (code: RejectionCode, message: string): Refusal => ({
  kind: 'refused',
  code,
  message,
});

/**
 * Of all that an answer says about one task, in whatever order, the one statement: the same said twice
 * is a repeat; two different statements cannot both be taken.
 */
export const oneStatement = (said: readonly TaskStatement[]): TaskStatement | undefined => {
  const [first, ...more] = said;
  const text = canonicalJson(first);
  if (more.every((one) => canonicalJson(one) === text)) return first;
  const message = 'The answer has several results for this task, and they differ.';
  return refusal('conflicting-answer', message);
};
