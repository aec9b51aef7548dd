import type { ReportedFinding } from '../../domain/synthesis.ts';
import type { Confidence, DeepeningTrigger } from '../../domain/vocabulary.ts';
import { compareText } from '../../std/canonical-json.ts';
import { foldCategory } from '../fingerprint.ts';
import { severityRank } from '../severity-rank.ts';

/** A finding that is worth a second pass, and why. */
export type Doubt = {
  readonly finding: ReportedFinding;
  readonly trigger: Extract<DeepeningTrigger, 'finding' | 'conflict'>;
};

/**
 * Findings to verify: the severe ones and the unsure ones, and those about which reviewers differ by two
 * steps of severity or confidence. One whose quote was not found has nothing to be verified in; one that
 * has a verdict has it. The most severe first.
 */
export const doubtfulFindings = (findings: readonly ReportedFinding[]): readonly Doubt[] => {
  const open = findings.filter(({ anchored, verdict }) => anchored && verdict === 'undecided');
  const disputed = disputedIn(open);
  return open
    .flatMap((finding): readonly Doubt[] => {
      if (isSevere(finding) || isUnsure(finding)) return [{ finding, trigger: 'finding' }];
      return disputed.has(finding.id) ? [{ finding, trigger: 'conflict' }] : [];
    })
    .toSorted(
      ({ finding: left }, { finding: right }) =>
        severityRank(left.severity) - severityRank(right.severity) ||
        compareText(left.id, right.id),
    );
};

const HIGH = severityRank('high');
const LOW = severityRank('low');
const isSevere = ({ severity }: ReportedFinding): boolean => severityRank(severity) <= HIGH;
const isUnsure = ({ severity, confidence }: ReportedFinding): boolean =>
  confidence === 'low' && severityRank(severity) < LOW;

/** Of one kind in one file by several tasks, however they quoted it. */
const disputedIn = (findings: readonly ReportedFinding[]): ReadonlySet<string> => {
  const groups = new Map<string, ReportedFinding[]>();
  for (const finding of findings) {
    const key = `${foldCategory(finding.category)}\n${finding.place.path}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  const disputed = new Set<string>();
  for (const group of groups.values()) {
    const sources = group.flatMap((finding) => finding.sources);
    if (new Set(sources.map(({ task }) => task)).size < 2) continue;
    const severities = sources.map(({ severity }) => severityRank(severity));
    const confidences = sources.map(({ confidence }) => CONFIDENCE[confidence]);
    if (spread(severities) < SPREAD_MIN && spread(confidences) < SPREAD_MIN) continue;
    for (const { id } of group) disputed.add(id);
  }
  return disputed;
};

const SPREAD_MIN = 2;
const CONFIDENCE: Readonly<Record<Confidence, number>> = { high: 0, medium: 1, low: 2 };

/** Of any number of values: the arguments of Math.max are bounded by the stack. */
const spread = (values: readonly number[]): number => {
  const sorted = values.toSorted((left, right) => left - right);
  return (sorted.at(-1) ?? 0) - (sorted[0] ?? 0);
};
