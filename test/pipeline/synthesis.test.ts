import { describe, expect, test } from 'vitest';
import { SEVERITIES } from '../../src/domain/vocabulary.ts';
import { deriveCoverage, type TaskOutcome } from '../../src/pipeline/coverage.ts';
import { gate } from '../../src/pipeline/gate.ts';
import { mergeFindings } from '../../src/pipeline/merge-findings.ts';
import type { Plan } from '../../src/pipeline/planning.ts';
import { finding, findingIdOf, reported, resultOf } from '../helpers/finding-samples.ts';
import { taskIdOf } from '../helpers/samples.ts';

const noVerdicts = new Map();

describe('findings', () => {
  test('with one fingerprint are joined, the most severe statement speaks, and all are kept', () => {
    const mild = finding(1, { severity: 'low', title: 'Odd loop', explanation: 'It looks odd.' });
    const severe = finding(1, { severity: 'high', lens: 'security' });
    const [joined, ...more] = mergeFindings(
      [resultOf('t-1', mild), resultOf('t-2', severe)],
      noVerdicts,
    );
    expect(more).toEqual([]);
    expect(joined).toMatchObject({
      severity: 'high',
      title: severe.title,
      lenses: ['security', 'correctness'],
      sources: [
        { task: 't-2', severity: 'high' },
        { task: 't-1', severity: 'low', title: 'Odd loop', explanation: 'It looks odd.' },
      ],
    });
  });

  test('that read alike but have different fingerprints are not joined', () => {
    const same = { title: 'The same', place: { path: 'a.js', line: 1 } };
    const merged = mergeFindings([resultOf('t-1', finding(1, same), finding(2, same))], noVerdicts);
    expect(merged).toHaveLength(2);
  });

  test('stand by severity, path, line and id', () => {
    const merged = mergeFindings(
      [
        resultOf(
          't-1',
          finding(4, { severity: 'low' }),
          finding(3, { place: { path: 'b.js', line: 1 } }),
          finding(2, { place: { path: 'a.js', line: 10 } }),
          finding(1, { place: { path: 'a.js', line: 9 } }),
          finding(5, { severity: 'critical' }),
        ),
      ],
      noVerdicts,
    );
    expect(merged.map((one) => one.id)).toEqual([5, 1, 2, 3, 4].map(findingIdOf));
  });

  test('are undecided until a second pass says something, and a downgrade is told', () => {
    const verdicts = new Map([
      [findingIdOf(1), { verdict: 'downgraded' as const, severity: 'low' as const }],
      [findingIdOf(2), { verdict: 'refuted' as const }],
    ]);
    const results = [1, 2, 3].map((number) => resultOf(`t-${number}`, finding(number)));
    expect(
      mergeFindings(results, verdicts).map((one) => [
        one.verdict,
        one.severity,
        one.statedSeverity,
      ]),
    ).toEqual([
      ['refuted', 'medium', undefined],
      ['undecided', 'medium', undefined],
      ['downgraded', 'low', 'medium'],
    ]);
  });
});

describe('the gate', () => {
  test('holds for the threshold and everything above it', () => {
    const findings = SEVERITIES.map((severity, index) => reported(index, { severity }));
    const over = (failOn: Parameters<typeof gate>[1]) =>
      gate(findings, failOn).map((one) => one.severity);
    expect(over('critical')).toEqual(['critical']);
    expect(over('high')).toEqual(['critical', 'high']);
    expect(over('info')).toEqual(SEVERITIES);
    expect(over('none')).toEqual([]);
  });

  test('leaves out what was refuted and what could not be found in the source', () => {
    const high = { severity: 'high' } as const;
    const findings = [
      reported(1, { ...high, anchored: false }),
      reported(2, { ...high, verdict: 'refuted' }),
      reported(3, { ...high, verdict: 'undecided' }),
      reported(4, { ...high, verdict: 'confirmed' }),
    ];
    expect(gate(findings, 'high').map((one) => one.id)).toEqual([3, 4].map(findingIdOf));
  });
});

