import { z } from 'zod';
import { readItems } from './read-items.ts';
import type { ToolRun } from './tool-run.ts';
import { HARDCODED_SECRET } from './weaknesses.ts';

/** What `gitleaks detect --report-format json` writes. Its matches hold the secrets, so they are not read. */
export const readGitleaks = (findings: readonly unknown[]): readonly ToolRun[] => {
  const { items, leftOut } = readItems(findings, leak, '', (one) => [
    {
      rule: one.RuleID,
      category: HARDCODED_SECRET,
      lens: 'security' as const,
      severity: 'high' as const,
      confidence: 'medium' as const,
      message: one.Description,
      place: { path: one.File, line: one.StartLine, endLine: one.EndLine },
    },
  ]);
  return [{ tool: 'gitleaks', items, leftOut }];
};

const path = z.string().min(1);
const line = z.int().positive();
const said = z.string().min(1);
const leak = z.looseObject({
  RuleID: said,
  Description: said,
  File: path,
  StartLine: z
    .int()
    .nonnegative()
    .transform((at) => Math.max(1, at)),
  EndLine: line.optional().catch(undefined),
});
