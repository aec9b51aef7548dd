import type { AnswerFinding, FollowUp } from '../domain/answer.ts';
import type { Quarantined } from '../domain/finding.ts';
import type { RejectionCode } from '../domain/vocabulary.ts';
import { canonicalJson } from '../std/canonical-json.ts';

/** What an answer says about one task: a result to be judged, or why none can be taken from it. */
export type TaskStatement =
  | {
      readonly kind: 'stated';
      /** Findings that have the form which they must have; none with a clean verdict. */
      readonly findings: readonly StatedFinding[];
      readonly verdict: 'clean' | 'findings';
      /** Findings of it that have not. */
      readonly quarantined: readonly Quarantined[];
      /** All that is wrong with these. */
      readonly troubles: readonly Trouble[];
      /** What it asks to be looked at more closely, of a task that may. */
      readonly followUps: readonly FollowUp[];
      readonly repairs: readonly string[];
    }
  | Refusal;

export type StatedFinding = {
  /** Where it stands in its result: `findings[2]`. */
  readonly at: string;
  readonly finding: AnswerFinding;
  /** As it came. */
  readonly raw: unknown;
};

export type Refusal = {
  readonly kind: 'refused';
  readonly code: RejectionCode;
  /** One printable sentence: what is wrong, and where. */
  readonly message: string;
  /** Everything that is wrong, where that is more than one thing. */
  readonly troubles?: readonly Trouble[];
};

/** One thing that is wrong with an answer. */
export type Trouble = {
  /** Place in the answer's JSON, as far as it is known: `findings[2].line`. */
  readonly at: string;
  readonly code: RejectionCode;
  /** One printable sentence. */
  readonly message: string;
};

/** What an answer says about the tasks of one packet, whatever form it has. */
export type PacketStatements = {
  /** By task id; only tasks of the packet that the answer names. */
  readonly byTask: ReadonlyMap<string, PlacedStatement>;
  /** What is wrong with parts that belong to no task of the packet. */
  readonly stray: readonly Refusal[];
};

/** A statement and the place of its result in the answer: `results[0]`. */
export type PlacedStatement = { readonly at: string; readonly statement: TaskStatement };

export const refusal = (code: RejectionCode, message: string): Refusal => ({
  kind: 'refused',
  code,
  message,
});

/** Refused for several reasons: the first names it. */
export const refusalOf = (troubles: readonly [Trouble, ...Trouble[]]): Refusal => {
  const [first, ...more] = troubles;
  const also = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return {
    kind: 'refused',
    code: first.code,
    message: `${first.message.replace(/\.$/, '')}${also}.`,
    troubles,
  };
};

/**
 * Of all that an answer says about one task, in whatever order, the one statement: the same said twice
 * is a repeat; two different statements cannot both be taken.
 */
export const oneStatement = (said: readonly PlacedStatement[]): PlacedStatement | undefined => {
  const [first, ...more] = said;
  const text = canonicalJson(first?.statement);
  if (more.every((one) => canonicalJson(one.statement) === text)) return first;
  const message = 'The answer has several results for this task, and they differ.';
  return { at: first?.at ?? '', statement: refusal('conflicting-answer', message) };
};
