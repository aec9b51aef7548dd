import type { TaskResult } from '../domain/finding.ts';
import type { FindingId } from '../domain/ids.ts';
import type { Synthesis } from '../domain/synthesis.ts';
import { deriveCoverage, type TaskOutcome } from './coverage.ts';
import { mergeFindings, type FindingVerdict } from './merge-findings.ts';
import type { Plan } from './planning.ts';

export type SynthesisInput = {
  readonly plan: Plan;
  /** Every task of the current plan and what became of it. */
  readonly outcomes: readonly TaskOutcome[];
  /** The accepted results of tasks that still hold, in any order. */
  readonly results: readonly TaskResult[];
  readonly verdicts: ReadonlyMap<FindingId, FindingVerdict>;
};

/** Joins what was found and says what was looked at. Nothing depends on the order of completion. */
export const synthesize = (input: SynthesisInput): Synthesis => ({
  findings: mergeFindings(input.results, input.verdicts),
  coverage: deriveCoverage(input.plan, input.outcomes),
});
