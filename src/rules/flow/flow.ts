import type { Node } from '../../pipeline/imports/ecmascript-program.ts';
import type { Findings } from './report.ts';
import type { Fn, Value } from './value.ts';

/** A file under evaluation. */
export type Flow = {
  readonly findings: Findings;
  readonly functions: readonly Fn[];
  /** What the file gives to others: members of `exports`, or what stands in their place. */
  readonly exported: Value;
  /** Evaluates all of it once more. @returns whether anything new came to light. */
  readonly pass: () => boolean;
  /** Adds to a value of the file, and remembers that something came to light. */
  readonly grow: (target: Value, value: Value) => void;
  /** Calls a function of the file with values; its parameters get what they may be. */
  readonly enter: (fn: Fn, given: readonly Value[], self?: Value) => void;
  /** What a new promise comes to; its executor gets the functions that settle it. */
  readonly promise: (node: Node, executor: Value) => Value;
  readonly settle: (api: string, value: Value) => void;
};
