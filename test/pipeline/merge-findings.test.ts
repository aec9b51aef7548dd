import { describe, expect, test } from 'vitest';
import type { Finding } from '../../src/domain/finding.ts';
import { verification } from '../../src/domain/synthesis.ts';
import { mergeFindings } from '../../src/pipeline/merge-findings.ts';
import { required } from '../../src/std/assert.ts';
import { finding, findingIdOf, resultOf } from '../helpers/finding-samples.ts';
import { taskIdOf } from '../helpers/samples.ts';

const EXEC = 'exec(`git log ${branch}`, done);';
const place = (line: number, endLine?: number) => ({
  path: 'src/log.js',
  line,
  ...(endLine !== undefined && { endLine }),
});
const stated = (number: number, fields: Partial<Finding>): Finding =>
  finding(number, { place: place(12), quote: EXEC, category: 'command-injection', ...fields });

/** Each in a task of its own. */
const merged = (...findings: readonly Finding[]) =>
  mergeFindings(
    findings.map((one, index) => resultOf(`t-${index}`, one)),
    new Map(),
  );
const idsOf = (findings: ReturnType<typeof merged>) =>
  findings.map(({ id, aliases = [] }) => [id, ...aliases].map((one) => parseInt(one.slice(2), 16)));

test('all that is known of a verdict stays with the finding', () => {
  const said = {
    verdict: 'downgraded',
    severity: 'low',
    by: 'scripted',
    reason: 'Only tests call it.',
    evidence: { place: place(11), quote: 'const done = log;' },
    event: 7,
  } as const;
  const one = stated(7, { severity: 'high' });
  const [joined] = mergeFindings([resultOf('t-0', one)], new Map([[one.id, said]]));
  expect(joined?.verifications).toEqual([{ of: one.id, ...said }]);
  expect(Object.keys(joined?.verifications?.[0] ?? {})).toEqual(Object.keys(verification.shape));
});

describe('one defect', () => {
  test('that a rule, an agent and a tool tell in three ways is one finding with three sources (W82)', () => {
    const rule = stated(7, { provider: 'builtin', severity: 'high', title: 'A shell runs input' });
    const agent = stated(3, {
      category: 'OS command injection',
      severity: 'critical',
      title: 'A branch name reaches the shell',
      explanation: 'A branch may be called `;rm -rf`.',
      quote: `const done = log;\n${EXEC}`,
      place: place(11, 12),
    });
    const tool = stated(5, {
      category: 'CWE-78',
      quote: 'exec(`git log ${branch}`',
      lens: 'security',
    });
    const [one, ...more] = merged(rule, agent, tool);
    expect(more).toEqual([]);
    expect(one).toMatchObject({
      id: findingIdOf(7),
      aliases: [findingIdOf(3), findingIdOf(5)],
      severity: 'critical',
      title: 'A branch name reaches the shell',
      place: place(11, 12),
      sources: [
        { id: findingIdOf(3), task: 't-1' },
        { task: 't-0', title: 'A shell runs input', category: 'command-injection', quote: EXEC },
        { id: findingIdOf(5), task: 't-2', category: 'CWE-78', place: place(12) },
      ],
    });
  });

  test('in words that no table has is one finding when the quote is the same and the titles are alike', () => {
    const one = stated(1, {
      category: 'branch-in-shell',
      title: 'The branch name is run by a shell',
    });
    const two = stated(2, { category: 'unquoted-branch', title: 'A shell runs the branch name' });
    const other = stated(3, { category: 'log-noise', title: 'Too much is logged here' });
    expect(idsOf(merged(one, two, other))).toEqual([[1, 2], [3]]);
  });

  test('is one finding when one quote ends with the statement that another begins with', () => {
    const [before, after] = ['const done = log;', 'return branch;'];
    const upper = stated(1, { quote: `${before}\n${EXEC}`, place: place(11, 12) });
    const lower = stated(2, { quote: `${EXEC}\n${after}`, place: place(12, 13) });
    expect(idsOf(merged(upper, lower))).toEqual([[1, 2]]);
    const bracket = stated(3, { quote: `}\n${after}`, place: place(12, 13) });
    expect(
      idsOf(merged(stated(4, { quote: `${EXEC}\n}`, place: place(11, 12) }), bracket)),
    ).toEqual([[4], [3]]);
  });

  test('bears what analyzers call it, and else the least of its fingerprints, whoever is missing', () => {
    const rule = stated(9, { provider: 'builtin' });
    const agent = stated(4, { category: 'shell-injection' });
    const other = stated(6, { category: 'cmd-injection', severity: 'critical' });
    expect(idsOf(merged(rule, agent, other))).toEqual([[9, 4, 6]]);
    expect(idsOf(merged(agent, other))).toEqual([[4, 6]]);
    expect(idsOf(merged(other, rule))).toEqual([[9, 6]]);
  });
});

