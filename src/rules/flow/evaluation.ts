import type { Node } from '../../pipeline/imports/ecmascript-program.ts';
import type { Flow } from './flow.ts';
import type { Known, KnownFacts } from './known-facts.ts';
import type { Memory } from './memory.ts';
import type { Scope, Scopes } from './scope.ts';
import type { Fn, Pattern, Thing, Value } from './value.ts';

/** What runs, and what `this` is in it. */
export type Frame = { readonly fn: Fn | undefined; readonly self: Value };

/** Where the body of a function stands: it is evaluated there in each pass. */
export type Body = { readonly scope: Scope; known: Known | undefined; readonly outer: Frame };

/**
 * One file under evaluation, as the parts of the evaluation share it. Statements hold expressions, and
 * expressions hold statements: each gets at the other through this, so that neither imports the other.
 */
export type Evaluation = {
  readonly text: string;
  readonly lineOf: (offset: number) => number;
  readonly flow: Flow;
  readonly scopes: Scopes;
  readonly memory: Memory;
  readonly facts: KnownFacts;
  /** By the node that makes them. */
  readonly functions: Map<Node, Fn>;
  readonly bodies: Map<Fn, Body>;
  /** What `super` is: of the constructor and the methods of a class, the class that it extends. */
  readonly parents: Map<Fn, Value>;
  /** Regular expressions, by the node that makes them. */
  readonly patterns: Map<Node, Pattern>;
  /** Variables that loop over the names of an object, and the key of that object. */
  readonly namesOf: Map<number, string>;
  /** `exports`, as it is at first. */
  readonly exportsThing: Thing;
  /** `this` of the functions that a framework calls with the request. */
  readonly contextThing: Thing;
  readonly isKoa: boolean;
  frame: Frame;
  readonly evaluate: (node: Node, scope: Scope, name?: string) => Value;
  readonly evaluateChild: (node: Node, field: string, scope: Scope) => Value;
  readonly statement: (node: Node, scope: Scope) => void;
  /** A statement within another; too deep ones are left out. */
  readonly block: (node: Node | undefined, scope: Scope) => void;
};
