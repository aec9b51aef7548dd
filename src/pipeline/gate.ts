import type { ReportedFinding } from '../domain/synthesis.ts';
import type { GateSeverity } from '../domain/vocabulary.ts';
import { severityRank } from './merge-findings.ts';

/**
 * The findings that exceed the gate: anchored, of the threshold's severity or above after verdict,
 * and not refuted. What nobody could find in the source never fails a build.
 */
export const gate = (
  findings: readonly ReportedFinding[],
  failOn: GateSeverity,
): readonly ReportedFinding[] =>
  failOn === 'none'
    ? []
    : findings.filter(
        (finding) =>
          finding.anchored &&
          finding.verdict !== 'refuted' &&
          severityRank(finding.severity) <= severityRank(failOn),
      );
