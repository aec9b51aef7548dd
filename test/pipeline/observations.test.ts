import { expect, test } from 'vitest';
import type { Assessment } from '../../src/pipeline/design/assessment.ts';
import { observationsOf } from '../../src/pipeline/observations.ts';

const assessment = (rule: Assessment['rule'], ...paths: readonly string[]): Assessment => ({
  rule,
  statement: `${rule} of ${paths.length}`,
  paths: [...paths],
  evidence: [],
  figures: { files: paths.length },
  strength: 1,
});

test('what an agent judged is no observation, whatever it said; the others are', () => {
  const all = [
    assessment('hub', 'a.js', 'b.js'),
    assessment('hub', 'c.js'),
    assessment('god-file', 'a.js'),
  ];
  const judged = [{ unit: 'design:hub', paths: ['a.js'] }];
  expect(observationsOf(all, judged).map(({ rule, paths }) => [rule, paths])).toEqual([
    ['hub', ['c.js']],
    ['god-file', ['a.js']],
  ]);
});

test('one answer judges one assessment, though another names the same files', () => {
  const all = [assessment('hub', 'a.js', 'b.js'), assessment('hub', 'a.js', 'c.js')];
  const answer = { unit: 'design:hub', paths: ['a.js'] };
  expect(observationsOf(all, [answer])).toHaveLength(1);
  expect(observationsOf(all, [answer, { ...answer }])).toEqual([]);
});
