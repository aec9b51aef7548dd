import type { SeverityCounts } from './events.ts';
import { countSeverities } from './severity-counts.ts';
import type { ReportedFinding } from './synthesis.ts';

/**
 * What a finding counts for. Only what stands is in a headline and in a gate: its quote was found in
 * the frozen file, and no second pass refuted it. The others are shown, apart.
 */
export type FindingStanding = 'standing' | 'notAnchored' | 'refuted';

export const standingOf = ({
  anchored,
  verdict,
}: Pick<ReportedFinding, 'anchored' | 'verdict'>): FindingStanding =>
  verdict === 'refuted' ? 'refuted' : anchored ? 'standing' : 'notAnchored';

/** `total` and `bySeverity` are of those that stand; each finding is in exactly one of the counts. */
export type FindingTally = {
  readonly total: number;
  readonly bySeverity: SeverityCounts;
  readonly notAnchored: number;
  readonly refuted: number;
};

export const tallyFindings = (findings: readonly ReportedFinding[]): FindingTally => {
  const standing = findings.filter((one) => standingOf(one) === 'standing');
  return {
    total: standing.length,
    bySeverity: countSeverities(standing),
    notAnchored: findings.filter((one) => standingOf(one) === 'notAnchored').length,
    refuted: findings.filter((one) => standingOf(one) === 'refuted').length,
  };
};
