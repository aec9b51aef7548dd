import { assert } from '../std/assert.ts';
import { compareText } from '../std/canonical-json.ts';
import type { PlannedTask } from '../domain/events.ts';
import {
  CELL_STATES,
  type CellCounts,
  type CellState,
  type Coverage,
  type GapGroup,
} from '../domain/synthesis.ts';
import type { Lens, Reviewer } from '../domain/vocabulary.ts';
import { createCellGroups } from './cell-groups.ts';
import type { Plan } from './planning.ts';

/** What became of a task, as the log says. */
export type TaskOutcome = {
  readonly task: Pick<PlannedTask, 'id' | 'lens' | 'paths' | 'ranges' | 'kind'>;
  readonly state:
    | { readonly kind: 'accepted'; readonly reviewer: Reviewer }
    | { readonly kind: 'abandoned'; readonly reason: string }
    | { readonly kind: 'open'; readonly reason: string }
    /** Its files have changed since; what was said of it does not count any more. */
    | { readonly kind: 'stale'; readonly reason: string };
};

/**
 * Counts the (file, lens) cells, each in exactly one state. A cell that several tasks share is what
 * the best of them made of it; one whose file was cut is what the worst of its parts is: reviewed when
 * all of them are. Only review tasks count: design and narrative look at no cell.
 *
 * @throws {InvariantViolation} when the plan's cells and the tasks' do not make up the whole.
 */
export const deriveCoverage = (plan: Plan, outcomes: readonly TaskOutcome[]): Coverage => {
  const cells = new Map<string, Map<Lens, Cell>>();
  for (const { task, state } of outcomes) {
    if (task.kind !== 'review') continue;
    const cell = cellOf(state);
    const inPart = new Set(task.ranges?.map(({ path }) => path));
    for (const path of task.paths) {
      const row = cells.get(path) ?? new Map<Lens, Cell>();
      cells.set(path, row);
      const known = row.get(task.lens);
      if (known === undefined || isTaken(cell, known, inPart.has(path))) row.set(task.lens, cell);
    }
  }
  const table = new Map(plan.lenses.map((lens) => [lens, noCells()]));
  const count = (lens: Lens, state: CellState, by: number): void => {
    const counts = table.get(lens);
    assert(counts !== undefined, 'a task has a lens that the plan asked for');
    counts[state] += by;
  };
  const gaps = createCellGroups<Pick<GapGroup, 'state' | 'reason'>>();
  for (const { reason, lenses, files } of plan.unchecked) {
    for (const path of files) gaps.add(path, lenses, { state: 'notReviewed', reason });
    for (const lens of lenses) count(lens, 'notReviewed', files.length);
  }
  let looked = 0;
  for (const [path, row] of cells) {
    for (const [lens, { state, reason }] of row) {
      count(lens, state, 1);
      if (state === 'failed' || state === 'notReviewed') gaps.add(path, [lens], { state, reason });
    }
    if ([...row.values()].some((cell) => isLook(cell.state))) looked += 1;
  }
  for (const group of plan.skipped) {
    for (const lens of group.lenses) count(lens, 'skipped', group.files.length);
  }
  for (const counts of table.values()) {
    assert(sumOf(counts) === plan.files, 'each file is in exactly one cell of each lens');
  }
  const counts = noCells();
  for (const state of CELL_STATES) {
    for (const one of table.values()) counts[state] += one[state];
  }
  return {
    cells: plan.files * plan.lenses.length,
    counts,
    byLens: plan.lenses.map((lens) => ({ lens, ...(table.get(lens) ?? noCells()) })),
    files: { total: plan.files, looked, unreadable: plan.unreadable },
    skipped: plan.skipped,
    gaps: gaps.list(),
  };
};

type Counts = { -readonly [S in keyof CellCounts]: number };
type Cell = { readonly state: Exclude<CellState, 'skipped'>; readonly reason: string };

const noCells = (): Counts => ({
  reviewed: 0,
  analyzersOnly: 0,
  failed: 0,
  notReviewed: 0,
  skipped: 0,
});

const cellOf = (state: TaskOutcome['state']): Cell => {
  switch (state.kind) {
    case 'accepted':
      return {
        state: state.reviewer === 'agent' ? 'reviewed' : 'analyzersOnly',
        reason: '',
      };
    case 'abandoned':
      return { state: 'failed', reason: state.reason };
    case 'open':
    case 'stale':
      return { state: 'notReviewed', reason: state.reason };
  }
};

/** Of equals that reason which comes first as a text, so that the order of tasks says nothing. */
const isTaken = (cell: Cell, known: Cell, isPart: boolean): boolean => {
  const better = rank(known) - rank(cell);
  if (better === 0) return compareText(cell.reason, known.reason) < 0;
  return isPart ? better < 0 : better > 0;
};

const rank = (cell: Cell): number => CELL_STATES.indexOf(cell.state);
const isLook = (state: CellState): boolean => state === 'reviewed' || state === 'analyzersOnly';
const sumOf = (counts: CellCounts): number =>
  CELL_STATES.reduce((sum, state) => sum + counts[state], 0);
