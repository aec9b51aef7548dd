import { z } from 'zod';
import { compareText } from '../../std/canonical-json.ts';

/** Which rule spoke. What each of them asks for stands at the function that applies it. */
export const assessmentRule = z.enum([
  'loading-cycle',
  'deferred-cycle',
  'package-cycle',
  'hub',
  'source-needs-test',
  'undeclared-package',
  'reaches-into-package',
  'forbidden-dependency',
  'god-file',
  'untested-flow',
  'no-tests',
  'duplication',
  'changes-together',
]);
export type AssessmentRule = z.infer<typeof assessmentRule>;

/**
 * One thing about the shape of the code that a person can check: the rule, the figures that made it
 * speak, and the lines that show it. Sentences hold no text of the repository; that is in `paths`.
 */
export const assessment = z.object({
  rule: assessmentRule,
  statement: z.string(),
  /** The files that it is about, the most telling first. */
  paths: z.array(z.string()).min(1),
  /** Lines that show it, at most `EVIDENCE_MAX`. `note` says what stands there. */
  evidence: z.array(z.object({ path: z.string(), line: z.int().positive(), note: z.string() })),
  figures: z.record(z.string(), z.number()),
  /** Among those of its rule; from 0, without an end. */
  strength: z.number().nonnegative(),
});
export type Assessment = z.infer<typeof assessment>;

export const EVIDENCE_MAX = 12;

/** More of one rule than this nobody reads; the strongest stay, and the others are counted. */
export const PER_RULE_MAX = 10;

export const strongest = (
  found: readonly Assessment[],
): { readonly kept: readonly Assessment[]; readonly leftOut: number } => {
  const kept = found
    .toSorted(
      (left, right) =>
        right.strength - left.strength ||
        compareText(left.paths.join('\n'), right.paths.join('\n')) ||
        compareText(left.statement, right.statement),
    )
    .slice(0, PER_RULE_MAX);
  return { kept, leftOut: found.length - kept.length };
};
