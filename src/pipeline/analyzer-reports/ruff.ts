import { z } from 'zod';
import { lensOfRule } from './lens-of-rule.ts';
import { readItems } from './read-items.ts';
import type { ToolRun } from './tool-run.ts';
import { HARDCODED_SECRET } from './weaknesses.ts';

/** What `ruff check --output-format json` writes. */
export const readRuff = (diagnostics: readonly unknown[]): readonly ToolRun[] => {
  const { items, leftOut } = readItems(diagnostics, diagnostic, '', (one) => {
    const rule = one.code ?? 'invalid-syntax';
    const lens = lensOfRule({ tool: 'ruff', rule });
    const isSecret = /^S10[567]$/.test(rule);
    return [
      {
        rule,
        category: isSecret ? HARDCODED_SECRET : undefined,
        lens,
        severity:
          lens === 'security' || lens === 'correctness' ? ('medium' as const) : ('low' as const),
        confidence: 'medium' as const,
        message: isSecret ? 'Possibly a password that stands in the code.' : one.message,
        place: { path: one.filename, line: one.location.row, endLine: one.end_location?.row },
        help: one.url ?? undefined,
      },
    ];
  });
  return [{ tool: 'ruff', items, leftOut }];
};

const path = z.string().min(1);
const line = z.int().positive();
const said = z.string().min(1);
const row = z.looseObject({ row: line });
const diagnostic = z.looseObject({
  code: z.string().nullish(),
  filename: path,
  message: said,
  location: row,
  end_location: row.optional().catch(undefined),
  url: z.string().nullish().catch(undefined),
});
