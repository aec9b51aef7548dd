import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SEVERITIES, verdict, type Severity, type Verdict } from '../../src/domain/vocabulary.ts';
import { joinVerdicts, type JudgedTelling } from '../../src/pipeline/joined-verdict.ts';
import { severityRank } from '../../src/pipeline/severity-rank.ts';
import { findingIdOf } from '../helpers/finding-samples.ts';

const OWN = findingIdOf(0);
const told = (
  number: number,
  stated: Severity,
  judged?: Verdict,
  severity?: Severity,
): JudgedTelling => ({
  id: findingIdOf(number),
  severity: stated,
  judged: judged && { verdict: judged, severity },
});

describe('a defect that was judged under several ids', () => {
  test.each<[string, readonly JudgedTelling[], Verdict, Severity]>([
    ['nobody judged', [told(0, 'high'), told(1, 'low')], 'undecided', 'high'],
    [
      'confirmed beats undecided',
      [told(0, 'high'), told(1, 'low', 'confirmed')],
      'confirmed',
      'high',
    ],
    [
      'one that was shown to hold is there, whoever was refuted',
      [told(0, 'high', 'refuted'), told(1, 'low', 'confirmed')],
      'confirmed',
      'low',
    ],
    ['its own id was refuted', [told(0, 'high', 'refuted'), told(1, 'low')], 'refuted', 'high'],
    ['another id was refuted', [told(0, 'low'), told(1, 'high', 'refuted')], 'undecided', 'low'],
    [
      'all were refuted',
      [told(0, 'low', 'refuted'), told(1, 'high', 'refuted')],
      'refuted',
      'high',
    ],
    [
      'its own id was downgraded, and that speaks for the whole',
      [told(0, 'high', 'downgraded', 'low'), told(1, 'critical')],
      'downgraded',
      'low',
    ],
    [
      'another was downgraded: what nobody judged stays as severe as it was stated',
      [told(0, 'high'), told(1, 'medium', 'downgraded', 'low')],
      'undecided',
      'high',
    ],
    ['a downgrade cannot raise', [told(0, 'low', 'downgraded', 'critical')], 'downgraded', 'low'],
  ])('%s', (_, tellings, wanted, severity) => {
    expect(joinVerdicts(OWN, tellings)).toEqual({ verdict: wanted, severity });
  });
});

const tellings = fc
  .array(
    fc.record({
      stated: fc.constantFrom(...SEVERITIES),
      judged: fc.option(fc.constantFrom(...verdict.options), { nil: undefined }),
      lowered: fc.option(fc.constantFrom(...SEVERITIES), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((rows) =>
    rows.map(({ stated, judged, lowered }, index) => told(index, stated, judged, lowered)),
  );

test('in whatever order, a verdict never raises a severity, and never refutes what was confirmed', () => {
  fc.assert(
    fc.property(tellings, (given) => {
      const joined = joinVerdicts(OWN, given);
      expect(joinVerdicts(OWN, given.toReversed())).toEqual(joined);
      const stated = Math.min(...given.map(({ severity }) => severityRank(severity)));
      expect(severityRank(joined.severity)).toBeGreaterThanOrEqual(stated);
      const verdicts = given.map(({ judged }) => judged?.verdict);
      if (verdicts.includes('confirmed')) expect(joined.verdict).toBe('confirmed');
      if (joined.verdict === 'refuted') expect(verdicts).toContain('refuted');
      if (joined.verdict === 'downgraded') expect(verdicts).toContain('downgraded');
    }),
  );
});
