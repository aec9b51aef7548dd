import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeAnswer, openTasksAfter, type JudgedTask } from '../../src/pipeline/judge-answer.ts';
import { validateAuditResults } from '../../src/pipeline/audit-results.ts';
import { taskNamedBy } from '../../src/pipeline/results-for-packet.ts';
import { auditFinding, auditResult, assignedTasksOf } from '../helpers/audit-result-samples.ts';
import { ONE_LINE } from '../helpers/one-line.ts';
import { brief, bytesOf } from '../helpers/review-samples.ts';

const PAY = `function pay(account, amount) {
  account.balance -= amount;
  return account;
}
`;
const FILES: Readonly<Record<string, string>> = { 'src/pay.js': PAY, 'src/empty.js': '' };
const BRIEF = brief(['security', 'correctness', 'tests'], FILES);
const [SECURITY, CORRECTNESS, TESTS] = BRIEF.tasks as [Task, Task, Task];
type Task = (typeof BRIEF.tasks)[number];
const ELSEWHERE = 't-00000000000000ee';

/** Where an entry stands in the answer means nothing. */
const judge = (entries: unknown, settled: readonly string[] = []): readonly JudgedTask[] =>
  judgeEntries(entries, settled).map((one) => ({ ...one, troubles: [] }));
const judgeEntries = (entries: unknown, settled: readonly string[]): readonly JudgedTask[] =>
  judgeAnswer({
    bytes: bytesOf(entries),
    brief: BRIEF,
    settled: new Set(settled),
    provider: 'handoff',
    read: (path) => FILES[path],
    isPlannedElsewhere: (task) => task === ELSEWHERE,
  });
const verdictOn = (judged: readonly JudgedTask[], { id }: Task): JudgedTask | undefined =>
  judged.find(({ task }) => task === id);
const codeOn = (judged: readonly JudgedTask[], task: Task): string | undefined => {
  const one = verdictOn(judged, task);
  return one?.kind === 'rejected' ? one.code : one?.kind;
};
const onlyFinding = (fields: Readonly<Record<string, unknown>>) => {
  const entry = auditResult(SECURITY, { findings: [auditFinding(SECURITY, fields)] });
  const verdict = verdictOn(judge([entry]), SECURITY);
  return verdict?.kind === 'accepted' ? verdict.result.findings[0] : undefined;
};

/** Entries of all sorts about one task: two that hold, and others with one thing wrong. */
const entryOf = (task: Task) =>
  fc.constantFrom(
    auditResult(task),
    auditResult(task, { findings: [auditFinding(task)] }),
    auditResult(task, { unit_id: 'another' }),
    auditResult(task, { file_coverage: [{ path: 'src/pay.js', total_lines: 4 }] }),
    auditResult(task, { findings: 'none' }),
    auditResult(task, { findings: [auditFinding(task, { evidence: [] })] }),
    auditResult(task, { findings: [auditFinding(task, { affected_files: [{ path: '../x' }] })] }),
  );
const strayEntry = fc.constantFrom<unknown>(
  null,
  'clean',
  [],
  { findings: [] },
  auditResult(SECURITY, { task_id: ELSEWHERE }),
  auditResult(SECURITY, { task_id: 't-00000000000000ff' }),
  auditResult(SECURITY, { task_id: '\u001b[2J\u202e' }),
);
const anyEntry = fc.oneof(entryOf(SECURITY), entryOf(CORRECTNESS), entryOf(TESTS), strayEntry);

