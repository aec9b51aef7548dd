import type { ReportedFinding } from '../domain/synthesis.ts';
import type { GateSeverity } from '../domain/vocabulary.ts';
import { standingOf } from '../domain/finding-standing.ts';
import { severityRank } from './severity-rank.ts';

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
          standingOf(finding) === 'standing' &&
          severityRank(finding.severity) <= severityRank(failOn),
      );
