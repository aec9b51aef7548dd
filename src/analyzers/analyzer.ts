import type { Lead } from '../domain/finding.ts';
import type { Severity } from '../domain/vocabulary.ts';
import type { AnalyzerRun } from '../pipeline/enrichment.ts';
import { isTrialPath } from '../pipeline/shape/path-kinds.ts';

/** What one analyzer gives. `incomplete`: what it was to do and did not, in sentences. */
export type Analysis = {
  readonly run: AnalyzerRun;
  readonly leads: readonly Lead[];
  readonly incomplete: readonly string[];
};

const TEST_PATH = /(?:^|\/)(?:tests?|__tests__|specs?|__mocks__)\/|[._-](?:test|spec)\.[^/]+$/i;

/** Tests, and code for trying things out: a defect here harms nobody who uses the program. */
export const isTrialCode = (path: string): boolean => isTrialPath(path) || TEST_PATH.test(path);

/** How severe a defect is where it stands: in such code at most `low`. */
export const severityAt = (path: string, severity: Severity): Severity =>
  isTrialCode(path) && severity !== 'info' ? 'low' : severity;