describe('an array of results in the form of the predecessor', () => {
  test('is judged alike in whatever order its entries stand', () => {
    const shuffled = fc
      .array(anyEntry, { maxLength: 8 })
      .chain((entries) =>
        fc.tuple(
          fc.constant(entries),
          fc.shuffledSubarray(entries, { minLength: entries.length, maxLength: entries.length }),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([entries, other]) => {
        expect(judge(other)).toEqual(judge(entries));
      }),
    );
  });

  test('gives each task the verdict that it would have alone: a broken entry spoils no other (R10)', () => {
    fc.assert(
      fc.property(
        entryOf(SECURITY),
        entryOf(CORRECTNESS),
        fc.array(strayEntry, { maxLength: 4 }),
        (first, second, strays) => {
          const together = judge([first, ...strays, second]);
          expect(verdictOn(together, SECURITY)).toEqual(verdictOn(judge([first]), SECURITY));
          expect(verdictOn(together, CORRECTNESS)).toEqual(verdictOn(judge([second]), CORRECTNESS));
        },
      ),
    );
  });

  test('has an entry accepted exactly when the rules find no error in it', () => {
    const tasks = assignedTasksOf(BRIEF);
    const lines = new Map(SECURITY.files.map((file) => [file.path, file.lines] as const));
    fc.assert(
      fc.property(entryOf(TESTS), (entry) => {
        const [issue] = validateAuditResults([entry], tasks, lines);
        const verdict = verdictOn(judge([entry]), TESTS);
        expect(verdict?.kind).toBe(issue === undefined ? 'accepted' : 'rejected');
        if (verdict?.kind === 'rejected') expect(verdict.message).toBe(issue?.message);
      }),
    );
  });

  test('of anything at all ends in verdicts that can be printed', () => {
    const anything = fc.array(
      fc.oneof(
        fc.jsonValue({ stringUnit: 'binary' }),
        fc.record({
          task_id: fc.constantFrom(SECURITY.id, TESTS.id),
          file_coverage: fc.jsonValue({ stringUnit: 'binary' }),
          findings: fc.array(fc.jsonValue()),
          lens: fc.string({ unit: 'binary' }),
        }),
      ),
    );
    fc.assert(
      fc.property(anything, (entries) => {
        for (const one of judge(entries))
          expect(one.kind === 'rejected' ? one.message : 'accepted').toMatch(ONE_LINE);
      }),
    );
  });

  test.each([
    ['no entry', []],
    ['entries about tasks of other packets only', [auditResult(SECURITY, { task_id: ELSEWHERE })]],
  ])('with %s settles nothing and is told so (R14)', (_what, entries) => {
    const judged = judge(entries);
    expect(judged).toMatchObject([{ kind: 'rejected', code: 'no-verdict' }]);
    expect(openTasksAfter(BRIEF, new Set(), judged)).toEqual(BRIEF.tasks.map(({ id }) => id));
  });

  test('takes nothing for a task of another packet, whatever entries about it say (R45)', () => {
    const foreign = [
      auditResult(SECURITY, { task_id: ELSEWHERE }),
      auditResult(SECURITY, { task_id: ELSEWHERE, findings: [auditFinding(SECURITY)] }),
      { task_id: ELSEWHERE, findings: 'broken' },
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(foreign), entryOf(CORRECTNESS), (entries, own) => {
        expect(judge([...entries, own])).toEqual(judge([own]));
      }),
    );
  });

  test('need not speak again of what is settled', () => {
    const judged = judge([auditResult(CORRECTNESS)], [SECURITY.id]);
    expect(codeOn(judged, SECURITY)).toBeUndefined();
    expect(codeOn(judged, CORRECTNESS)).toBe('accepted');
    expect(openTasksAfter(BRIEF, new Set([SECURITY.id]), judged)).toEqual([TESTS.id]);
  });

  test('tells of tasks that nobody planned once, by their names', () => {
    const names = ['d', 'b', 'a', 'c', 'a', '\u001b[2J'];
    const strays = names.map((name) => auditResult(SECURITY, { task_id: name }));
    const [told, ...rest] = judge([...strays, auditResult(SECURITY)]);
    expect(told).toMatchObject({ code: 'unknown-task' });
    expect(told?.kind === 'rejected' ? told.message : '').toMatch(/"a", "b" and 2 more\.$/);
    expect(rest.filter((one) => one.kind === 'rejected' && one.code === 'unknown-task')).toEqual(
      [],
    );
  });

  test('says the same of a task twice without harm, and two things not at all', () => {
    const clean = auditResult(SECURITY);
    const found = auditResult(SECURITY, { findings: [auditFinding(SECURITY)] });
    expect(codeOn(judge([clean, clean]), SECURITY)).toBe('accepted');
    expect(codeOn(judge([clean, found]), SECURITY)).toBe('conflicting-answer');
  });

  test.each([
    ['wrong-shape', { pass_id: 'pass:tests' }],
    ['wrong-shape', { lens: undefined }],
    ['wrong-shape', { verification: { verified: 'yes' } }],
    ['not-accounted-for', { file_coverage: [{ path: 'src/pay.js', total_lines: 4 }] }],
    ['invalid-location', { file_coverage: [{ path: 'src/pay.js', total_lines: 5 }] }],
    ['path-outside-task', { file_coverage: [{ path: 'src/other.js', total_lines: 4 }] }],
    ['invalid-location', { findings: [auditFinding(SECURITY, spanOf(4, 5))] }],
  ])('has a broken entry refused as %s', (code, fields) => {
    expect(codeOn(judge([auditResult(SECURITY, fields)]), SECURITY)).toBe(code);
  });

  test('may declare its coverage in the way of another system', () => {
    const file_coverage = [
      { path: '.\\src\\pay.js', total_lines: 4 },
      { path: './src/empty.js', total_lines: 0 },
    ];
    expect(codeOn(judge([auditResult(SECURITY, { file_coverage })]), SECURITY)).toBe('accepted');
  });

  test('may bring a verification that nobody asked for', () => {
    const verification = { verified: true, needs_followup: false };
    expect(codeOn(judge([auditResult(SECURITY, { verification })]), SECURITY)).toBe('accepted');
  });

  test('names its tasks, so that its packets can be found', () => {
    expect([auditResult(SECURITY), { task_id: ' ' }, 5].map(taskNamedBy)).toEqual([
      SECURITY.id,
      undefined,
      undefined,
    ]);
  });
});

