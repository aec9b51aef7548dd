import { z } from 'zod';
import type { Lens } from '../../domain/vocabulary.ts';
import { isBundledLens } from '../../domain/vocabulary.ts';
import { lensOfRule } from './lens-of-rule.ts';
import { readItems } from './read-items.ts';
import { severityOfWord } from './severities.ts';
import type { ToolRun } from './tool-run.ts';

/**
 * The predecessor's normalised form: `{tool, results: [{id, category, severity, path, summary, …}]}`. Its own
 * adapters wrote severities of all tools into it, so words of all tools are taken.
 */
export const readNormalised = (value: {
  readonly tool: string;
  readonly results: readonly unknown[];
}): readonly ToolRun[] => {
  const { tool } = value;
  const { items, leftOut } = readItems(value.results, result, 'results', (one) => {
    const { id, category, path, summary, rule, line_start: line, line_end: endLine } = one;
    if (endLine !== undefined && endLine < (line ?? 1)) return '"line_end" is before "line_start"';
    const lens = lensOf(tool, rule ?? id, category);
    const severity = severityOfWord(one.severity, lens);
    if (severity === undefined) return `its "severity" is no word that we know`;
    const said = { rule: rule ?? id, lens, severity, confidence: 'medium' as const };
    const isKind = category !== lens && !(category in LENSES);
    return [
      {
        ...said,
        category: isKind ? category : undefined,
        message: summary,
        place: { path, line, endLine },
      },
    ];
  });
  return [{ tool, items, leftOut }];
};

const line = z.int().positive().optional();
const result = z.looseObject({
  id: z.string().min(1),
  category: z.string().min(1),
  severity: z.string().min(1),
  path: z.string().min(1),
  line_start: line,
  line_end: line,
  summary: z.string().min(1),
  rule: z.string().min(1).optional(),
});

/** Words of the predecessor for a point of view, beside our own names of lenses. */
const LENSES: Readonly<Record<string, Lens>> = {
  dependency_risk: 'security',
  tests: 'tests',
  typecheck: 'correctness',
  syntax: 'correctness',
  style: 'maintainability',
  unknown: 'maintainability',
};

const lensOf = (tool: string, rule: string, category: string): Lens => {
  if (isBundledLens(category)) return category;
  return Object.hasOwn(LENSES, category)
    ? (LENSES[category] ?? 'maintainability')
    : lensOfRule({ tool, rule, tags: [category] });
};
