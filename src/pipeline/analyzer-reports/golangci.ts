import { z } from 'zod';
import { readItems } from './read-items.ts';
import { severityOfWord } from './severities.ts';
import type { ToolRun } from './tool-run.ts';

/** What `golangci-lint run --out-format json` (from 2 on `--output.json.path stdout`) writes. */
export const readGolangci = (issues: readonly unknown[]): readonly ToolRun[] => {
  const { items, leftOut } = readItems(issues, issue, 'Issues', (one) => {
    const isSecurity = one.FromLinter === 'gosec';
    const lens = isSecurity
      ? ('security' as const)
      : WRONG_IN_GO.has(one.FromLinter)
        ? ('correctness' as const)
        : ('maintainability' as const);
    const severity = severityOfWord(one.Severity === '' ? 'warning' : one.Severity, lens);
    return [
      {
        rule: isSecurity ? (/^G\d{3}/.exec(one.Text)?.[0] ?? 'gosec') : one.FromLinter,
        lens,
        severity: severity ?? 'low',
        confidence: 'medium' as const,
        message: one.Text,
        place: { path: one.Pos.Filename, line: one.Pos.Line },
      },
    ];
  });
  return [{ tool: 'golangci-lint', items, leftOut }];
};

const path = z.string().min(1);
const line = z.int().positive();
const said = z.string().min(1);
const WRONG_IN_GO: ReadonlySet<string> = new Set(
  'govet staticcheck errcheck typecheck bodyclose nilerr sqlclosecheck rowserrcheck contextcheck'.split(
    ' ',
  ),
);
const issue = z.looseObject({
  FromLinter: said,
  Text: said,
  Severity: z
    .string()
    .optional()
    .catch('')
    .transform((word) => word ?? ''),
  Pos: z.looseObject({ Filename: path, Line: line }),
});
