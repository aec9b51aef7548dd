import type { ReportedItem } from './tool-run.ts';

/** Below this share of its lines a file is worth a lead; below the other, a heavier one. */
export const COVERED_MIN = 0.8;
const COVERED_HALF = 0.5;

export type FileCoverage = {
  readonly path: string;
  readonly covered: number;
  readonly total: number;
  /** The first line that no test runs, where the report says. */
  readonly firstUncovered?: number | undefined;
};

/** A lead for each file of which tests run too little. Files without a line that could be run have none. */
export const coverageItems = (files: Iterable<FileCoverage>): readonly ReportedItem[] => {
  const items: ReportedItem[] = [];
  for (const { path, covered, total, firstUncovered } of files) {
    if (total <= 0 || covered / total >= COVERED_MIN) continue;
    const first =
      firstUncovered === undefined ? '' : `, the first other one is line ${firstUncovered}`;
    items.push({
      rule: 'low-coverage',
      category: 'untested-code',
      lens: 'tests',
      severity: covered / total < COVERED_HALF ? 'medium' : 'low',
      confidence: 'high',
      message: `Tests run ${Math.floor((covered / total) * 100)} % of its lines (${covered} of ${total}${first}).`,
      place: { path, line: firstUncovered },
      help: 'Test what is not run yet, the risky parts first.',
    });
  }
  return items;
};
