import { describe, expect, test } from 'vitest';
import type { PacketBrief } from '../../src/domain/packet-brief.ts';
import {
  evidencePaths,
  judgeVerification,
  type JudgedVerification,
} from '../../src/pipeline/judge-verification.ts';
import { findingIdOf } from '../helpers/finding-samples.ts';
import { brief, bytesOf } from '../helpers/review-samples.ts';

const FILES: Readonly<Record<string, string>> = {
  'src/pay.js': 'const pay = (amount) => {\n  balance -= amount;\n};\n',
  'src/guard.js': 'if (amount < 0) throw new Error();\n',
};
const plain = brief(['security', 'correctness'], { 'src/pay.js': FILES['src/pay.js'] ?? '' });
const BRIEF: PacketBrief = {
  ...plain,
  tasks: plain.tasks.map((task, index) => ({
    ...task,
    kind: 'verification',
    finding: { id: findingIdOf(index + 1), severity: 'high' },
  })),
};
const [FIRST = '', SECOND = ''] = BRIEF.tasks.map(({ id }) => id);
const EVIDENCE = { path: 'src/pay.js', line: 2, quote: 'balance -= amount;' };
const says = (fields: object = {}) => ({
  task: FIRST,
  verdict: 'confirmed',
  reason: 'Nothing checks the amount.',
  evidence: EVIDENCE,
  ...fields,
});
const undecided = { task: SECOND, verdict: 'undecided', reason: 'The source does not tell.' };

const judge = (...results: readonly unknown[]): readonly JudgedVerification[] =>
  judgeVerification({
    bytes: bytesOf({ packet: BRIEF.packet, results }),
    brief: BRIEF,
    settled: new Set(),
    read: (path) => FILES[path],
  });
const of = (judged: readonly JudgedVerification[], task: string) => {
  const one = judged.find((verdict) => verdict.task === task);
  return one?.kind === 'rejected' ? one.code : one?.stored;
};

describe('a verdict on a finding', () => {
  test('is kept with its reason and with where its evidence really stands', () => {
    const judged = judge(says({ evidence: { ...EVIDENCE, line: 40 } }), undecided);
    expect(of(judged, FIRST)).toEqual({
      verdict: 'judged',
      finding: findingIdOf(1),
      judgement: 'confirmed',
      reason: 'Nothing checks the amount.',
      evidence: { place: { path: 'src/pay.js', line: 2 }, quote: EVIDENCE.quote },
    });
    expect(of(judged, SECOND)).toMatchObject({ judgement: 'undecided', finding: findingIdOf(2) });
  });

  test('may rest on another file of the tree', () => {
    const evidence = { path: 'src/guard.js', line: 1, quote: 'if (amount < 0) throw' };
    const judged = judge(says({ verdict: 'refuted', evidence }), undecided);
    expect(of(judged, FIRST)).toMatchObject({ judgement: 'refuted' });
  });

  test.each([
    ['text that is in no file', { quote: 'if (isAdmin)' }],
    ['a file that is not there', { path: 'src/other.js' }],
    ['a path out of the tree', { path: '../secret.txt' }],
  ])('whose evidence is %s is no verdict', (_, fields) => {
    const judged = judge(says({ evidence: { ...EVIDENCE, ...fields } }), undecided);
    expect(of(judged, FIRST)).toBe('evidence-not-found');
    expect(of(judged, SECOND)).toMatchObject({ judgement: 'undecided' });
  });

  test.each([
    ['without evidence', { evidence: undefined }],
    ['that lowers a severity without one', { verdict: 'downgraded' }],
    ['that lowers a severity to the same', { verdict: 'downgraded', severity: 'high' }],
    ['that raises a severity', { verdict: 'downgraded', severity: 'critical' }],
    ['that confirms with a severity', { severity: 'low' }],
    ['with a word for it that there is not', { verdict: 'maybe' }],
    ['that calls itself verified', { verified: true }],
  ])('%s is refused', (_, fields) => {
    expect(of(judge(says(fields), undecided), FIRST)).toBe('wrong-shape');
  });

  test('lower than stated is a downgrade', () => {
    const judged = judge(says({ verdict: 'downgraded', severity: 'low' }), undecided);
    expect(of(judged, FIRST)).toMatchObject({ judgement: 'downgraded', severity: 'low' });
  });
});

describe('an answer with verdicts', () => {
  test('that leaves a finding out leaves it open', () => {
    expect(of(judge(says()), SECOND)).toBe('not-accounted-for');
  });

  test('that judges a finding twice, and differently, judges it not at all', () => {
    const judged = judge(says(), says({ verdict: 'refuted' }), undecided);
    expect(of(judged, FIRST)).toBe('conflicting-answer');
  });

  test('that says the same twice has said it once', () => {
    expect(of(judge(says(), says(), undecided), FIRST)).toMatchObject({ judgement: 'confirmed' });
  });

  test('about a task of another packet names it, and the others stand', () => {
    const judged = judge(says({ task: 't-ffffffffffffffff' }), says(), undecided);
    expect(judged[0]).toMatchObject({ kind: 'rejected', code: 'unknown-task' });
    expect(of(judged, FIRST)).toMatchObject({ judgement: 'confirmed' });
  });

  test('names the files that have to be read for it', () => {
    const bytes = bytesOf({ packet: BRIEF.packet, results: [says(), undecided] });
    expect(evidencePaths(bytes, BRIEF)).toEqual(['src/pay.js']);
    expect(evidencePaths(bytesOf('no JSON'), BRIEF)).toEqual([]);
  });
});
