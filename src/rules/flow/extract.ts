import { programOf } from '../../pipeline/imports/ecmascript.ts';
import { isNode } from '../../pipeline/imports/ecmascript-program.ts';
import { nestsTooDeep } from '../../pipeline/imports/nesting.ts';
import { createLineFinder } from '../../pipeline/line-finder.ts';
import { instancesOf } from './calls.ts';
import { createFlow } from './evaluate.ts';
import type { FlowFacts, WayStep } from './flow-facts.ts';
import { createFindings } from './report.ts';
import type { Fn, Step, Taint, Value } from './value.ts';

/** A file is evaluated until nothing new comes to light, and at most so often. */
const PASSES_MAX = 8;
/** Minified and generated files are nobody's source. */
const TEXT_MAX = 1_500_000;
const LINE_LENGTH_MEAN_MAX = 400;

/**
 * Where data from outside goes within one file: the sinks that it reaches, the sinks that parameters of its
 * functions reach, and the calls of other files' functions with data. Only the text and the path's
 * extension count. Undefined for what cannot be parsed or is not written by people.
 */
export const extractFlows = (path: string, text: string): FlowFacts | undefined => {
  if (text.length > TEXT_MAX || nestsTooDeep(text)) return undefined;
  const lineOf = createLineFinder(text);
  if (text.length / lineOf(text.length) > LINE_LENGTH_MEAN_MAX) return undefined;
  const program = programOf(path, text);
  if (!isNode(program)) return undefined;
  const findings = createFindings();
  const flow = createFlow({ program, text, lineOf, findings });
  for (let pass = 0; pass < PASSES_MAX && flow.pass(); pass += 1);

  const names = exportedNames(flow.exported);
  const ids = new Map(flow.functions.map((fn) => [fn, fn.id]));
  const calls = [...findings.calls.values()].flatMap(({ api, name, line, given }) => {
    const data = given.map((value) => dataOf(value, ids));
    if (data.every((one) => one.length === 0)) return [];
    const [specifier = '', member = ''] = splitApi(api);
    return [{ specifier, member, name, line, given: data }];
  });
  const callers = (of: readonly { readonly given: (typeof calls)[number]['given'] }[]) =>
    of.flatMap(({ given }) => given.flat().flatMap((data) => data.of?.fn ?? []));
  const calling = new Set(callers(calls));
  // Who calls what gives data to another file gives it there too.
  const left = new Set(findings.ownCalls.values());
  const handing: typeof calls = [];
  for (let isNew = true; isNew;) {
    isNew = false;
    for (const call of left) {
      const { fn, name, line } = call;
      if (!calling.has(fn.id)) continue;
      left.delete(call);
      const given = call.given.map((value) => dataOf(value, ids));
      if (given.every((one) => one.length === 0)) continue;
      const handed = { specifier: '', member: '', to: fn.id, name, line, given };
      handing.push(handed);
      for (const caller of callers([handed])) calling.add(caller);
      isNew = true;
    }
  }
  return {
    hits: [...findings.hits.values()].map(({ steps, ...hit }) => ({ ...hit, steps: wayOf(steps) })),
    functions: flow.functions.flatMap((fn) => {
      const exportedAs = [...(names.get(fn) ?? [])];
      if (fn.sinks.size === 0 && !calling.has(fn.id)) return [];
      return [
        {
          id: fn.id,
          name: fn.name,
          line: fn.line,
          exportedAs,
          isCalled: findings.called.has(fn),
          sinks: [...fn.sinks.values()].map(({ clean, steps, ...sink }) => ({
            ...sink,
            clean: [...clean],
            steps: wayOf(steps),
            source: sourceOf(fn, sink.index),
          })),
        },
      ];
    }),
    calls: [...calls, ...handing],
    reexports: [...flow.exported.apis].flatMap((api) => {
      const [specifier, member = ''] = splitApi(api);
      return specifier === undefined ? [] : [{ specifier, member, name: '' }];
    }),
  };
};

const sourceOf = (fn: Fn, index: number) => {
  const [taint] = [...(fn.parameters[index]?.taints.values() ?? [])].filter(
    ({ origin }) => origin.of?.fn === fn && origin.of.index === index,
  );
  return {
    kind: taint?.origin.kind ?? 'parameter',
    line: taint?.origin.line ?? fn.line,
    says: taint?.origin.says ?? `a parameter of \`${fn.name}\``,
  };
};

/** `file:./a#b.c` is member `b.c` of `./a`. */
const splitApi = (api: string): readonly string[] => {
  const [, specifier, member] = /^file:([^#]*)#(.*)$/.exec(api) ?? [];
  return specifier === undefined ? [] : [specifier, member ?? ''];
};

/** The data in an argument, and in the members of an object that is made for it. */
const dataOf = (value: Value, ids: ReadonlyMap<Fn, number>) => [
  ...taintsOf(value, '', ids),
  ...[...value.things].flatMap((thing) =>
    [...thing.fields].flatMap(([name, field]) => taintsOf(field, `.${name}`, ids)),
  ),
];

const taintsOf = (value: Value, at: string, ids: ReadonlyMap<Fn, number>) =>
  [...value.taints.values()].map(({ origin, clean, isWhole, steps }: Taint) => ({
    source: { kind: origin.kind, line: origin.line, says: origin.says },
    at,
    ...(origin.of !== undefined && {
      of: { fn: ids.get(origin.of.fn) ?? -1, index: origin.of.index, fields: origin.of.fields },
    }),
    clean: [...clean],
    isWhole,
    steps: wayOf(steps),
  }));

const wayOf = (last: Step | undefined): WayStep[] => {
  const steps: WayStep[] = [];
  for (let at = last; at !== undefined; at = at.before)
    steps.push({ line: at.line, says: at.says });
  return steps.toReversed();
};

const DEPTH_MAX = 6;
const NAMES_MAX = 3;

/** The names under which others get at functions: `run`, `Server().handle`, `default`, and `` for the whole. */
const exportedNames = (exported: Value): ReadonlyMap<Fn, readonly string[]> => {
  const names = new Map<Fn, string[]>();
  const seen = new Set<unknown>();
  const visit = (value: Value, name: string, depth: number): void => {
    if (depth > DEPTH_MAX || name.length > 150) return;
    for (const fn of value.functions) {
      const known = names.get(fn) ?? [];
      names.set(fn, known);
      if (known.length < NAMES_MAX && !known.includes(name)) known.push(name);
      if (seen.has(fn)) continue;
      seen.add(fn);
      for (const thing of instancesOf(fn).things) {
        for (const [field, inner] of thing.fields) {
          if (field !== 'constructor') visit(inner, `${name}().${field}`, depth + 1);
        }
      }
      for (const [field, inner] of fn.thing.fields) {
        if (field !== 'prototype') visit(inner, join(name, field), depth + 1);
      }
      visit(fn.returned, `${name}()`, depth + 1);
    }
    for (const thing of value.things) {
      if (seen.has(thing)) continue;
      seen.add(thing);
      for (const [field, inner] of thing.fields) visit(inner, join(name, field), depth + 1);
      visit(thing.rest, join(name, '*'), depth + 1);
    }
  };
  visit(exported, '', 0);
  return names;
};

const join = (name: string, field: string): string => {
  if (field === 'default') return name;
  return name === '' ? field : `${name}.${field}`;
};
