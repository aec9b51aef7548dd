import { z } from 'zod';
import { coverageItems, type FileCoverage } from './coverage-items.ts';
import { readItems } from './read-items.ts';
import type { ToolRun } from './tool-run.ts';

/** What istanbul's reporters `json-summary` and `json` write (nyc, c8, Jest, Vitest). */
export const readIstanbul = (value: object): readonly ToolRun[] => {
  const entries = Object.entries(value).filter(([path]) => path !== 'total');
  const { items: files, leftOut } = readItems(entries, entry, 'file', ([path, said]) => [
    isFinal(said)
      ? fromStatements(path, said)
      : { path, covered: said.lines.covered, total: said.lines.total },
  ]);
  return [{ tool: 'istanbul', items: coverageItems(files), leftOut }];
};

const count = z.int().nonnegative();
const summary = z.looseObject({ lines: z.looseObject({ covered: count, total: count }) });
const final = z.looseObject({
  path: z.string().optional().catch(undefined),
  statementMap: z.record(
    z.string(),
    z.looseObject({ start: z.looseObject({ line: z.int().nonnegative() }) }),
  ),
  s: z.record(z.string(), z.number()),
});
type Final = z.infer<typeof final>;
const isFinal = (said: Final | z.infer<typeof summary>): said is Final => 'statementMap' in said;
const entry = z.tuple([z.string().min(1), z.union([final, summary])]);

export const isIstanbulSummary = (value: unknown): boolean => summary.safeParse(value).success;

/** A line is run when a statement that begins on it is. */
const fromStatements = (path: string, said: Final): FileCoverage => {
  const lines = new Map<number, boolean>();
  for (const [id, { start }] of Object.entries(said.statementMap)) {
    if (start.line > 0) {
      lines.set(start.line, (said.s[id] ?? 0) > 0 || lines.get(start.line) === true);
    }
  }
  let covered = 0;
  let firstUncovered: number | undefined;
  for (const [line, isRun] of lines) {
    if (isRun) covered += 1;
    else if (firstUncovered === undefined || line < firstUncovered) firstUncovered = line;
  }
  return { path: said.path ?? path, covered, total: lines.size, firstUncovered };
};
