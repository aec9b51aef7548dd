import { describe, expect, test } from 'vitest';
import type { Lead } from '../../src/domain/finding.ts';
import type { PacketBrief } from '../../src/domain/packet-brief.ts';
import { deriveCoverage, type TaskOutcome } from '../../src/pipeline/coverage.ts';
import { judgeAnswer } from '../../src/pipeline/judge-answer.ts';
import { briefOf } from '../../src/pipeline/packets.ts';
import { planReview, type Plan } from '../../src/pipeline/planning.ts';
import { answerFrom } from '../../src/providers/builtin.ts';
import {
  brief,
  bytesOf,
  planningInput,
  sourceFile,
  statedFinding,
} from '../helpers/review-samples.ts';
import { taskIdOf } from '../helpers/samples.ts';

/** What is asked about a file that was cut into parts. */

const TEXT = Array.from({ length: 6 }, (_, at) => `line${at + 1}();`).join('\n');

/** One task for lines 1 to 3 of a file, one for 4 to 6. */
const PARTS: PacketBrief = (() => {
  const whole = brief(['security', 'correctness'], { 'a.js': TEXT });
  return {
    ...whole,
    tasks: whole.tasks.map((task, index) => ({
      ...task,
      lens: 'security',
      files: task.files.map((file) => ({
        ...file,
        range: { line: 1 + 3 * index, endLine: 3 + 3 * index },
      })),
    })),
  };
})();
const [UPPER = '', LOWER = ''] = PARTS.tasks.map(({ id }) => id);

const judge = (task: string, line: number) =>
  judgeAnswer({
    bytes: bytesOf({
      packet: PARTS.packet,
      results: [
        {
          task,
          verdict: 'findings',
          findings: [statedFinding({ path: 'a.js', line, quote: `line${line}();` })],
        },
      ],
    }),
    brief: PARTS,
    settled: new Set([UPPER, LOWER]),
    provider: 'scripted',
    read: () => TEXT,
  });

describe('a finding about a part', () => {
  test.each([
    [UPPER, 1],
    [UPPER, 3],
    [LOWER, 4],
    [LOWER, 6],
  ])('is accepted anywhere in its lines (%s, line %i)', (task, line) => {
    expect(judge(task, line)).toMatchObject([{ kind: 'accepted', task }]);
  });

  test.each([
    [UPPER, 4, 'lines 1 to 3'],
    [LOWER, 3, 'lines 4 to 6'],
  ])('is refused outside of them, with the lines that are asked about', (task, line, words) => {
    expect(judge(task, line)).toMatchObject([
      {
        kind: 'rejected',
        code: 'invalid-location',
        message: expect.stringContaining(words) as string,
      },
    ]);
  });
});

test('the builtin provider tells a lead once, by the part that has its line', () => {
  const lead = (line: number): Lead => ({
    analyzer: 'oxlint',
    rule: 'no-eval',
    lens: 'security',
    severity: 'high',
    confidence: 'high',
    message: 'eval',
    place: { path: 'a.js', line },
    quote: `line${line}();`,
  });
  const { results } = answerFrom(PARTS, [lead(2), lead(5)]);
  expect(
    results.map((result) =>
      result.verdict === 'clean' ? [] : result.findings.map(({ line }) => line),
    ),
  ).toEqual([[2], [5]]);
});

test('a cell is reviewed when all parts of its file are', () => {
  const plan: Plan = {
    lenses: ['security'],
    files: 1,
    tasks: 2,
    packets: 1,
    tokens: 0,
    unchecked: [],
    skipped: [],
    unreadable: [],
  };
  const outcome = (part: number, state: TaskOutcome['state']): TaskOutcome => ({
    task: {
      id: taskIdOf(part),
      kind: 'review',
      lens: 'security',
      paths: ['a.js'],
      ranges: [{ path: 'a.js', line: part, endLine: part }],
    },
    state,
  });
  const done = { kind: 'accepted', reviewer: 'agent' } as const;
  const open = { kind: 'open', reason: 'not reviewed yet' } as const;
  const countsOf = (...states: readonly TaskOutcome['state'][]) =>
    deriveCoverage(
      plan,
      states.map((state, index) => outcome(index + 1, state)),
    ).counts;
  expect(countsOf(done, done)).toMatchObject({ reviewed: 1, notReviewed: 0 });
  expect(countsOf(done, open)).toMatchObject({ reviewed: 0, notReviewed: 1 });
  expect(countsOf(open, done)).toMatchObject({ reviewed: 0, notReviewed: 1 });
});

describe('the plan of a file that is cut', () => {
  const lines = Array.from({ length: 4000 }, (_, at) => `const line${at} = ${'x'.repeat(30)};`);
  const planOf = (text: readonly string[]) =>
    planReview({
      ...planningInput([sourceFile('a.js', { lines: text.length, size: text.join('\n').length })]),
      textOf: () => text.join('\n'),
    });
  const { tasks, packets } = planOf(lines);

  test('has a prompt that names the part, what to read around it and its neighbours', () => {
    const second = packets.find(({ promptText }) => promptText.includes(': part 2 of '));
    expect(second?.promptText).toMatch(
      /"a\.js" \(4000 lines\): part 2 of \d+, lines \d+ to \d+; read lines \d+ to \d+/,
    );
  });

  test('keeps the tasks of parts whose lines stay, when another part is edited', () => {
    const edited = lines.with(3990, 'const edited = 1;');
    const ids = new Set(planOf(edited).tasks.map(({ id }) => id));
    const kept = tasks.filter(({ id }) => ids.has(id));
    expect(kept.length).toBe(tasks.length - 2);
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length);
  });

  test('tells workers and the judgement which lines are asked about', () => {
    const [task] = tasks;
    const [packet] = packets;
    if (task === undefined || packet === undefined) throw new Error('the plan has tasks');
    const [range] = task.ranges ?? [];
    const told = briefOf(packet, '', [task], (path) => sourceFile(path, { lines: 4000 }));
    expect(told.tasks[0]?.files).toEqual([
      expect.objectContaining({
        path: 'a.js',
        lines: 4000,
        range: { line: range?.line, endLine: range?.endLine },
      }),
    ]);
  });
});
