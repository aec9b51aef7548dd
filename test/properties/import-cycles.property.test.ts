import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cyclicGroups, edgesWithin, shortestCycle } from '../../src/pipeline/import-cycles.ts';
import type { ImportEdge } from '../../src/pipeline/import-edge.ts';

const files = ['a', 'b', 'c', 'd', 'e', 'f'];
const edge = fc.record({
  from: fc.constantFrom(...files),
  to: fc.constantFrom(...files),
  kind: fc.constant('import' as const),
  line: fc.constant(1),
});
const edges = fc.array(edge, { maxLength: 14 });

/** The oracle: transitive closure by trying every file as a stop. */
const reachable = (given: readonly ImportEdge[]): ((from: string, to: string) => boolean) => {
  const pairs = new Set(given.map(({ from, to }) => from + to));
  for (const stop of files) {
    for (const from of files) {
      for (const to of files) {
        if (pairs.has(from + stop) && pairs.has(stop + to)) pairs.add(from + to);
      }
    }
  }
  return (from, to) => pairs.has(from + to);
};

test('two files are in one group exactly if each reaches the other', () => {
  fc.assert(
    fc.property(edges, (given) => {
      const reaches = reachable(given);
      const groups = cyclicGroups(given);
      for (const left of files) {
        for (const right of files) {
          if (left === right) continue;
          const isTogether = groups.some((group) => group.includes(left) && group.includes(right));
          expect(isTogether).toBe(reaches(left, right) && reaches(right, left));
        }
      }
    }),
  );
});

test('the evidence is a real cycle of existing edges', () => {
  fc.assert(
    fc.property(edges, (given) => {
      const groups = cyclicGroups(given);
      const within = edgesWithin(groups, given);
      for (const [at, group] of groups.entries()) {
        const cycle = shortestCycle(group[0] ?? '', within[at] ?? []);
        expect(cycle.length).toBeGreaterThan(1);
        expect(cycle[0]?.from).toBe(group[0]);
        for (const [index, step] of cycle.entries()) {
          expect(given).toContain(step);
          expect(step.to).toBe(cycle[(index + 1) % cycle.length]?.from);
        }
      }
    }),
  );
});

test('a chain of imports as long as the largest repository does not overflow the stack', () => {
  const length = 100_000;
  const chain = Array.from({ length }, (_, index) => ({
    from: `f${index}`,
    to: `f${(index + 1) % length}`,
    kind: 'import' as const,
    line: 1,
  }));
  expect(cyclicGroups(chain).map((group) => group.length)).toEqual([length]);
});
