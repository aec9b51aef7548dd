import type { Bond } from './agglomerate.ts';
import type { ImportEdge } from './import-edge.ts';
import type { TestLink } from './shape/test-links.ts';

/** What is known of an edge; older graphs say less. */
export type RelatedEdge = Pick<ImportEdge, 'from' | 'to' | 'kind'> & {
  readonly confidence?: number | undefined;
};

/** A test and what it is about. */
export type RelatedTest = Readonly<TestLink>;

/**
 * How strongly files belong together, for the question what one reviewer should have before them: by
 * who needs whom, by tests that are called after what they test, and by names that are the same but for their endings (`pay.ts`, `pay.test.ts`,
 * `pay.css` in one folder).
 *
 * What everybody needs says little about anybody: a bond is divided by the root of how many need the
 * one and how many the other needs. Only square roots, since those are the same on any machine.
 *
 * @param paths sorted; bonds name them by index, the lower one first, each pair once.
 */
export const bondsBetween = (
  paths: readonly string[],
  edges: readonly RelatedEdge[],
  tests: readonly RelatedTest[] = [],
): readonly Bond[] => {
  const indexes = new Map(paths.map((path, index) => [path, index]));
  const needs = new Map<string, number>();
  const needed = new Map<string, number>();
  for (const { from, to } of edges) {
    needs.set(from, (needs.get(from) ?? 0) + 1);
    needed.set(to, (needed.get(to) ?? 0) + 1);
  }
  const weights = new Map<number, number>();
  const add = (one: number, other: number, weight: number): void => {
    const key = Math.min(one, other) * paths.length + Math.max(one, other);
    weights.set(key, (weights.get(key) ?? 0) + weight);
  };
  for (const edge of edges) {
    const from = indexes.get(edge.from);
    const to = indexes.get(edge.to);
    if (from === undefined || to === undefined || from === to) continue;
    const crowd = (needs.get(edge.from) ?? 1) * (needed.get(edge.to) ?? 1);
    add(from, to, (KIND_WEIGHT[edge.kind] * (edge.confidence ?? 1)) / Math.sqrt(crowd));
  }
  for (const { test, source, by, confidence } of tests) {
    const one = indexes.get(test);
    const other = indexes.get(source);
    // Tests that import their source are bound to it by that.
    if (by === 'import' || one === undefined || other === undefined || one === other) continue;
    add(one, other, TEST_WEIGHT * confidence);
  }
  const byStem = new Map<string, number>();
  for (const [index, path] of paths.entries()) {
    const stem = stemOf(path);
    if (stem === undefined) continue;
    const before = byStem.get(stem);
    if (before !== undefined) add(before, index, SAME_STEM_WEIGHT);
    byStem.set(stem, index);
  }
  return [...weights].map(([key, weight]) => ({
    from: Math.floor(key / paths.length),
    to: key % paths.length,
    weight,
  }));
};

const KIND_WEIGHT: Readonly<Record<ImportEdge['kind'], number>> = {
  import: 1,
  require: 1,
  module: 1,
  type: 0.7,
  dynamic: 0.7,
  reference: 0.4,
};
const SAME_STEM_WEIGHT = 1;
const TEST_WEIGHT = 1;

/** Folder and name up to its first dot; none for names that begin with one. */
const stemOf = (path: string): string | undefined => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.indexOf('.');
  return dot <= 0 ? undefined : path.slice(0, path.length - name.length + dot);
};
