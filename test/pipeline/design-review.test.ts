import { expect, test } from 'vitest';
import { digest } from '../../src/domain/ids.ts';
import type { Assessment } from '../../src/pipeline/design/assessment.ts';
import { DESIGN_TASKS_MAX, planDesignReview } from '../../src/pipeline/design-review.ts';
import type { FileOf } from '../../src/pipeline/review-facts.ts';
import { sha256Hex } from '../../src/std/digest.ts';

const cycle = (...paths: readonly string[]): Assessment => ({
  rule: 'loading-cycle',
  statement: 'Two files import each other.',
  paths: [...paths],
  evidence: paths.map((path) => ({ path, line: 1, note: 'import' })),
  figures: { files: paths.length },
  strength: 1,
});

const files =
  (content: string, size = 1000): FileOf =>
  (path) => ({
    path,
    kind: 'file',
    tracked: true,
    size,
    lines: 10,
    encoding: 'text',
    language: 'JavaScript',
    marks: [],
    digest: digest.parse(sha256Hex(content + path)),
  });

const plan = (
  assessments: readonly Assessment[],
  fileOf: FileOf = files('x'),
  tokensMax = 10_000,
) => planDesignReview(assessments, fileOf, tokensMax);

test('an assessment makes a task over its files, known by its question and their content', () => {
  const [one] = plan([cycle('a.js', 'b.js')]);
  expect(one?.task).toMatchObject({
    kind: 'design',
    lens: 'architecture',
    paths: ['a.js', 'b.js'],
  });
  expect(plan([cycle('a.js', 'b.js')])[0]?.task.id).toBe(one?.task.id);
  expect(plan([cycle('a.js', 'b.js')], files('y'))[0]?.task.id).not.toBe(one?.task.id);
  const other = { ...cycle('a.js', 'b.js'), figures: { files: 3 } };
  expect(plan([other])[0]?.task.id).not.toBe(one?.task.id);
});

test('rules take turns, and there is a bound (W50)', () => {
  const cycles = Array.from({ length: 40 }, (_, index) => cycle(`a${index}.js`));
  const hub: Assessment = { ...cycle('hub.js'), rule: 'hub' };
  const asked = plan([...cycles, hub]);
  expect(asked).toHaveLength(DESIGN_TASKS_MAX);
  expect(asked.slice(0, 2).map(({ task }) => task.unit)).toEqual([
    'design:loading-cycle',
    'design:hub',
  ]);
});

test('only files that have room are asked about, and none at all if the first has none', () => {
  expect(
    plan([cycle('a.js', 'b.js', 'c.js')], files('x', 10_000), 7000)[0]?.task.paths,
  ).toHaveLength(2);
  expect(plan([cycle('a.js')], files('x', 10_000_000))).toEqual([]);
});

test('a question is one line, whatever the names of files are', () => {
  const [one] = plan([cycle('a\n```\nb.js', 'c\u202E.js')]);
  expect(one?.question).not.toMatch(/\n|```|\u202E/);
  expect(JSON.parse(one?.question ?? '')).toMatchObject({ rule: 'loading-cycle' });
});
