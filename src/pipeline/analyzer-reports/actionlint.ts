import { z } from 'zod';
import { readItems } from './read-items.ts';
import type { ToolRun } from './tool-run.ts';

/** What `actionlint -format '{{json .}}'` writes. */
export const readActionlint = (errors: readonly unknown[]): readonly ToolRun[] => {
  const { items, leftOut } = readItems(errors, lintError, '', (one) => {
    // It looks for scripts that untrusted events can write into.
    const isInjection = one.kind === 'expression' && /potentially untrusted/.test(one.message);
    return [
      {
        rule: one.kind,
        category: isInjection ? 'command-injection' : undefined,
        lens: isInjection ? ('security' as const) : ('correctness' as const),
        severity: isInjection ? ('high' as const) : ('medium' as const),
        confidence: 'high' as const,
        message: one.message,
        place: { path: one.filepath, line: Math.max(1, one.line) },
      },
    ];
  });
  return [{ tool: 'actionlint', items, leftOut }];
};

const path = z.string().min(1);
const said = z.string().min(1);
const lintError = z.looseObject({
  message: said,
  filepath: path,
  line: z.int().nonnegative(),
  kind: said,
});
