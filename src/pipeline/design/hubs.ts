import type { ImportEdge } from '../import-edge.ts';
import type { Assessment } from './assessment.ts';
import { percentile } from './percentile.ts';

/** How many different files need a file, and how many it needs. */
export type Fans = { readonly fanIn: number; readonly fanOut: number };

export const fansOf = (edges: readonly ImportEdge[]): ReadonlyMap<string, Fans> => {
  const pairs = new Set<string>();
  const fans = new Map<string, { fanIn: number; fanOut: number }>();
  const of = (path: string) => {
    const known = fans.get(path) ?? { fanIn: 0, fanOut: 0 };
    fans.set(path, known);
    return known;
  };
  for (const { from, to, kind } of edges) {
    if (kind === 'type' || from === to || pairs.has(`${from}\n${to}`)) continue;
    pairs.add(`${from}\n${to}`);
    of(from).fanOut += 1;
    of(to).fanIn += 1;
  }
  return fans;
};

/**
 * `hub`: a file that many need and that needs many, so that most changes reach it and it passes them
 * on. Both counts must be among the highest twentieth of the files with edges, and at least
 * `FAN_MIN`; from `FAN_ENOUGH` on the comparison is not asked, so that large repositories have hubs
 * too. A file that does little but pass on (fewer than `LINES_AN_IMPORT` lines for each) is a list.
 */
export const assessHubs = (
  edges: readonly ImportEdge[],
  linesOf: (path: string) => number,
): readonly Assessment[] => {
  const fans = fansOf(edges);
  const all = [...fans.values()];
  const bound = (counts: readonly number[]): number =>
    Math.min(FAN_ENOUGH, Math.max(FAN_MIN, percentile(counts, 0.95)));
  const inMin = bound(all.map(({ fanIn }) => fanIn));
  const outMin = bound(all.map(({ fanOut }) => fanOut));
  const firstLine = new Map<string, ImportEdge>();
  const needs = new Map<string, ImportEdge[]>();
  for (const edge of edges) {
    if (edge.kind === 'type') continue;
    if (!firstLine.has(edge.to)) firstLine.set(edge.to, edge);
    const known = needs.get(edge.from) ?? [];
    if (known.length < 3) needs.set(edge.from, [...known, edge]);
  }
  return [...fans].flatMap(([path, { fanIn, fanOut }]): readonly Assessment[] => {
    if (fanIn < inMin || fanOut < outMin || linesOf(path) < LINES_AN_IMPORT * fanOut) return [];
    const sample = firstLine.get(path);
    return [
      {
        rule: 'hub',
        statement: `${fanIn} files need this file and it needs ${fanOut} others (from ${inMin} and ${outMin} on it is told).`,
        paths: [path],
        evidence: [
          ...(sample === undefined
            ? []
            : [{ path: sample.from, line: sample.line, note: 'the first of those that need it' }]),
          ...(needs.get(path) ?? []).map(({ line, to }) => ({
            path,
            line,
            note: `one of those that it needs: ${to}`,
          })),
        ],
        figures: { fanIn, fanOut, fanInMin: inMin, fanOutMin: outMin, lines: linesOf(path) },
        strength: Math.sqrt(fanIn * fanOut),
      },
    ];
  });
};

const FAN_MIN = 8;
const FAN_ENOUGH = 40;
const LINES_AN_IMPORT = 5;
