import { required } from '../std/assert.ts';
import { canonicalJson, compareText } from '../std/canonical-json.ts';
import type { Finding, Place, TaskResult } from '../domain/finding.ts';
import type { EventNumber, FindingId } from '../domain/ids.ts';
import type { FindingSource, ReportedFinding } from '../domain/synthesis.ts';
import {
  inLensOrder,
  SEVERITIES,
  type ProviderId,
  type Severity,
  type Verdict,
} from '../domain/vocabulary.ts';

/** What a second pass said about a finding, and the severity that it gave it, if any. */
export type FindingVerdict = {
  readonly verdict: Verdict;
  readonly severity?: Severity | undefined;
  /** What the second pass says for it, where its words are at hand. */
  readonly reason?: string | undefined;
  readonly evidence?: { readonly place: Place; readonly quote: string } | undefined;
  readonly provider?: ProviderId | undefined;
  /** The event that brought its answer. */
  readonly event?: EventNumber | undefined;
};

/**
 * Joins the statements of one defect (the same fingerprint) and keeps who said what. The most severe,
 * most confident statement speaks for all. Statements with different fingerprints are never joined,
 * however alike they read. The order of the results does not matter.
 *
 * Sorted by severity, path, line, id.
 */
export const mergeFindings = (
  results: readonly TaskResult[],
  verdicts: ReadonlyMap<FindingId, FindingVerdict>,
): ReportedFinding[] => {
  const statements = new Map<FindingId, Statement[]>();
  for (const { task, findings } of results) {
    for (const finding of findings) {
      const known = statements.get(finding.id) ?? [];
      statements.set(finding.id, known);
      known.push({ task, finding });
    }
  }
  return [...statements]
    .map(([id, said]) => joinStatements(said, verdicts.get(id)))
    .toSorted(compareFindings);
};

export const compareFindings = (left: ReportedFinding, right: ReportedFinding): number =>
  severityRank(left.severity) - severityRank(right.severity) ||
  compareText(left.place.path, right.place.path) ||
  left.place.line - right.place.line ||
  compareText(left.id, right.id);

/** 0 for the most severe. */
export const severityRank = (severity: Severity): number => SEVERITIES.indexOf(severity);

type Statement = { readonly task: string; readonly finding: Finding };

const joinStatements = (
  said: readonly Statement[],
  judged: FindingVerdict | undefined,
): ReportedFinding => {
  const ordered = distinct(said).toSorted(compareStatements);
  const { finding } = required(ordered[0], 'a finding has at least one statement');
  const verdict = judged?.verdict ?? 'undecided';
  const severity =
    verdict === 'downgraded' && judged?.severity !== undefined ? judged.severity : finding.severity;
  return {
    id: finding.id,
    severity,
    ...(severity === finding.severity ? {} : { statedSeverity: finding.severity }),
    confidence: finding.confidence,
    category: finding.category,
    lenses: inLensOrder(ordered.map((one) => one.finding.lens)),
    title: finding.title,
    explanation: finding.explanation,
    place: finding.place,
    quote: finding.quote,
    anchored: finding.anchored,
    ...(finding.suggestion === undefined ? {} : { suggestion: finding.suggestion }),
    verdict,
    ...(judged?.reason !== undefined && { verification: verificationOf(judged, judged.reason) }),
    sources: ordered.map((one) => sourceOf(one, finding)),
  };
};

const verificationOf = (
  { evidence, provider, event }: FindingVerdict,
  reason: string,
): ReportedFinding['verification'] => ({
  reason,
  ...(evidence !== undefined && { evidence }),
  ...(provider !== undefined && { provider }),
  ...(event !== undefined && { event }),
});

const sourceOf = ({ task, finding }: Statement, leading: Finding): FindingSource => ({
  task,
  lens: finding.lens,
  provider: finding.provider,
  severity: finding.severity,
  confidence: finding.confidence,
  title: finding.title,
  ...(finding.explanation === leading.explanation ? {} : { explanation: finding.explanation }),
});

/** Most severe first, then most confident; the rest makes the order whole. */
const compareStatements = (left: Statement, right: Statement): number =>
  severityRank(left.finding.severity) - severityRank(right.finding.severity) ||
  CONFIDENCE_RANK[left.finding.confidence] - CONFIDENCE_RANK[right.finding.confidence] ||
  compareText(left.task, right.task) ||
  compareText(canonicalJson(left.finding), canonicalJson(right.finding));

const CONFIDENCE_RANK = { high: 0, medium: 1, low: 2 } as const;

const distinct = (said: readonly Statement[]): readonly Statement[] => {
  if (said.length === 1) return said;
  return [...new Map(said.map((one) => [canonicalJson([one.task, one.finding]), one])).values()];
};
