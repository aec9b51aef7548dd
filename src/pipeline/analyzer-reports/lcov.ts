import { coverageItems, type FileCoverage } from './coverage-items.ts';
import { createLeftOut } from './left-out.ts';
import type { ToolRun } from './tool-run.ts';

/** Whether a text looks like a tracefile of lcov: its first record says a test's name or a file. */
export const isLcov = (text: string): boolean =>
  /^\s*(?:TN:|SF:|#[^\n]*\n\s*(?:TN:|SF:))/.test(text.slice(0, 2000));

/**
 * A tracefile of lcov, as many coverage tools write it. A file may stand there once for each test:
 * its lines are joined.
 */
export const readLcov = (text: string): readonly ToolRun[] => {
  const files = new Map<string, Record>();
  const leftOut = createLeftOut();
  let current: Record | undefined;
  let number = 0;
  for (const line of linesOf(text)) {
    number += 1;
    const colon = line.indexOf(':');
    const [key, value] = colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1)];
    if (key === 'SF') {
      current = files.get(value) ?? { hits: new Map(), covered: 0, total: 0 };
      files.set(value, current);
    } else if (key === 'end_of_record') current = undefined;
    else if (current === undefined) {
      if (COUNTED.has(key)) leftOut.add('a record that belongs to no file', `line ${number}`);
    } else if (key === 'DA')
      takeLine(current, value, () =>
        leftOut.add('a line without a number or a count', `line ${number}`),
      );
    else if (key === 'LF') current.total = Math.max(current.total, countOf(value));
    else if (key === 'LH') current.covered = Math.max(current.covered, countOf(value));
  }
  return [{ tool: 'lcov', items: coverageItems(summed(files)), leftOut: leftOut.list() }];
};

const COUNTED: ReadonlySet<string> = new Set(['DA', 'LF', 'LH']);

type Record = { readonly hits: Map<number, boolean>; covered: number; total: number };

const takeLine = (record: Record, value: string, onBad: () => void): void => {
  const [, line, count] = /^(\d{1,9}),(-?\d+)/.exec(value) ?? [];
  if (line === undefined || count === undefined || Number(line) === 0) onBad();
  else record.hits.set(Number(line), Number(count) > 0 || record.hits.get(Number(line)) === true);
};

const countOf = (value: string): number => (/^\d{1,9}$/.test(value.trim()) ? Number(value) : 0);

/** Lines that stand there count; where there are only sums, these. */
function* summed(files: ReadonlyMap<string, Record>): Generator<FileCoverage> {
  for (const [path, { hits, covered, total }] of files) {
    if (hits.size === 0) yield { path, covered: Math.min(covered, total), total };
    else {
      let run = 0;
      let firstUncovered: number | undefined;
      for (const [line, isRun] of hits) {
        if (isRun) run += 1;
        else if (firstUncovered === undefined || line < firstUncovered) firstUncovered = line;
      }
      yield { path, covered: run, total: hits.size, firstUncovered };
    }
  }
}

/** One at a time: a tracefile has millions. */
function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end < 0 ? text.length : end);
    yield line.endsWith('\r') ? line.slice(0, -1) : line;
    start = end < 0 ? text.length : end + 1;
  }
}
