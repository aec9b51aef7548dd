import { counted } from '../../std/counted.ts';
import { cyclicGroups, edgesWithin, shortestCycle } from '../import-cycles.ts';
import type { ImportEdge } from '../import-edge.ts';
import { folderOf } from '../tree-paths.ts';
import { EVIDENCE_MAX, type Assessment } from './assessment.ts';

/**
 * Files that import each other.
 *
 * `loading-cycle`: while they load, in languages where a file runs when it is imported; what is
 * imported may then be only half there. `deferred-cycle`: only through an import that runs later, so
 * loading is safe, and only the direction of dependency is in question. `package-cycle`: folders that
 * need each other, in languages where folders are packages and files of one may freely do so. Type
 * imports count in none of them: they are gone when the program runs.
 */
export const assessCycles = (edges: readonly ImportEdge[]): readonly Assessment[] => {
  const running = edges.filter(({ from, to }) => from !== to && LOADS.test(from) && LOADS.test(to));
  const loading = running.filter(({ kind }) => kind === 'import' || kind === 'require');
  const groups = cyclicGroups(loading);
  const within = edgesWithin(groups, loading);
  const found = groups.map((group, at) =>
    cycleOf('loading-cycle', group, cycleIn(group, within[at] ?? [])),
  );
  const groupOf = new Map(groups.flatMap((group, at) => group.map((path) => [path, at] as const)));
  const later = running.filter(({ kind }) => kind !== 'type');
  const deferred = cyclicGroups(later).filter((group) => !isOneOf(group, groupOf));
  const laterWithin = edgesWithin(deferred, later);
  return [
    ...found,
    ...deferred.map((group, at) =>
      cycleOf('deferred-cycle', group, deferredCycle(group, laterWithin[at] ?? [])),
    ),
    ...packageCycles(importsOfFolders(edges)),
  ];
};

/** The compiler leaves out imports that only types need, and syntax alone does not tell them. */
const mayBeTypes = (cycle: Edges): boolean =>
  cycle.some(({ from, kind }) => kind === 'import' && /\.[cm]?tsx?$/.test(from));

/** Endings of languages in which importing a file runs it. */
const LOADS = /\.(?:[cm]?[jt]sx?|vue|svelte|pyi?|rb|php)$/;
const HAS_PACKAGES = /\.(?:java|kt|cs|scala)$/;

/** Whether its members are all of one group already: then nothing new is said. */
const isOneOf = (group: readonly string[], groupOf: ReadonlyMap<string, number>): boolean => {
  const first = groupOf.get(group[0] ?? '');
  return first !== undefined && group.every((path) => groupOf.get(path) === first);
};

type Edges = readonly ImportEdge[];

/** Two that import each other show it best; else the shortest way round from the first file. */
const cycleIn = (group: readonly string[], inner: Edges): Edges => {
  const known = new Map(inner.map((edge) => [`${edge.from}\n${edge.to}`, edge]));
  for (const edge of inner) {
    const back = known.get(`${edge.to}\n${edge.from}`);
    if (back !== undefined) return [edge, back];
  }
  return shortestCycle(group[0] ?? '', inner);
};

const deferredCycle = (group: readonly string[], inner: Edges): Edges => {
  const late = inner.find(({ kind }) => kind === 'dynamic');
  return shortestCycle(late?.from ?? group[0] ?? '', inner);
};

const SENTENCES = {
  'loading-cycle': (size: number) =>
    `${counted(size, 'file')} import each other while they load: which of them is complete when it is first used depends on which is loaded first.`,
  'deferred-cycle': (size: number) =>
    `${counted(size, 'file')} need each other, through at least one import that runs later.`,
  'package-cycle': (size: number) =>
    `${counted(size, 'package')} need each other, so that none can be built, tested or released alone.`,
} as const;

const cycleOf = (
  rule: keyof typeof SENTENCES,
  group: readonly string[],
  cycle: Edges,
): Assessment => {
  const onCycle = new Set(cycle.map(({ from }) => from));
  const others = group.filter((path) => !onCycle.has(path));
  return {
    rule,
    statement: `${SENTENCES[rule](group.length)}${mayBeTypes(cycle) ? TYPES_NOTE : ''}`,
    paths: [...onCycle, ...others].slice(0, PATHS_MAX),
    evidence: cycle.slice(0, EVIDENCE_MAX).map(({ from, to, line, kind }) => ({
      path: from,
      line,
      note: `${kind} of ${to}`,
    })),
    figures: { files: group.length, shortest: cycle.length },
    strength: group.length,
  };
};

const PATHS_MAX = 50;
const TYPES_NOTE =
  ' An import that only types need, without saying so, is left out by the compiler: look at what is used.';

/** One import for each two folders that are packages, by `from` and `to`. */
const importsOfFolders = (edges: Edges): ReadonlyMap<string, ImportEdge> => {
  const between = new Map<string, ImportEdge>();
  for (const edge of edges) {
    if (edge.kind === 'type' || !HAS_PACKAGES.test(edge.from) || !HAS_PACKAGES.test(edge.to))
      continue;
    const [from, to] = [folderOf(edge.from), folderOf(edge.to)];
    const key = `${from}\n${to}`;
    if (from !== to && !between.has(key)) between.set(key, edge);
  }
  return between;
};

/** @param between for each two packages (`from` and `to`, a newline between) an import that shows it. */
export const packageCycles = (between: ReadonlyMap<string, ImportEdge>): readonly Assessment[] => {
  const packages = [...between].map(([key, edge]) => {
    const [from = '', to = ''] = key.split('\n');
    return { ...edge, from, to };
  });
  const groups = cyclicGroups(packages);
  const within = edgesWithin(groups, packages);
  return groups.map((group, at) => {
    const cycle = cycleIn(group, within[at] ?? []);
    const shown = cycle.flatMap(({ from, to }) => between.get(`${from}\n${to}`) ?? []);
    return {
      ...cycleOf('package-cycle', group, shown),
      paths: shown.map(({ from }) => from),
      figures: { packages: group.length, shortest: cycle.length },
    };
  });
};
