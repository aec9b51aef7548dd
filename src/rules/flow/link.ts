import type { Lead } from '../../domain/finding.ts';
import type { Confidence, Severity } from '../../domain/vocabulary.ts';
import { compareText } from '../../std/canonical-json.ts';
import { folderOf, joinPath } from '../../pipeline/tree-paths.ts';
import type { FlowFacts, SourceFact } from './flow-facts.ts';
import type { SinkKind } from './sink-kind.ts';
import { SINKS } from './sinks/catalog.ts';
import type { SinkRule } from './sinks/sink.ts';
import type { SourceKind } from './value.ts';

/** A station on the way of data, in whatever file. */
type Station = { readonly path: string; readonly line: number; readonly says: string };

/** Data that reaches a sink: where it comes in, and every station after that, the sink last. */
type Alarm = {
  readonly kind: SinkKind;
  readonly source: SourceFact & { readonly path: string };
  readonly way: readonly Station[];
};

type FunctionFact = FlowFacts['functions'][number];

/** A sink that a parameter reaches, here or over other files. */
type Reach = {
  readonly index: number;
  readonly fields: string;
  readonly kind: SinkKind;
  readonly clean: readonly SinkKind[];
  readonly isWhole: boolean;
  readonly source: SourceFact;
  readonly way: readonly Station[];
  /** The facts of the file have it, and of every caller in the file. */
  readonly isKnownInFile: boolean;
};

/** What the ways over files are bounded by: stations between files, and sinks of one function. */
const ROUNDS_MAX = 5;
const REACHES_MAX = 100;

/**
 * Joins what the files of a tree say of the ways of data, and says where data from outside reaches a sink
 * that it can do harm in: one lead for each sink and kind, by the most exposed source. The order of the
 * files does not matter. A lead is told at the line of its sink.
 *
 * @param given.targetsOf the files that a file imports.
 */
export const linkFlows = (given: {
  readonly files: ReadonlyMap<string, FlowFacts>;
  readonly targetsOf: (path: string) => readonly string[];
}): readonly FlowLead[] => {
  const paths = [...given.files.keys()].toSorted(compareText);
  const tree = createTree(given.files, given.targetsOf);
  const alarms = createAlarms();
  for (const path of paths) {
    for (const { kind, line, says, source, steps } of given.files.get(path)?.hits ?? []) {
      const way = [...steps.map((step) => ({ path, ...step })), { path, line, says }];
      alarms.raise({ kind, source: { ...source, path }, way });
    }
  }
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    let isNew = false;
    for (const path of paths) isNew = followCalls(path, tree, alarms) || isNew;
    if (!isNew) break;
  }
  for (const path of paths) {
    for (const fn of given.files.get(path)?.functions ?? []) {
      const reaches = tree.reachesOf(path, fn.id);
      for (const { kind, source, way, isWhole } of isEntered(fn, reaches) ? reaches : []) {
        if (isWhole && isRunner(kind, source)) continue;
        alarms.raise({ kind, source: { ...source, path }, way });
      }
    }
  }
  return alarms.list().map(leadOf);
};

/** A lead without the source line that it quotes, which only who reads the file can add. */
export type FlowLead = Omit<Lead, 'quote' | 'analyzer'>;

/** Others call it; or nobody here does, and it answers requests. */
const isEntered = (
  { exportedAs, isCalled }: FunctionFact,
  reaches: readonly Pick<Reach, 'source'>[],
): boolean =>
  exportedAs.length > 0 || (!isCalled && reaches.some(({ source }) => source.kind === 'request'));

/** A function that is there to run the command that it is given. */
const isRunner = (kind: SinkKind, { kind: from, says }: SourceFact): boolean =>
  kind === 'command-injection' &&
  from === 'parameter' &&
  /^`_?(?:cmd|command|commandline|script|cmdline)`/i.test(says);

