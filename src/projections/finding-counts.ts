import type { AuditEvent, AuditEventOf, SeverityCounts } from '../domain/events.ts';
import type { FindingId } from '../domain/ids.ts';
import { SEVERITIES, type Severity, type Verdict } from '../domain/vocabulary.ts';

/**
 * How much has been found so far, for progress: statements in results that were accepted, before those of one
 * defect are joined. The synthesis has the final figures.
 */
export type FindingCounts = {
  total: number;
  readonly bySeverity: Record<Severity, number>;
  /** The latest verdict of a second pass on each finding that had one. */
  readonly verdicts: Map<FindingId, { readonly verdict: Verdict; readonly severity?: Severity }>;
};

export const createFindingCounts = (): FindingCounts => ({
  total: 0,
  bySeverity: { critical: 0, high: 0, medium: 0, low: 0, info: 0 },
  verdicts: new Map(),
});

/** Adds one event: what was accepted, what was inherited, and verdicts; others change nothing. */
export const foldFindingCounts = (counts: FindingCounts, event: AuditEvent): void => {
  if (event.type === 'ResultAccepted') add(counts, event.findings);
  if (event.type === 'TasksPlanned') {
    for (const { inherited } of event.tasks) {
      if (inherited === undefined) continue;
      add(counts, inherited.findings);
      if (inherited.judgement !== undefined) judge(counts, inherited.judgement);
    }
  }
  if (event.type === 'FindingVerified') judge(counts, event);
};

const judge = (
  counts: FindingCounts,
  said: Pick<AuditEventOf<'FindingVerified'>, 'finding' | 'verdict' | 'severity'>,
): void => {
  counts.verdicts.set(said.finding, {
    verdict: said.verdict,
    ...(said.severity === undefined ? {} : { severity: said.severity }),
  });
};

const add = (counts: FindingCounts, found: SeverityCounts): void => {
  for (const severity of SEVERITIES) {
    counts.bySeverity[severity] += found[severity];
    counts.total += found[severity];
  }
};
