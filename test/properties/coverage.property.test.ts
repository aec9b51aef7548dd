import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { GapGroup } from '../../src/domain/synthesis.ts';
import type { Lens } from '../../src/domain/vocabulary.ts';
import { deriveCoverage, type TaskOutcome } from '../../src/pipeline/coverage.ts';
import type { Plan } from '../../src/pipeline/planning.ts';
import { taskIdOf } from '../helpers/samples.ts';

const LENSES: readonly Lens[] = ['security', 'correctness', 'tests'];

const stateArbitrary = fc.constantFrom<TaskOutcome['state']>(
  { kind: 'accepted', reviewer: 'agent' },
  { kind: 'accepted', reviewer: 'analyzers' },
  { kind: 'abandoned', reason: 'three attempts failed' },
  { kind: 'open', reason: 'not reviewed yet' },
  { kind: 'stale', reason: 'the file changed' },
);

/** What becomes of one cell: the tasks that look at it, or why there is none. */
type CellPlan =
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'unchecked'; readonly reason: string }
  /** Several tasks look at the same whole file. */
  | { readonly kind: 'shared'; readonly states: readonly TaskOutcome['state'][] }
  /** The file is cut, and each task looks at a part. */
  | { readonly kind: 'cut'; readonly states: readonly TaskOutcome['state'][] };

const cellArbitrary: fc.Arbitrary<CellPlan> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('skipped' as const, 'unchecked' as const),
    reason: fc.constantFrom('binary', 'not asked of prose'),
  }),
  fc.record({
    kind: fc.constantFrom('shared' as const, 'cut' as const),
    states: fc.array(stateArbitrary, { minLength: 1, maxLength: 3 }),
  }),
);

const treeArbitrary = fc.array(fc.tuple(...LENSES.map(() => cellArbitrary)), { maxLength: 8 });

type Counted = 'reviewed' | 'analyzersOnly' | 'failed' | 'notReviewed' | 'skipped';

/** From the best to the worst: said here once more, so that the code has an oracle. */
const ORDER: readonly Counted[] = ['reviewed', 'analyzersOnly', 'failed', 'notReviewed'];
const countedAs = (state: TaskOutcome['state']): Counted => {
  if (state.kind === 'accepted') return state.reviewer === 'agent' ? 'reviewed' : 'analyzersOnly';
  return state.kind === 'abandoned' ? 'failed' : 'notReviewed';
};
const expected = (cell: CellPlan): Counted => {
  if (cell.kind === 'skipped') return 'skipped';
  if (cell.kind === 'unchecked') return 'notReviewed';
  const ranks = cell.states.map((state) => ORDER.indexOf(countedAs(state)));
  const rank = cell.kind === 'shared' ? Math.min(...ranks) : Math.max(...ranks);
  return ORDER[rank] ?? 'notReviewed';
};

const coverageOf = (tree: readonly (readonly CellPlan[])[]) => {
  const outcomes: TaskOutcome[] = [];
  const groups = { skipped: [] as Plan['skipped'], unchecked: [] as Plan['unchecked'] };
  for (const [file, row] of tree.entries()) {
    for (const [index, cell] of row.entries()) {
      const path = `f${file}`;
      const lens = LENSES[index] ?? 'security';
      if (cell.kind === 'skipped') {
        const { reason } = cell;
        groups.skipped.push({ by: 'disposition', reason, lenses: [lens], files: [path] });
      } else if (cell.kind === 'unchecked') {
        groups.unchecked.push({ reason: cell.reason, lenses: [lens], files: [path] });
      } else {
        for (const [part, state] of cell.states.entries()) {
          const ranges = [{ path, line: part * 10 + 1, endLine: part * 10 + 10 }];
          outcomes.push({
            task: {
              id: taskIdOf(outcomes.length),
              kind: 'review',
              lens,
              paths: [path],
              ...(cell.kind === 'cut' && { ranges }),
            },
            state,
          });
        }
      }
    }
  }
  const plan: Plan = {
    lenses: [...LENSES],
    files: tree.length,
    tasks: outcomes.length,
    packets: 1,
    tokens: 1,
    unreadable: [],
    ...groups,
  };
  return { plan, outcomes, coverage: deriveCoverage(plan, outcomes) };
};

const cellsOf = (groups: readonly Pick<GapGroup, 'lenses' | 'files'>[]): readonly string[] =>
  groups.flatMap(({ lenses, files }) =>
    files.flatMap((file) => lenses.map((lens) => `${file} ${lens}`)),
  );

test('coverage reconciles: every cell is in one state, and all sums and lists say the same (W84)', () => {
  fc.assert(
    fc.property(treeArbitrary, (tree) => {
      const { coverage } = coverageOf(tree);
      const { counts, byLens, cells } = coverage;
      const wanted = { reviewed: 0, analyzersOnly: 0, failed: 0, notReviewed: 0, skipped: 0 };
      for (const cell of tree.flat()) wanted[expected(cell)] += 1;
      expect(counts).toEqual(wanted);
      expect(cells).toBe(tree.length * LENSES.length);
      for (const state of [...ORDER, 'skipped'] as const) {
        expect(byLens.reduce((sum, row) => sum + row[state], 0)).toBe(counts[state]);
      }
      for (const { lens: _, ...row } of byLens) {
        expect(Object.values(row).reduce((sum, count) => sum + count, 0)).toBe(tree.length);
      }
      const failed = cellsOf(coverage.gaps.filter(({ state }) => state === 'failed'));
      const open = cellsOf(coverage.gaps.filter(({ state }) => state === 'notReviewed'));
      const skipped = cellsOf(coverage.skipped);
      expect([failed.length, open.length, skipped.length]).toEqual([
        counts.failed,
        counts.notReviewed,
        counts.skipped,
      ]);
      const listed = [...failed, ...open, ...skipped];
      expect(new Set(listed).size).toBe(listed.length);
    }),
  );
});

test('coverage does not depend on the order of tasks, and design tasks look at no cell', () => {
  fc.assert(
    fc.property(treeArbitrary, (tree) => {
      const { plan, outcomes, coverage } = coverageOf(tree);
      const design: TaskOutcome = {
        task: { id: taskIdOf(999), kind: 'design', lens: 'architecture', paths: ['f0'] },
        state: { kind: 'accepted', reviewer: 'agent' },
      };
      expect(deriveCoverage(plan, [design, ...outcomes.toReversed()])).toEqual(coverage);
    }),
  );
});