describe('a finding in the form of the predecessor', () => {
  test('keeps what it says and stands where its evidence is found', () => {
    expect(onlyFinding({ affected_files: [{ path: 'src/pay.js' }] })).toMatchObject({
      title: 'The balance is not checked',
      category: 'missing-check',
      severity: 'high',
      confidence: 'medium',
      lens: 'security',
      explanation: 'An account can be overdrawn.',
      place: { path: 'src/pay.js', line: 2 },
      quote: 'account.balance -= amount;',
      anchored: true,
    });
  });

  test.each([
    ['src/pay.js:3-3: return account;', 'return account;'],
    ['./src/pay.js:3 — return account;', 'return account;'],
  ])('finds the source text in the evidence "%s"', (line, quote) => {
    const evidence = ['It is so.', 'src/other.js:9 - nothing();', line];
    expect(onlyFinding({ evidence })).toMatchObject({ quote, anchored: true });
  });

  test('without source text in its evidence is kept, not anchored, at its line', () => {
    expect(onlyFinding({ evidence: [' ', 'I saw it.'] })).toMatchObject({
      quote: 'I saw it.',
      anchored: false,
      place: { path: 'src/pay.js', line: 2 },
    });
  });

  test('without a first line stands at line 1, whatever its last line', () => {
    const affected_files = [{ path: 'src/pay.js', line_end: 500 }];
    expect(onlyFinding({ affected_files, evidence: ['so'] })?.place).toEqual({
      path: 'src/pay.js',
      line: 1,
    });
  });

  test('tells its other files and what else is known in the explanation', () => {
    const affected_files = [{ path: 'src/pay.js', line_start: 2 }, { path: 'src/empty.js' }];
    const more = { impact: 'Money is lost.', likelihood: 7, reproduction: ['Pay.', 'Pay again.'] };
    expect(onlyFinding({ affected_files, ...more })?.explanation).toBe(
      'An account can be overdrawn.\n\nImpact: Money is lost.\n\n' +
        'Reproduction:\nPay.\nPay again.\n\nAlso affected: src/empty.js',
    );
  });

  test('longer than the contract allows is cut, never refused for it', () => {
    const long = '👍'.repeat(9000);
    const found = onlyFinding({
      title: long,
      category: long,
      summary: long,
      evidence: [`a${long}`],
    });
    expect(found?.title).toHaveLength(299);
    expect(found?.explanation.length).toBeLessThanOrEqual(8000);
    expect(found?.quote).not.toMatch(/\p{Cs}/u);
  });
});

function spanOf(start: number, end: number) {
  return { affected_files: [{ path: 'src/pay.js', line_start: start, line_end: end }] };
}
