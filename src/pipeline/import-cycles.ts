import { compareText } from '../std/canonical-json.ts';
import type { ImportEdge } from './import-edge.ts';

/**
 * Groups of two or more files that can each reach the others (strongly connected components), each
 * sorted by path. Tarjan's algorithm with its own stack: long import chains would overflow ours.
 */
export const cyclicGroups = (edges: readonly ImportEdge[]): readonly (readonly string[])[] => {
  const next = neighboursOf(edges);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const groups: string[][] = [];

  const enter = (path: string): Visit => {
    order.set(path, order.size);
    lowest.set(path, order.size - 1);
    open.push(path);
    isOpen.add(path);
    return { path, rest: [...(next.get(path) ?? [])] };
  };
  const lower = (path: string, to: number): void => {
    lowest.set(path, Math.min(lowest.get(path) ?? to, to));
  };
  const leave = (path: string): void => {
    if (lowest.get(path) !== order.get(path)) return;
    const group = open.splice(open.lastIndexOf(path));
    for (const member of group) isOpen.delete(member);
    if (group.length > 1) groups.push(group.toSorted(compareText));
  };

  for (const start of [...next.keys()].toSorted(compareText)) {
    if (order.has(start)) continue;
    const visits = [enter(start)];
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const neighbour = visit.rest.pop();
      if (neighbour === undefined) {
        visits.pop();
        leave(visit.path);
        const parent = visits.at(-1);
        if (parent !== undefined) lower(parent.path, lowest.get(visit.path) ?? 0);
      } else if (!order.has(neighbour)) visits.push(enter(neighbour));
      else if (isOpen.has(neighbour)) lower(visit.path, order.get(neighbour) ?? 0);
    }
  }
  return groups;
};

type Visit = { readonly path: string; readonly rest: string[] };

/** For each of the groups, in their order, the edges between its members; one pass over all edges. */
export const edgesWithin = (
  groups: readonly (readonly string[])[],
  edges: readonly ImportEdge[],
): readonly (readonly ImportEdge[])[] => {
  const groupOf = new Map(groups.flatMap((group, at) => group.map((path) => [path, at] as const)));
  const within = groups.map((): ImportEdge[] => []);
  for (const edge of edges) {
    const group = groupOf.get(edge.from);
    if (group === undefined || edge.from === edge.to || groupOf.get(edge.to) !== group) continue;
    within[group]?.push(edge);
  }
  return within;
};

/**
 * A shortest cycle through a file, as the edges that make it, in order.
 *
 * @param edges among which it is looked for: those within the file's group.
 */
export const shortestCycle = (
  start: string,
  edges: readonly ImportEdge[],
): readonly ImportEdge[] => {
  const from = new Map<string, ImportEdge[]>();
  for (const edge of edges) if (edge.from !== edge.to) pushTo(from, edge.from, edge);
  const cameBy = new Map<string, ImportEdge>();
  const queue = [start];
  for (let at = 0; at < queue.length; at += 1) {
    for (const edge of from.get(queue[at] ?? '') ?? []) {
      if (edge.to === start) return [...pathTo(edge.from, start, cameBy), edge];
      if (cameBy.has(edge.to)) continue;
      cameBy.set(edge.to, edge);
      queue.push(edge.to);
    }
  }
  return [];
};

const pathTo = (
  end: string,
  start: string,
  cameBy: ReadonlyMap<string, ImportEdge>,
): readonly ImportEdge[] => {
  const path: ImportEdge[] = [];
  for (let at = end; at !== start;) {
    const edge = cameBy.get(at);
    if (edge === undefined) break;
    path.push(edge);
    at = edge.from;
  }
  return path.toReversed();
};

const neighboursOf = (edges: readonly ImportEdge[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    const known = next.get(from);
    if (known === undefined) next.set(from, new Set([to]));
    else known.add(to);
  }
  return next;
};

const pushTo = (table: Map<string, ImportEdge[]>, key: string, edge: ImportEdge): void => {
  const known = table.get(key);
  if (known === undefined) table.set(key, [edge]);
  else known.push(edge);
};
