import type { ImportEdge } from '../import-edge.ts';
import type { Surface } from './surfaces.ts';

/**
 * How near files are to where the code is entered: the confidence of an entrance of the file itself,
 * and 0.7 of what it is for the nearest file that imports it. One search from all entrances at once,
 * so its cost is that of the edges.
 */
export const reachOf = (
  surfaces: readonly Surface[],
  edges: readonly ImportEdge[],
): ReadonlyMap<string, number> => {
  const next = new Map<string, string[]>();
  for (const { from, to, kind } of edges) {
    if (kind === 'type') continue;
    const known = next.get(from);
    if (known === undefined) next.set(from, [to]);
    else known.push(to);
  }
  const reach = new Map<string, number>();
  let front = new Map<string, number>();
  for (const { path, confidence } of surfaces) {
    front.set(path, Math.max(front.get(path) ?? 0, confidence));
  }
  for (let depth = 0; depth <= DEPTH_MAX; depth += 1) {
    const after = new Map<string, number>();
    for (const [path, value] of front) {
      if (value <= (reach.get(path) ?? 0)) continue;
      reach.set(path, value);
      for (const to of next.get(path) ?? []) {
        after.set(to, Math.max(after.get(to) ?? 0, value * FADE));
      }
    }
    front = after;
  }
  return reach;
};

const DEPTH_MAX = 5;
const FADE = 0.7;
