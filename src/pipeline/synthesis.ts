import type { PlannedTask } from '../domain/events.ts';
import type { Lead, TaskResult } from '../domain/finding.ts';
import type { FindingId } from '../domain/ids.ts';
import type { QuarantinedFinding, Synthesis } from '../domain/synthesis.ts';
import { compareText } from '../std/canonical-json.ts';
import { deriveCoverage, type TaskOutcome } from './coverage.ts';
import type { Assessment } from './design/assessment.ts';
import type { FindingVerdict } from './joined-verdict.ts';
import { mergeFindings } from './merge-findings.ts';
import { observationsOf } from './observations.ts';
import type { Plan } from './planning.ts';
import { deriveWorkBlocks, type BlockContext } from './work-blocks.ts';

export type SynthesisInput = {
  readonly plan: Plan;
  /** Every task of the current plan and what became of it. */
  readonly outcomes: readonly (TaskOutcome & { readonly task: Pick<PlannedTask, 'unit'> })[];
  /** The accepted results of tasks that still hold, in any order. */
  readonly results: readonly TaskResult[];
  readonly verdicts: ReadonlyMap<FindingId, FindingVerdict>;
  /** What analyzers said. */
  readonly leads: readonly Lead[];
  /** What the shape of the code says. */
  readonly assessments: readonly Assessment[];
  readonly tree: BlockContext;
};

/** Joins what was found and says what was looked at. Nothing depends on the order of completion. */
export const synthesize = (input: SynthesisInput): Synthesis => {
  const { outcomes, leads } = input;
  const design = outcomes.filter(({ task }) => task.kind === 'design');
  const findings = mergeFindings(input.results, input.verdicts, {
    designTasks: new Set(design.map(({ task }) => task.id)),
    leads,
  });
  const judged = design.filter(({ state }) => state.kind === 'accepted');
  return {
    findings,
    workBlocks: deriveWorkBlocks(findings, input.tree),
    observations: observationsOf(
      input.assessments,
      judged.map(({ task }) => task),
    ),
    quarantined: setAside(input.results),
    coverage: deriveCoverage(input.plan, outcomes),
  };
};

/** Within a task they stand in the order of the answer. */
const setAside = (results: readonly TaskResult[]): QuarantinedFinding[] =>
  results
    .toSorted((left, right) => compareText(left.task, right.task))
    .flatMap(({ task, quarantined = [] }) => quarantined.map((one) => ({ task, ...one })));
