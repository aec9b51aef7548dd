import { z } from 'zod';
import { readItems } from './read-items.ts';
import { severityOfWord } from './severities.ts';
import type { ToolRun } from './tool-run.ts';

/** What `shellcheck -f json1` (and `-f json`, the list alone) writes. */
export const readShellcheck = (comments: readonly unknown[]): readonly ToolRun[] => {
  const { items, leftOut } = readItems(comments, comment, 'comments', (one) => [
    {
      rule: `SC${one.code}`,
      lens: one.level === 'style' ? ('maintainability' as const) : ('correctness' as const),
      severity: severityOfWord(one.level, 'correctness') ?? 'low',
      confidence: 'medium' as const,
      message: one.message,
      place: { path: one.file, line: one.line, endLine: one.endLine },
      help: `https://www.shellcheck.net/wiki/SC${one.code}`,
    },
  ]);
  return [{ tool: 'shellcheck', items, leftOut }];
};

const path = z.string().min(1);
const line = z.int().positive();
const said = z.string().min(1);
const comment = z.looseObject({
  file: path,
  line,
  endLine: line.optional().catch(undefined),
  level: z.string(),
  code: z.int().positive(),
  message: said,
});
