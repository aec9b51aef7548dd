import type { Lead } from '../domain/finding.ts';
import type { AnalyzerRun } from '../pipeline/enrichment.ts';

/** What one analyzer gives. `incomplete`: what it was to do and did not, in sentences. */
export type Analysis = {
  readonly run: AnalyzerRun;
  readonly leads: readonly Lead[];
  readonly incomplete: readonly string[];
};

/** Code for trying things out: a defect here harms nobody who uses the program. */
const TRIAL_PATH =
  /(?:^|\/)(?:tests?|__tests__|specs?|__mocks__|fixtures?|__fixtures__|examples?|samples?|benchmarks?|docs?)\/|[._-](?:test|spec)\.[^/]+$/i;

export const isTrialPath = (path: string): boolean => TRIAL_PATH.test(path);