describe('coverage', () => {
  const plan = (fields: Partial<Plan> = {}): Plan => ({
    lenses: ['security', 'correctness'],
    files: 3,
    tasks: 3,
    packets: 1,
    tokens: 100,
    unchecked: [],
    unreadable: [],
    skipped: [
      { by: 'disposition', reason: 'binary', lenses: ['security', 'correctness'], files: ['c'] },
    ],
    ...fields,
  });
  const outcome = (
    number: number,
    lens: 'security' | 'correctness',
    paths: readonly string[],
    state: TaskOutcome['state'],
  ): TaskOutcome => ({
    task: { id: taskIdOf(number), kind: 'review', lens, paths: [...paths] },
    state,
  });

  test('counts each cell in exactly one of the five states, with a reason for each gap', () => {
    const covered = deriveCoverage(plan(), [
      outcome(1, 'security', ['a', 'b'], { kind: 'accepted', reviewer: 'agent' }),
      outcome(2, 'correctness', ['a'], { kind: 'abandoned', reason: 'three attempts failed' }),
      outcome(3, 'correctness', ['b'], { kind: 'open', reason: 'the budget was spent' }),
    ]);
    expect(covered.counts).toEqual({
      reviewed: 2,
      analyzersOnly: 0,
      failed: 1,
      notReviewed: 1,
      skipped: 2,
    });
    expect(covered.cells).toBe(6);
    expect(covered.files).toEqual({ total: 3, looked: 2, unreadable: [] });
    expect(covered.gaps).toEqual([
      {
        state: 'notReviewed',
        reason: 'the budget was spent',
        lenses: ['correctness'],
        files: ['b'],
      },
      { state: 'failed', reason: 'three attempts failed', lenses: ['correctness'], files: ['a'] },
    ]);
  });

  test('never takes analyzers for an agent, nor what changed meanwhile for reviewed', () => {
    const { counts } = deriveCoverage(plan(), [
      outcome(1, 'security', ['a', 'b'], { kind: 'accepted', reviewer: 'analyzers' }),
      outcome(2, 'correctness', ['a', 'b'], { kind: 'stale', reason: 'changed' }),
    ]);
    expect(counts).toMatchObject({ reviewed: 0, analyzersOnly: 2, notReviewed: 2 });
  });

  test('counts what an analyzer failed on as not reviewed, not as skipped', () => {
    const unchecked = [
      { reason: 'its analyzer failed on it', lenses: ['security' as const], files: ['a'] },
    ];
    const covered = deriveCoverage(plan({ unchecked }), [
      outcome(1, 'security', ['b'], { kind: 'accepted', reviewer: 'analyzers' }),
      outcome(2, 'correctness', ['a', 'b'], { kind: 'accepted', reviewer: 'analyzers' }),
    ]);
    expect(covered.counts).toMatchObject({ analyzersOnly: 3, notReviewed: 1, skipped: 2 });
    expect(covered.gaps).toMatchObject([{ state: 'notReviewed', files: ['a'] }]);
  });

  test('takes the best of several tasks over one cell', () => {
    const all: readonly TaskOutcome[] = [
      outcome(1, 'security', ['a', 'b'], { kind: 'open', reason: 'open' }),
      outcome(2, 'security', ['a'], { kind: 'accepted', reviewer: 'agent' }),
      outcome(3, 'correctness', ['a', 'b'], { kind: 'accepted', reviewer: 'agent' }),
    ];
    expect(deriveCoverage(plan(), all)).toEqual(deriveCoverage(plan(), all.toReversed()));
    expect(deriveCoverage(plan(), all).counts).toMatchObject({ reviewed: 3, notReviewed: 1 });
  });

  test('refuses to lose a cell', () => {
    expect(() =>
      deriveCoverage(plan(), [
        outcome(1, 'security', ['a', 'b'], { kind: 'accepted', reviewer: 'agent' }),
      ]),
    ).toThrow('each file is in exactly one cell of each lens');
  });
});
