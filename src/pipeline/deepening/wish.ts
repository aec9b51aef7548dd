import type { PlannedTask } from '../../domain/events.ts';
import type { Finding, Lead, TaskResult } from '../../domain/finding.ts';
import type { ReportedFinding } from '../../domain/synthesis.ts';
import type { DeepeningTrigger, Lens } from '../../domain/vocabulary.ts';

/** A task with what an agent said of it. */
export type ReviewedTask = {
  readonly task: PlannedTask;
  readonly result: Pick<TaskResult, 'verdict' | 'followUps'> & {
    readonly findings: readonly Pick<Finding, 'severity' | 'place' | 'title'>[];
  };
};

/** What a command of the project came to that names files of it. */
export type FailedCommand = {
  readonly id: string;
  readonly command: string;
  /** Files that its output names, the most often named first. */
  readonly paths: readonly string[];
};

/** What may give cause to look again. Indexes are the caller's; lists come in any order. */
export type Causes = {
  readonly findings: readonly ReportedFinding[];
  readonly reviewed: readonly ReviewedTask[];
  readonly failed: readonly FailedCommand[];
  /** Lenses that are asked. */
  readonly lenses: readonly Lens[];
  /** How much a file matters; see `RiskOf`. */
  readonly riskOf: (path: string) => number;
  /** Whether what comes from outside goes through a file to something that matters. */
  readonly isInFlow: (path: string) => boolean;
  readonly leadsOf: (path: string) => readonly Lead[];
  readonly linesOf: (path: string) => number;
};

/** Files that are to be read once more under a lens, and why. */
export type Wish = {
  readonly trigger: Exclude<DeepeningTrigger, 'finding' | 'conflict'>;
  readonly lens: Lens;
  readonly unit: string;
  /** The most telling first. */
  readonly paths: readonly string[];
  readonly ranges?: PlannedTask['ranges'];
  /** What makes it the same wish in a later round. */
  readonly key: string;
  /** For the prompt: plain data, told as one line of JSON. */
  readonly why: Readonly<Record<string, unknown>>;
};
