import { memberApi } from './module-names.ts';
import { sourceAt } from './sources.ts';
import {
  addTaint,
  joinInto,
  mapTaints,
  newValue,
  NOTHING,
  union,
  valueOf,
  type Taint,
  type Value,
} from './value.ts';

/** A member of a value by its name. */
export const memberOf = (value: Value, name: string, line: number): Value => {
  if (value === NOTHING) return NOTHING;
  const member = newValue();
  if (!HARMLESS.has(name)) joinInto(member, memberTaints(value, name, line));
  for (const thing of value.things) {
    const field = thing.fields.get(name);
    if (field !== undefined) joinInto(member, field);
    joinInto(member, thing.rest);
  }
  for (const fn of value.functions) {
    const field = fn.thing.fields.get(name);
    if (field !== undefined) joinInto(member, field);
  }
  for (const api of value.apis) {
    const source = sourceAt(api, name, line);
    if (source !== undefined) addTaint(member, source);
    const inner = memberApi(api, name);
    if (inner !== undefined) member.apis.add(inner);
  }
  return isNothing(member) ? NOTHING : member;
};

const HARMLESS: ReadonlySet<string> = new Set(['length', 'size', 'byteLength', 'constructor']);

const isNothing = ({ taints, things, functions, apis, patterns, isDeep }: Value): boolean =>
  !isDeep && taints.size + things.size + functions.size + apis.size + patterns.size === 0;

/**
 * The data in a member: of a parameter, that member of it. Without a name, of any member: it is data of the
 * same origin.
 */
export const memberTaints = (value: Value, name: string | undefined, line: number): Value => {
  if (value.taints.size === 0 && value.apis.size === 0) return NOTHING;
  const data = mapTaints(value, (taint) => fieldTaint(taint, name));
  const sources = [...value.apis].flatMap((api) => sourceAt(api, name ?? '', line) ?? []);
  return sources.length === 0 ? data : union(data, ...sources.map((taint) => valueOf({ taint })));
};

const FIELDS_MAX = 3;

const fieldTaint = (taint: Taint, name: string | undefined): Taint => {
  const { of } = taint.origin;
  if (of === undefined || taint.steps !== undefined) return taint;
  const depth = of.fields.split(/[.[]/).length - 1;
  if (depth >= FIELDS_MAX) return taint;
  const part = name === undefined ? '[]' : `.${name}`;
  if (name === undefined && of.fields.endsWith('[]')) return taint;
  const fields = `${of.fields}${part}`;
  return {
    ...taint,
    origin: {
      ...taint.origin,
      id: `${taint.origin.id}${part}`,
      of: { ...of, fields },
    },
  };
};

/** Of an object with more members, data in the others is not looked for by a name that is not known. */
const ELEMENTS_MAX = 30;

/** The member of a value that a parameter's fields (`.a.b[]`) name. */
export const fieldsOf = (value: Value, fields: string, line: number): Value => {
  let at = value;
  for (const part of fields.match(/\.[^.[]+|\[\]/g) ?? []) {
    at =
      part === '[]'
        ? union(
            memberTaints(at, undefined, line),
            ...[...at.things].flatMap((thing) => [
              thing.rest,
              ...[...thing.fields.values()].slice(0, ELEMENTS_MAX),
            ]),
          )
        : memberOf(at, part.slice(1), line);
    if (at === NOTHING) return NOTHING;
  }
  return at;
};
