import { nameOf, type Node } from '../../pipeline/imports/ecmascript-program.ts';
import { child, children, memberName, unwrapped } from './ast.ts';
import { factsOf } from './conditions.ts';
import { lookUp, type Scope } from './scope.ts';
import type { SinkKind } from './sink-kind.ts';
import { cleaned, type Value } from './value.ts';

/** What is known at a place, the newest first: kinds of sinks that an expression can do no harm in. */
export type Known = {
  readonly key: string;
  readonly clean: ReadonlySet<SinkKind>;
  readonly before: Known | undefined;
  readonly length: number;
};

/** What the conditions on the way to a place say of expressions there. */
export type KnownFacts = {
  /** From here on the condition holds, or does not. */
  readonly learn: (condition: Node | undefined, holds: boolean, scope: Scope) => void;
  /** Only while the work is done. */
  readonly within: <Result>(
    condition: Node | undefined,
    holds: boolean,
    scope: Scope,
    work: () => Result,
  ) => Result;
  /** The value that an expression has here, by its key. */
  readonly checked: (key: string | undefined, value: Value) => Value;
  /** All that is known at this place, to come back to. */
  readonly now: () => Known | undefined;
  readonly goBackTo: (known: Known | undefined) => void;
};

const FACTS_MAX = 60;

/** @param namesOf keys of objects, by the variables that loop over the names in them. */
export const createKnownFacts = (namesOf: ReadonlyMap<number, string>): KnownFacts => {
  let known: Known | undefined;
  const learn: KnownFacts['learn'] = (condition, holds, scope) => {
    if (condition === undefined) return;
    for (const { about, clean, keyOf: object } of factsOf(condition, holds)) {
      // `a.toLowerCase()` and `String(a)` are checked for `a`.
      const key = keyOf(checkedIn(about), scope);
      const looped = key === undefined ? undefined : namesOf.get(Number(key));
      if (looped !== undefined && object !== undefined && looped === keyOf(object, scope)) continue;
      if (key === undefined || clean.size === 0 || (known?.length ?? 0) >= FACTS_MAX) continue;
      known = { key, clean, before: known, length: (known?.length ?? 0) + 1 };
    }
  };
  return {
    learn,
    within: (condition, holds, scope, work) => {
      const before = known;
      learn(condition, holds, scope);
      const result = work();
      known = before;
      return result;
    },
    checked: (key, value) => {
      if (key === undefined || value.taints.size === 0) return value;
      let result = value;
      for (let at = known; at !== undefined; at = at.before) {
        if (at.key === key) result = cleaned(result, at.clean);
      }
      return result;
    },
    now: () => known,
    goBackTo: (before) => {
      known = before;
    },
  };
};

/** What tells one expression from another: a variable, `this`, or a member of one of these by its name. */
export const keyOf = (node: Node, scope: Scope): string | undefined => {
  const plain = unwrapped(node);
  if (plain.type === 'Identifier') {
    const variable = lookUp(scope, nameOf(plain) ?? '');
    return variable === undefined ? nameOf(plain) : `${variable.id}`;
  }
  if (plain.type === 'ThisExpression') return 'this';
  if (plain.type !== 'MemberExpression') return undefined;
  const object = child(plain, 'object');
  const name = memberName(plain);
  const outer = object && keyOf(object, scope);
  return outer === undefined || name === undefined ? undefined : `${outer}.${name}`;
};

/** What a check is about: `String(a).trim()` is about `a`. */
const checkedIn = (node: Node): Node => {
  let at = unwrapped(node);
  for (let steps = 0; steps < 5 && at.type === 'CallExpression'; steps += 1) {
    const callee = child(at, 'callee');
    const plain = callee && unwrapped(callee);
    const object = plain?.type === 'MemberExpression' ? child(plain, 'object') : undefined;
    const next =
      object !== undefined && TEXT_METHODS.test(memberName(plain ?? at) ?? '')
        ? object
        : children(at, 'arguments')[0];
    if (next === undefined) return at;
    at = unwrapped(next);
  }
  return at;
};

const TEXT_METHODS = /^(?:toString|trim|toLowerCase|toUpperCase|slice|substr|substring|normalize)$/;
