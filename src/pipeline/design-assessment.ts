import { z } from 'zod';
import { compareText } from '../std/canonical-json.ts';
import { cyclicGroups, shortestCycle } from './import-cycles.ts';
import { importEdge, type ImportEdge } from './import-edge.ts';
import type { Structure } from './structure.ts';

/** Facts about the shape of the imports, each with the edges that show it. */
export const designAssessment = z.object({
  /** Groups of files that import each other while loading, with a shortest cycle as evidence. */
  cycles: z.array(z.object({ files: z.array(z.string()), evidence: z.array(importEdge) })),
  /** Files that unusually many others depend on, or that depend on unusually many. */
  hubs: z.array(
    z.object({
      path: z.string(),
      fanIn: z.int().nonnegative(),
      fanOut: z.int().nonnegative(),
    }),
  ),
});
export type DesignAssessment = z.infer<typeof designAssessment>;

/**
 * Cycles and hubs over the resolved imports. Type imports and dynamic ones do not take part in
 * cycles: they are gone, or come later, when modules load.
 */
export const deriveDesignAssessment = (structure: Structure): DesignAssessment => {
  const loading = structure.edges.filter(
    ({ kind, from, to }) => (kind === 'import' || kind === 'require') && from !== to,
  );
  const cycles = cyclicGroups(loading).map((files) => ({
    files: [...files],
    evidence: [...shortestCycle(files, loading)],
  }));
  return {
    cycles: cycles.toSorted((left, right) =>
      compareText(left.files[0] ?? '', right.files[0] ?? ''),
    ),
    hubs: hubsOf(structure.edges),
  };
};

/** Fewer dependants than this are nothing to tell, however small the others are. */
const HUB_MIN = 15;

/** Beyond three standard deviations of the files that have edges at all. */
const hubsOf = (edges: readonly ImportEdge[]): DesignAssessment['hubs'] => {
  const fanIn = countNeighbours(edges, (edge) => [edge.to, edge.from]);
  const fanOut = countNeighbours(edges, (edge) => [edge.from, edge.to]);
  const paths = [...new Set([...fanIn.keys(), ...fanOut.keys()])];
  const fanInMin = unusual(paths.map((path) => fanIn.get(path) ?? 0));
  const fanOutMin = unusual(paths.map((path) => fanOut.get(path) ?? 0));
  return paths
    .map((path) => ({ path, fanIn: fanIn.get(path) ?? 0, fanOut: fanOut.get(path) ?? 0 }))
    .filter((hub) => hub.fanIn >= fanInMin || hub.fanOut >= fanOutMin)
    .toSorted(
      (left, right) =>
        right.fanIn + right.fanOut - (left.fanIn + left.fanOut) ||
        compareText(left.path, right.path),
    );
};

const countNeighbours = (
  edges: readonly ImportEdge[],
  ends: (edge: ImportEdge) => readonly [path: string, neighbour: string],
): ReadonlyMap<string, number> => {
  const neighbours = new Map<string, Set<string>>();
  for (const edge of edges) {
    const [path, neighbour] = ends(edge);
    const known = neighbours.get(path);
    if (known === undefined) neighbours.set(path, new Set([neighbour]));
    else known.add(neighbour);
  }
  return new Map([...neighbours].map(([path, set]) => [path, set.size]));
};

const unusual = (counts: readonly number[]): number => {
  const mean = sum(counts) / Math.max(counts.length, 1);
  const variance = sum(counts.map((count) => (count - mean) ** 2)) / Math.max(counts.length, 1);
  return Math.max(HUB_MIN, mean + 3 * Math.sqrt(variance));
};

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
