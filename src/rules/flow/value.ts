import type { Node } from '../../pipeline/imports/ecmascript-program.ts';
import type { SinkKind } from './sink-kind.ts';

/**
 * What the engine knows of a value: where data in it may come from, and what it may be. Values only grow
 * while a file is evaluated, and every part of them is bounded, so the evaluation ends.
 */
export type Value = {
  /** By the id of their origin. */
  readonly taints: Map<string, Taint>;
  readonly things: Set<Thing>;
  readonly functions: Set<Fn>;
  /** Names of what the platform or another module gives: `child_process.exec`, `file:./a#run`. */
  readonly apis: Set<string>;
  /** Regular expressions, as written. */
  readonly patterns: Set<Pattern>;
  /** Reached by a key that came with the data: it may be what all objects inherit from. */
  isDeep: boolean;
};

/** Data from somewhere, on its way. */
export type Taint = {
  readonly origin: Origin;
  /** Kinds of sinks that it can do no harm in any more. */
  readonly clean: ReadonlySet<SinkKind>;
  /** It is all of the value: nothing was put around it. */
  readonly isWhole: boolean;
  readonly steps: Step | undefined;
};

export type SourceKind = 'request' | 'network' | 'argv' | 'environment' | 'parameter';

export type Origin = {
  readonly id: string;
  readonly kind: SourceKind;
  /** With `parameter`: whose, which, and which member of it (`.path`). */
  readonly of?: { readonly fn: Fn; readonly index: number; readonly fields: string };
  readonly line: number;
  /** What it is, for people. */
  readonly says: string;
};

/** The way so far, the last step first. */
export type Step = {
  readonly line: number;
  readonly says: string;
  readonly before: Step | undefined;
  readonly length: number;
};

/** An object or array that the file makes. */
export type Thing = {
  readonly id: number;
  readonly fields: Map<string, Value>;
  /** Elements, and members whose name is not known. */
  readonly rest: Value;
};

export type Pattern = { readonly source: string; readonly flags: string; readonly line: number };

export type Fn = {
  readonly id: number;
  readonly node: Node;
  readonly name: string;
  readonly line: number;
  /** Its own members, with `prototype`. */
  readonly thing: Thing;
  /** What `new` gives, and what `this` is in its methods. */
  readonly instance: Thing;
  readonly self: Set<Thing>;
  readonly parameters: Value[];
  readonly returned: Value;
  readonly sinks: Map<string, ParameterSink>;
};

/** That what is given for a parameter reaches a sink. */
export type ParameterSink = {
  readonly index: number;
  readonly fields: string;
  readonly kind: SinkKind;
  readonly clean: ReadonlySet<SinkKind>;
  readonly isWhole: boolean;
  /** The sink's own line, and what stands there. */
  readonly line: number;
  readonly says: string;
  readonly steps: Step | undefined;
};

export const newValue = (): Value => ({
  taints: new Map(),
  things: new Set(),
  functions: new Set(),
  apis: new Set(),
  patterns: new Set(),
  isDeep: false,
});

/** Nothing is known, and nothing comes from outside. Never changed. */
export const NOTHING: Value = newValue();

const TAINTS_MAX = 16;
const PARTS_MAX = 12;
const STEPS_MAX = 14;

/** Adds all of a value to another. @returns whether anything was new. */
export const joinInto = (target: Value, from: Value): boolean => {
  if (target === from || from === NOTHING) return false;
  let isNew = false;
  for (const taint of from.taints.values()) isNew = addTaint(target, taint) || isNew;
  isNew = addAll(target.things, from.things) || isNew;
  isNew = addAll(target.functions, from.functions) || isNew;
  isNew = addAll(target.apis, from.apis) || isNew;
  isNew = addAll(target.patterns, from.patterns) || isNew;
  if (from.isDeep && !target.isDeep) {
    target.isDeep = true;
    isNew = true;
  }
  return isNew;
};

/** What something may be, without the data in it. */
export const joinShape = (target: Value, from: Value): boolean =>
  joinInto(target, { ...from, taints: NOTHING.taints });

export const addTaint = (target: Value, taint: Taint): boolean => {
  const { id } = taint.origin;
  const known = target.taints.get(id);
  if (known === undefined) {
    if (target.taints.size >= TAINTS_MAX) return false;
    target.taints.set(id, taint);
    return true;
  }
  const isDirtier = [...known.clean].some((kind) => !taint.clean.has(kind));
  const isLessWhole = known.isWhole && !taint.isWhole;
  if (!isDirtier && !isLessWhole) return false;
  target.taints.set(id, {
    ...known,
    clean: new Set([...known.clean].filter((kind) => taint.clean.has(kind))),
    isWhole: known.isWhole && taint.isWhole,
  });
  return true;
};

const addAll = <Item>(target: Set<Item>, from: ReadonlySet<Item>): boolean => {
  const before = target.size;
  for (const item of from) {
    if (target.size >= PARTS_MAX) break;
    target.add(item);
  }
  return target.size > before;
};

export const union = (...values: readonly Value[]): Value => {
  const known = values.filter((value) => value !== NOTHING);
  const [first] = known;
  if (first === undefined) return NOTHING;
  if (known.length === 1) return first;
  const joined = newValue();
  for (const value of known) joinInto(joined, value);
  return joined;
};

/** What the elements and members of the objects in a value may be. */
export const elementsOf = (value: Value): Value =>
  union(...[...value.things].flatMap((thing) => [thing.rest, ...thing.fields.values()]));

/** The data of a value with every taint changed; nothing of what it is. */
export const mapTaints = (value: Value, change: (taint: Taint) => Taint | undefined): Value => {
  if (value.taints.size === 0) return NOTHING;
  const changed = newValue();
  for (const taint of value.taints.values()) {
    const next = change(taint);
    if (next !== undefined) addTaint(changed, next);
  }
  return changed.taints.size === 0 ? NOTHING : changed;
};

/** The same value, with data that can do no harm in these sinks. */
export const cleaned = (value: Value, kinds: ReadonlySet<SinkKind>): Value => {
  if (value.taints.size === 0 || kinds.size === 0) return value;
  const changed = newValue();
  joinShape(changed, value);
  for (const taint of value.taints.values()) {
    addTaint(changed, { ...taint, clean: new Set([...taint.clean, ...kinds]) });
  }
  return changed;
};

/** Data that is now a part of something. */
export const composed = (value: Value): Value =>
  mapTaints(value, (taint) => (taint.isWhole ? { ...taint, isWhole: false } : taint));

export const nextStep = (before: Step | undefined, line: number, says: string): Step => {
  if (before !== undefined && (before.length >= STEPS_MAX || before.line === line)) return before;
  return { line, says, before, length: (before?.length ?? 0) + 1 };
};

export const valueOf = (parts: {
  readonly api?: string | undefined;
  readonly thing?: Thing;
  readonly fn?: Fn;
  readonly pattern?: Pattern;
  readonly taint?: Taint;
}): Value => {
  const value = newValue();
  if (parts.api !== undefined) value.apis.add(parts.api);
  if (parts.thing !== undefined) value.things.add(parts.thing);
  if (parts.fn !== undefined) value.functions.add(parts.fn);
  if (parts.pattern !== undefined) value.patterns.add(parts.pattern);
  if (parts.taint !== undefined) addTaint(value, parts.taint);
  return value;
};
