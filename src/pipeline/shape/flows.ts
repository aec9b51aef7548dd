import { z } from 'zod';
import { compareText } from '../../std/canonical-json.ts';
import type { ImportEdge } from '../import-edge.ts';
import { sinkFact, sinkKind, type SinkFact } from './sinks.ts';
import { surface, type Surface } from './surfaces.ts';

/** One way from an entrance along imports to a file that touches something that matters. */
export const flow = z.object({
  surface: surface.pick({ kind: true, path: true, line: true, name: true }),
  sink: sinkFact.extend({ path: z.string() }),
  /** Files from the entrance to the sink, both included; each imports the next. */
  path: z.array(z.string()).min(1),
  confidence: z.number().min(0).max(1),
});
export type Flow = z.infer<typeof flow>;

export type Flows = { readonly flows: Flow[]; readonly leftOut: number };

/**
 * Flows by search from each file with entrances, in the direction of its run-time imports: for each
 * kind of sink the nearest file that touches it, if it is at most `DEPTH_MAX` imports and `REACH_MAX`
 * files away. So there are at most as many flows as there are such files times kinds of sinks, and the
 * cost is linear in the files with entrances. The surest come first; those beyond `FLOWS_MAX` are
 * counted.
 *
 * Confidence is that of the entrance, of the sink, and of each edge; each import further takes a tenth,
 * since what a file imports is not what one of its entrances does.
 */
export const deriveFlows = (given: {
  readonly surfaces: readonly Surface[];
  readonly sinks: ReadonlyMap<string, readonly SinkFact[]>;
  readonly edges: readonly ImportEdge[];
  /** Files that no flow goes through: tests. */
  readonly isOutside: (path: string) => boolean;
}): Flows => {
  const next = runTimeNeighbours(given.edges, given.isOutside);
  const entrances = new Map<string, Surface>();
  for (const one of given.surfaces) {
    const known = entrances.get(one.path);
    if (known === undefined || isStronger(one, known)) entrances.set(one.path, one);
  }
  const flows = [...entrances.values()].flatMap((entrance) =>
    flowsFrom(entrance, next, given.sinks),
  );
  const sorted = flows.toSorted(
    (left, right) =>
      right.confidence * WEIGHT[right.sink.kind] - left.confidence * WEIGHT[left.sink.kind] ||
      compareText(left.surface.path, right.surface.path) ||
      compareText(left.sink.path, right.sink.path) ||
      compareText(left.sink.kind, right.sink.kind),
  );
  return { flows: sorted.slice(0, FLOWS_MAX), leftOut: Math.max(0, sorted.length - FLOWS_MAX) };
};

export const FLOWS_MAX = 500;
const DEPTH_MAX = 5;
const REACH_MAX = 400;

/** What a defect there would cost, against one in authentication or payment. */
const WEIGHT: Readonly<Record<z.infer<typeof sinkKind>, number>> = {
  auth: 1,
  money: 1,
  processes: 0.9,
  persistence: 0.7,
  files: 0.5,
  network: 0.3,
};

/** Of the entrances of one file the surest stands for all. */
const isStronger = (one: Surface, known: Surface): boolean =>
  one.confidence > known.confidence ||
  (one.confidence === known.confidence && one.kind !== 'api' && known.kind === 'api');

type Step = { readonly path: string; readonly confidence: number };

const runTimeNeighbours = (
  edges: readonly ImportEdge[],
  isOutside: (path: string) => boolean,
): ReadonlyMap<string, readonly Step[]> => {
  const next = new Map<string, Step[]>();
  for (const { from, to, kind, confidence = 1 } of edges) {
    if (kind === 'type' || from === to || isOutside(from) || isOutside(to)) continue;
    const step = { path: to, confidence };
    const known = next.get(from);
    if (known === undefined) next.set(from, [step]);
    else known.push(step);
  }
  return next;
};

type Visit = {
  readonly path: string;
  readonly depth: number;
  readonly confidence: number;
  readonly by: Visit | undefined;
};

const flowsFrom = (
  entrance: Surface,
  next: ReadonlyMap<string, readonly Step[]>,
  sinks: ReadonlyMap<string, readonly SinkFact[]>,
): readonly Flow[] => {
  const found = new Map<SinkFact['kind'], Flow>();
  const seen = new Set([entrance.path]);
  const queue: Visit[] = [
    { path: entrance.path, depth: 0, confidence: entrance.confidence, by: undefined },
  ];
  for (let at = 0; at < queue.length; at += 1) {
    const visit = queue[at];
    if (visit === undefined) break;
    for (const sink of sinks.get(visit.path) ?? []) {
      if (found.has(sink.kind)) continue;
      const { kind, path, line, name } = entrance;
      found.set(sink.kind, {
        surface: { kind, path, line, name },
        sink: { ...sink, path: visit.path },
        path: pathOf(visit),
        confidence: round(visit.confidence * sink.confidence),
      });
    }
    if (visit.depth === DEPTH_MAX || found.size === sinkKind.options.length) continue;
    for (const step of next.get(visit.path) ?? []) {
      if (seen.size >= REACH_MAX) break;
      if (seen.has(step.path)) continue;
      seen.add(step.path);
      queue.push({
        path: step.path,
        depth: visit.depth + 1,
        confidence: visit.confidence * step.confidence * 0.9,
        by: visit,
      });
    }
  }
  return [...found.values()];
};

const pathOf = (visit: Visit): string[] => {
  const path: string[] = [];
  for (let at: Visit | undefined = visit; at !== undefined; at = at.by) path.push(at.path);
  return path.toReversed();
};

const round = (value: number): number => Math.round(value * 1000) / 1000;
