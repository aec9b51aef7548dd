import { expect, test } from 'vitest';
import { judgeNarrative } from '../../src/pipeline/judge-narrative.ts';
import { findingIdOf } from '../helpers/finding-samples.ts';
import { brief, bytesOf } from '../helpers/review-samples.ts';

const plain = brief(['security'], { 'a.js': 'a();\n' });
const BRIEF = {
  ...plain,
  tasks: plain.tasks.map((one) => ({ ...one, kind: 'narrative' as const })),
};
const TASK = BRIEF.tasks[0]?.id ?? '';
const theme = (finding: number) => ({
  title: 'Nothing is checked',
  rootCause: 'There is no place for checks.',
  findings: [findingIdOf(finding)],
  fix: 'Make one.',
});
const story = (fields: object = {}) => ({
  summary: 'Two findings, one cause.',
  themes: [theme(1)],
  topRisks: [],
  ...fields,
});
const judge = (answer: unknown) =>
  judgeNarrative({
    bytes: bytesOf(answer),
    brief: BRIEF,
    isFinding: (id) => id === findingIdOf(1),
  });
const answerOf = (...results: readonly unknown[]) => ({ packet: BRIEF.packet, results });

test('a narrative that names findings of the audit is taken', () => {
  expect(judge(answerOf({ task: TASK, narrative: story() }))).toEqual([
    { kind: 'written', task: TASK, narrative: story(), repairs: [] },
  ]);
});

test.each([
  [
    'names a finding that there is not',
    answerOf({ task: TASK, narrative: story({ themes: [theme(2)] }) }),
    'wrong-shape',
  ],
  ['has no summary', answerOf({ task: TASK, narrative: story({ summary: ' ' }) }), 'wrong-shape'],
  [
    'gives a severity of its own',
    answerOf({ task: TASK, narrative: story({ severity: 'low' }) }),
    'wrong-shape',
  ],
  ['answers a review', answerOf({ task: TASK, verdict: 'clean' }), 'wrong-shape'],
  [
    'is of another task',
    answerOf({ task: 't-ffffffffffffffff', narrative: story() }),
    'unknown-task',
  ],
  [
    'is there twice',
    answerOf({ task: TASK, narrative: story() }, { task: TASK, narrative: story() }),
    'wrong-shape',
  ],
  ['is of another packet', { packet: 'p-ffffffffffffffff', results: [{}] }, 'wrong-packet'],
  ['is no JSON', 'Everything is fine.', 'unreadable-answer'],
])('a narrative that %s is refused', (_, answer, code) => {
  expect(judge(answer)).toMatchObject([{ kind: 'rejected', code }]);
});
