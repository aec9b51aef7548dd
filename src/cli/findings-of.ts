import type { SeverityCounts } from '../domain/events.ts';
import { tallyFindings } from '../domain/finding-standing.ts';
import { SEVERITIES } from '../domain/vocabulary.ts';
import { createFindingCounts, foldFindingCounts } from '../projections/finding-counts.ts';
import { BlobDamagedError, BlobMissingError } from '../store/blob-store.ts';
import type { ReadAudit } from './locate.ts';
import { synthesisOf } from './synthesis-of.ts';

/** How much an audit has found that stands, by severity after verdicts. */
export type FindingFigures = {
  readonly total: number;
  readonly bySeverity: SeverityCounts;
  /** Statements in results that could not be joined, since blobs of the audit are damaged. */
  readonly isRough: boolean;
};

/** The figures of the report, or those of the log alone when the report's parts cannot be read. */
export const findingsOf = async (audit: ReadAudit): Promise<FindingFigures> => {
  try {
    const { findings } = await synthesisOf(audit);
    const { total, bySeverity } = tallyFindings(findings);
    return { total, bySeverity, isRough: false };
  } catch (error) {
    if (!(error instanceof BlobMissingError || error instanceof BlobDamagedError)) throw error;
    const counts = createFindingCounts();
    for (const { events } of audit.commits) {
      for (const event of events) foldFindingCounts(counts, event);
    }
    return { total: counts.total, bySeverity: { ...counts.bySeverity }, isRough: true };
  }
};

/** "2 high, 1 low", or "none". */
export const severityWords = (counts: SeverityCounts): string => {
  const some = SEVERITIES.filter((severity) => counts[severity] > 0);
  if (some.length === 0) return 'none';
  return some.map((severity) => `${counts[severity]} ${severity}`).join(', ');
};
