import { z } from 'zod';
import { readItems } from './read-items.ts';
import { confidenceOfWord, severityOfWord } from './severities.ts';
import type { ToolRun } from './tool-run.ts';
import { categoryOfWeakness, HARDCODED_SECRET } from './weaknesses.ts';

/** What `bandit -f json` writes. */
export const readBandit = (value: { readonly results: readonly unknown[] }): readonly ToolRun[] => {
  const { items, leftOut } = readItems(value.results, result, 'results', (one) => {
    const isSecret = PASSWORD_TESTS.has(one.test_id);
    return [
      {
        rule: one.test_id,
        category: isSecret ? HARDCODED_SECRET : categoryOfWeakness([one.issue_cwe?.id]),
        lens: 'security' as const,
        severity: severityOfWord(one.issue_severity, 'security') ?? 'low',
        confidence: confidenceOfWord(one.issue_confidence) ?? 'medium',
        // These three say the password itself.
        message: isSecret ? 'Possibly a password that stands in the code.' : one.issue_text,
        place: { path: one.filename, line: one.line_number, endLine: one.line_range?.at(-1) },
        help: one.more_info,
      },
    ];
  });
  return [{ tool: 'bandit', items, leftOut }];
};

const PASSWORD_TESTS: ReadonlySet<string> = new Set(['B105', 'B106', 'B107']);

const result = z.looseObject({
  test_id: z.string().min(1),
  filename: z.string().min(1),
  line_number: z.int().positive(),
  line_range: z.array(z.int().positive()).optional().catch(undefined),
  issue_text: z.string().min(1),
  issue_severity: z.string(),
  issue_confidence: z.string().optional().catch(undefined),
  issue_cwe: z.looseObject({ id: z.int().optional() }).optional().catch(undefined),
  more_info: z.string().optional().catch(undefined),
});