const createTree = (
  files: ReadonlyMap<string, FlowFacts>,
  targetsOf: (path: string) => readonly string[],
) => {
  const reaches = new Map<string, Map<string, Reach>>();
  const exports = new Map<string, Map<string, FunctionFact>>();
  for (const [path, facts] of files) {
    const named = new Map<string, FunctionFact>();
    for (const fn of facts.functions) {
      for (const name of fn.exportedAs) if (!named.has(name)) named.set(name, fn);
      const own = new Map<string, Reach>();
      for (const { line, says, steps, ...sink } of fn.sinks) {
        const way = [...steps.map((step) => ({ path, ...step })), { path, line, says }];
        own.set(reachKey({ ...sink, way }), { ...sink, way, isKnownInFile: true });
      }
      reaches.set(`${fn.id} ${path}`, own);
    }
    exports.set(path, named);
  }
  const resolve = (from: string, specifier: string): string | undefined => {
    const wanted = joinPath(folderOf(from), specifier);
    if (wanted === undefined) return undefined;
    return targetsOf(from).find((to) => to === wanted || isNamedBy(to, wanted));
  };
  const find = (from: string, specifier: string, member: string, depth = 0): Found | undefined => {
    const path = resolve(from, specifier);
    if (path === undefined) return undefined;
    const fn = exports.get(path)?.get(member);
    if (fn !== undefined) return { path, fn };
    if (depth >= ROUNDS_MAX) return undefined;
    for (const again of files.get(path)?.reexports ?? []) {
      const inner =
        again.member === '' ? member : `${again.member}${member === '' ? '' : `.${member}`}`;
      const found = find(path, again.specifier, inner, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    files,
    find,
    own: (path: string, id: number): Found | undefined => {
      const fn = files.get(path)?.functions.find((one) => one.id === id);
      return fn && { path, fn };
    },
    reachesOf: (path: string, fn: number): readonly Reach[] => [
      ...(reaches.get(`${fn} ${path}`)?.values() ?? []),
    ],
    addReach: (path: string, fn: number, reach: Reach): boolean => {
      const key = `${fn} ${path}`;
      const own = reaches.get(key) ?? new Map<string, Reach>();
      reaches.set(key, own);
      if (own.size >= REACHES_MAX || own.has(reachKey(reach))) return false;
      own.set(reachKey(reach), reach);
      return true;
    },
  };
};
type Tree = ReturnType<typeof createTree>;
type Found = { readonly path: string; readonly fn: FunctionFact };

const reachKey = ({
  index,
  fields,
  kind,
  way,
}: Pick<Reach, 'index' | 'fields' | 'kind' | 'way'>): string => {
  const sink = way.at(-1);
  return `${index}${fields} ${kind} ${sink?.line ?? 0} ${sink?.path ?? ''}`;
};

/** `lib/a` names `lib/a.js` and `lib/a/index.ts`. */
const isNamedBy = (path: string, wanted: string): boolean => {
  if (!path.startsWith(wanted))
    return wanted.replace(/\.[cm]?jsx?$/, '') === path.replace(/\.[cm]?tsx?$/, '');
  return /^(?:\/index)?\.(?:d\.)?[cm]?[jt]sx?$|^\.(?:vue|svelte)$/.test(path.slice(wanted.length));
};

/** Follows the calls of a file into others. @returns whether any new way was found. */
const followCalls = (path: string, tree: Tree, alarms: Alarms): boolean => {
  let isNew = false;
  for (const { specifier, member, to, name, line, given } of tree.files.get(path)?.calls ?? []) {
    const target = to === undefined ? tree.find(path, specifier, member) : tree.own(path, to);
    if (target === undefined) continue;
    for (const sink of tree.reachesOf(target.path, target.fn.id)) {
      // Within the file, what reaches its own sinks is known already.
      if (to !== undefined && sink.isKnownInFile) continue;
      for (const data of given[sink.index] ?? []) {
        if (!sink.fields.startsWith(data.at) && data.at !== '') continue;
        const clean = [...new Set([...data.clean, ...sink.clean])];
        if (clean.includes(sink.kind)) continue;
        const shown = name === '' ? target.fn.name : name;
        const step = { path, line, says: `is given to \`${shown}\`` };
        const before = [...data.steps.map((one) => ({ path, ...one })), step];
        const isHere = sink.kind === 'command-injection' && sink.isWhole && !data.isWhole;
        const last = sink.way.at(-1);
        const way = isHere
          ? [...before.slice(0, -1), { path, line, says: last?.says ?? step.says }]
          : [...before, ...sink.way];
        if (way.length > STATIONS_MAX) continue;
        const { source } = data;
        if (data.of === undefined) {
          isNew = alarms.raise({ kind: sink.kind, source: { ...source, path }, way }) || isNew;
          continue;
        }
        const { fn, index, fields } = data.of;
        const isWhole = sink.isWhole && data.isWhole;
        const reach: Reach = {
          ...{ index, fields, kind: sink.kind, clean, isWhole, source, way },
          isKnownInFile: false,
        };
        isNew = tree.addReach(path, fn, reach) || isNew;
      }
    }
  }
  return isNew;
};

const STATIONS_MAX = 24;

/** The most exposed first. */
const EXPOSURE: readonly SourceKind[] = ['request', 'network', 'parameter', 'argv', 'environment'];

const createAlarms = () => {
  const alarms = new Map<string, Alarm>();
  return {
    raise: (alarm: Alarm): boolean => {
      const rule = RULES.get(alarm.kind);
      const sink = alarm.way.at(-1);
      if (rule === undefined || sink === undefined || !rule.sources.has(alarm.source.kind))
        return false;
      const key = `${sink.path}\n${sink.line}\n${alarm.kind}`;
      const known = alarms.get(key);
      if (known !== undefined && compareAlarms(known, alarm) <= 0) return false;
      alarms.set(key, alarm);
      return true;
    },
    list: (): readonly Alarm[] =>
      [...alarms.values()].toSorted((left, right) => {
        const [one, other] = [left.way.at(-1), right.way.at(-1)];
        return (
          compareText(one?.path ?? '', other?.path ?? '') ||
          (one?.line ?? 0) - (other?.line ?? 0) ||
          compareText(left.kind, right.kind)
        );
      }),
  };
};
type Alarms = ReturnType<typeof createAlarms>;

const compareAlarms = (left: Alarm, right: Alarm): number =>
  EXPOSURE.indexOf(left.source.kind) - EXPOSURE.indexOf(right.source.kind) ||
  left.way.length - right.way.length ||
  compareText(JSON.stringify(left), JSON.stringify(right));

const RULES: ReadonlyMap<SinkKind, SinkRule> = new Map(SINKS.map((rule) => [rule.category, rule]));

const leadOf = ({ kind, source, way }: Alarm): FlowLead => {
  const rule = RULES.get(kind);
  const sink = way.at(-1);
  if (rule === undefined || sink === undefined) throw new Error('an alarm has a rule and a sink');
  const { severity, confidence } = weigh(rule, source.kind);
  return {
    rule: rule.id,
    category: kind,
    lens: rule.lens,
    severity,
    confidence,
    message: `${rule.message}: ${source.says}`,
    place: { path: sink.path, line: sink.line },
    help: rule.help,
    trace: [
      { place: { path: source.path, line: source.line }, says: `${source.says} comes in` },
      ...way.map(({ path, line, says }) => ({ place: { path, line }, says })),
    ],
  };
};

/** What a stranger sends weighs most; what callers give may be checked by them. */
const weigh = (
  rule: SinkRule,
  from: SourceKind,
): { readonly severity: Severity; readonly confidence: Confidence } => {
  switch (from) {
    case 'request':
      return { severity: rule.severity, confidence: rule.confidence };
    case 'network':
      return { severity: rule.severity, confidence: 'medium' };
    case 'parameter':
      return { severity: 'medium', confidence: 'medium' };
    case 'argv':
    case 'environment':
      return { severity: 'low', confidence: 'low' };
  }
};