describe('two defects', () => {
  test('of two kinds in the same words of source stay two (W81)', () => {
    const line = "db.query('SELECT ' + id, { password: 'hunter2!' });";
    const sql = stated(1, { category: 'sql-injection', quote: line });
    const secret = stated(2, { category: 'hard-coded-password', quote: line });
    expect(idsOf(merged(sql, secret))).toEqual([[1], [2]]);
    const part = stated(3, { category: 'hard-coded-password', quote: "password: 'hunter2!'" });
    expect(idsOf(merged(sql, part))).toEqual([[1], [3]]);
  });

  test('of one kind on one line stay two (W81)', () => {
    const left = stated(1, { category: 'off-by-one', quote: 'rows[count + 1]' });
    const right = stated(2, { category: 'off-by-one', quote: 'columns[width]' });
    expect(idsOf(merged(left, right))).toEqual([[1], [2]]);
  });

  test('stay two when somebody quotes the line that holds both', () => {
    const left = stated(1, { category: 'off-by-one', quote: 'rows[count + 1]' });
    const right = stated(2, { category: 'off-by-one', quote: 'columns[width]' });
    const both = stated(3, {
      category: 'off-by-one-error',
      quote: 'sum += rows[count + 1] * columns[width];',
    });
    expect(idsOf(merged(left, right, both))).toEqual([[1], [2], [3]]);
  });

  test('that are the same statement on different lines, or twice on one, stay two (W81)', () => {
    const [upper, lower] = [stated(1, {}), stated(2, { place: place(40) })];
    expect(idsOf(merged(upper, lower))).toEqual([[1], [2]]);
    expect(idsOf(merged(upper, stated(3, {})))).toEqual([[1], [3]]);
  });

  test('that one agent tells in one answer with two quotes stay two, though one holds the other', () => {
    const wide = stated(1, { quote: `if (isLog) ${EXEC}` });
    const narrow = stated(2, {});
    const merging = (...tasks: ReturnType<typeof resultOf>[]) =>
      idsOf(mergeFindings(tasks, new Map()));
    expect(merging(resultOf('t-1', wide, narrow))).toEqual([[1], [2]]);
    expect(merging(resultOf('t-1', wide), resultOf('t-2', narrow))).toEqual([[1, 2]]);
    const titles = ['The loop starts one too late', 'The loop ends one too late'];
    const [first, last] = titles.map((title, index) =>
      stated(index + 3, { title, category: `loop-${index}` }),
    );
    expect(merging(resultOf('t-1', required(first, 'a'), required(last, 'b')))).toEqual([[3], [4]]);
    const tools = [wide, narrow].map((one): Finding => ({ ...one, provider: 'builtin' }));
    expect(merging(resultOf('t-1', ...tools))).toEqual([[1, 2]]);
  });

  test('whose quotes nobody found are joined by fingerprint only', () => {
    const lost = { anchored: false } as const;
    expect(idsOf(merged(stated(1, lost), stated(2, { ...lost, category: 'CWE-78' })))).toEqual([
      [1],
      [2],
    ]);
    expect(idsOf(merged(stated(1, lost), stated(1, { ...lost, severity: 'low' })))).toEqual([[1]]);
  });

  test('are not one because a chain of quotes leads from one to the other (W81)', () => {
    const lines = Array.from(
      { length: 40 },
      (_, index) => `step(number${index}, input[${index}]);`,
    );
    const chain = lines.slice(1).map((line, index) =>
      stated(index + 1, {
        quote: `${lines[index] ?? ''}\n${line}`,
        place: place(index + 1, index + 2),
      }),
    );
    for (const one of merged(...chain)) expect(one.sources.length).toBeLessThanOrEqual(3);
  });

  test('with a quote longer than a screen belongs to nothing in it', () => {
    const whole = stated(1, { quote: `function log() {\n${EXEC}\n}`, place: place(1, 80) });
    expect(idsOf(merged(whole, stated(2, {})))).toEqual([[1], [2]]);
  });
});

describe('what analyzers said', () => {
  const lead = {
    analyzer: 'flow',
    rule: 'js-shell',
    category: 'command-injection',
    lens: 'security' as const,
    severity: 'high' as const,
    confidence: 'high' as const,
    message: 'Input is run by a shell',
    place: place(12),
    quote: EXEC,
    trace: [
      { place: place(3), says: 'argv is read' },
      { place: place(12), says: 'a shell runs it' },
    ],
  };

  test('names its rule and tells the way of the data', () => {
    const own = stated(1, {
      provider: 'builtin',
      lens: 'security',
      title: lead.message,
    });
    const [one] = mergeFindings([resultOf('t-1', own)], new Map(), { leads: [lead] });
    expect(one).toMatchObject({
      trace: lead.trace,
      sources: [{ analyzer: 'flow', rule: 'js-shell' }],
      analyzers: [{ analyzer: 'flow', rule: 'js-shell' }],
    });
  });

  test('is told beside what an agent found by itself, when it is about the same', () => {
    const agent = stated(1, { category: 'shell-injection' });
    const elsewhere = stated(2, { category: 'shell-injection', place: place(30) });
    const [here, there] = mergeFindings([resultOf('t-1', agent, elsewhere)], new Map(), {
      leads: [lead],
    });
    expect(here).toMatchObject({ analyzers: [{ rule: 'js-shell' }], trace: lead.trace });
    expect(here?.sources[0]).not.toHaveProperty('rule');
    expect(there).not.toHaveProperty('analyzers');
  });
});

test('a finding about the design is one that design tasks alone state', () => {
  const results = [
    resultOf(taskIdOf(1), finding(1), finding(2)),
    resultOf(taskIdOf(2), finding(2)),
  ];
  const found = mergeFindings(results, new Map(), { designTasks: new Set([taskIdOf(1)]) });
  expect(found.map(({ design }) => design)).toEqual([true, undefined]);
});
