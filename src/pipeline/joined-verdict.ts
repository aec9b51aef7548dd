import type { FindingId } from '../domain/ids.ts';
import type { ProviderId, Severity, Verdict } from '../domain/vocabulary.ts';
import { severityRank } from './severity-rank.ts';

/** What a second pass said about a finding, and the severity that it gave it, if any. */
export type FindingVerdict = {
  readonly verdict: Verdict;
  readonly severity?: Severity | undefined;
  /** Who said so, and why. */
  readonly by?: ProviderId | undefined;
  readonly reason?: string | undefined;
};

/** One of the fingerprints of a joined finding: the most severe that was stated, and its own verdict. */
export type JudgedTelling = {
  readonly id: FindingId;
  readonly severity: Severity;
  readonly judged: FindingVerdict | undefined;
};

/**
 * The verdict and severity of a defect that was judged under several ids. The first rule that holds:
 *
 *   1  confirmed: some id is. A defect that one telling of it was shown to hold is there.
 *   2  refuted: every id is, or the finding's own is and nothing was said in favour of another.
 *   3  downgraded: some id is, and so the severity is less than was stated. What nobody judged keeps
 *      its stated severity, unless the finding's own id was judged: that speaks for the whole.
 *   4  undecided.
 *
 * What was refuted lends no severity to the others; a verdict never raises one.
 *
 * @param own the id that the finding bears, under which it is asked about.
 */
export const joinVerdicts = (
  own: FindingId,
  tellings: readonly JudgedTelling[],
): { readonly verdict: Verdict; readonly severity: Severity } => {
  const stated = worst(tellings.map(({ severity }) => severity));
  const verdictOf = (telling: JudgedTelling): Verdict => telling.judged?.verdict ?? 'undecided';
  const are = (wanted: Verdict): readonly JudgedTelling[] =>
    tellings.filter((telling) => verdictOf(telling) === wanted);
  const ownVerdict = tellings.find(({ id }) => id === own)?.judged?.verdict ?? 'undecided';
  const lowered = are('downgraded');
  const open = are('undecided');
  const refuted = are('refuted');

  if (are('confirmed').length > 0) {
    const left = tellings.filter((one) => !refuted.includes(one));
    return { verdict: 'confirmed', severity: worst(left.map(given)) };
  }
  if (refuted.length === tellings.length || (ownVerdict === 'refuted' && lowered.length === 0)) {
    return { verdict: 'refuted', severity: stated };
  }
  const speaking = ownVerdict === 'downgraded' ? lowered : [...lowered, ...open];
  const severity = worst(speaking.map(given));
  const isLower = severityRank(severity) > severityRank(stated);
  const isLowered = ownVerdict === 'downgraded' || (lowered.length > 0 && isLower);
  return { verdict: isLowered ? 'downgraded' : 'undecided', severity };
};

/** A second pass may lower a severity, and never raise it. */
const given = ({ severity, judged }: JudgedTelling): Severity =>
  judged?.verdict === 'downgraded' &&
  judged.severity !== undefined &&
  severityRank(judged.severity) > severityRank(severity)
    ? judged.severity
    : severity;

const worst = (severities: readonly Severity[]): Severity =>
  severities.reduce(
    (one, other) => (severityRank(other) < severityRank(one) ? other : one),
    'info',
  );
