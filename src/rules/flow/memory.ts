import type { Node } from '../../pipeline/imports/ecmascript-program.ts';
import { joinInto, newValue, NOTHING, type Thing, type Value } from './value.ts';

/** The objects that a file makes, and whether anything new was put anywhere. Everything only grows. */
export type Memory = {
  readonly grow: (target: Value, value: Value) => void;
  /** The object that a node makes: one for all times that it runs. */
  readonly thingOf: (node: Node, part?: string) => Thing;
  readonly fieldOf: (thing: Thing, name: string) => Value;
  /** Without a name: some member. Functions that become members have the object as `this`. */
  readonly setField: (thing: Thing, name: string | undefined, value: Value) => void;
  readonly noteChange: () => void;
  /** @returns whether anything was new since this was asked last. */
  readonly takeChange: () => boolean;
};

/** So many members of one object are told apart. */
const FIELDS_MAX = 300;

export const createMemory = (): Memory => {
  const things = new Map<string, Thing>();
  let hasChanged = false;

  const grow: Memory['grow'] = (target, value) => {
    if (target !== NOTHING && joinInto(target, value)) hasChanged = true;
  };

  const fieldOf: Memory['fieldOf'] = (thing, name) => {
    const field = thing.fields.get(name);
    if (field !== undefined) return field;
    if (thing.fields.size >= FIELDS_MAX) return thing.rest;
    const made = newValue();
    thing.fields.set(name, made);
    return made;
  };

  return {
    grow,
    thingOf: (node, part = '') => {
      const key = `${node.start}:${node.end}:${node.type}:${part}`;
      const made = things.get(key);
      if (made !== undefined) return made;
      const thing: Thing = { id: things.size, fields: new Map(), rest: newValue() };
      things.set(key, thing);
      return thing;
    },
    fieldOf,
    setField: (thing, name, value) => {
      grow(name === undefined ? thing.rest : fieldOf(thing, name), value);
      for (const fn of value.functions) fn.self.add(thing);
    },
    noteChange: () => {
      hasChanged = true;
    },
    takeChange: () => {
      const had = hasChanged;
      hasChanged = false;
      return had;
    },
  };
};
