import { describe, expect, test } from 'vitest';
import { prepareAnchorText } from '../../src/pipeline/anchor.ts';
import { judgeAnswer, openTasksAfter, type JudgedTask } from '../../src/pipeline/judge-answer.ts';
import { brief, bytesOf, statedFinding } from '../helpers/review-samples.ts';

const PAY = `function pay(account, amount) {
  account.balance -= amount;
  return account;
}

function refund(account, amount) {
  account.balance += amount;
}
`;
const FILES: Readonly<Record<string, string>> = { 'src/pay.js': PAY, 'src/empty.js': '' };
const BRIEF = brief(['security', 'correctness', 'tests'], FILES);
const [SECURITY = '', CORRECTNESS = '', TESTS = ''] = BRIEF.tasks.map((task) => task.id);
const clean = (task: string) => ({ task, verdict: 'clean' });

const judge = (answer: unknown, settled: readonly string[] = []): readonly JudgedTask[] =>
  judgeAnswer({
    bytes: answer instanceof Uint8Array ? answer : bytesOf(answer),
    brief: BRIEF,
    settled: new Set(settled),
    provider: 'scripted',
    read: (path) => FILES[path],
  });
const judgeResults = (...results: readonly unknown[]) => judge({ packet: BRIEF.packet, results });
const codeOf = (judged: readonly JudgedTask[], task?: string): string | undefined => {
  const one = judged.find((verdict) => verdict.task === task);
  return one?.kind === 'rejected' ? one.code : one?.kind;
};
const onlyFinding = (judged: readonly JudgedTask[], task = SECURITY) => {
  const one = judged.find((verdict) => verdict.task === task);
  return one?.kind === 'accepted' ? one.result.findings[0] : undefined;
};
const finding = (fields: Readonly<Record<string, unknown>> = {}) => ({
  task: SECURITY,
  verdict: 'findings',
  findings: [statedFinding(fields)],
});

describe('an answer as a whole', () => {
  test.each([
    ['nothing at all', new Uint8Array()],
    [
      'bytes that are not UTF-8',
      new Uint8Array([...bytesOf('{"packet":"'), 0xff, ...bytesOf('","results":[{}]}')]),
    ],
    ['half a document', bytesOf('{"packet": "p-')],
    ['prose around the document', bytesOf('Here it is: {}')],
    ['brackets without end', bytesOf('['.repeat(200_000))],
  ])('that is %s is unreadable, and settles nothing', (_, bytes) => {
    const judged = judge(bytes);
    expect(judged).toHaveLength(1);
    expect(codeOf(judged)).toBe('unreadable-answer');
    expect(openTasksAfter(BRIEF, new Set(), judged)).toEqual([SECURITY, CORRECTNESS, TESTS]);
  });

  test.each([
    ['null', null],
    ['no results', { packet: BRIEF.packet, results: [] }],
    ['results of another kind', { packet: BRIEF.packet, results: 'clean' }],
    ['a field of its own', { packet: BRIEF.packet, results: [clean(SECURITY)], model: 'm' }],
  ])('with %s has the wrong shape', (_, answer) => {
    expect(codeOf(judge(answer))).toBe('wrong-shape');
  });

  test('for another packet is refused', () => {
    const judged = judge({ packet: 'p-0000000000000009', results: [clean(SECURITY)] });
    expect(judged).toHaveLength(1);
    expect(codeOf(judged)).toBe('wrong-packet');
  });

  test('with far more results than tasks is refused in one word, not in a word for each', () => {
    const stray = judge({
      packet: BRIEF.packet,
      results: Array.from({ length: 200_000 }, () => 0),
    });
    expect(stray).toMatchObject([{ kind: 'rejected', code: 'wrong-shape' }]);
    const twice = Array.from({ length: 100_000 }, () => clean(SECURITY));
    expect(judge({ packet: BRIEF.packet, results: twice })).toHaveLength(1);
  });

  test('cannot write control characters into the refusal', () => {
    const [judged] = judge({ packet: '\u001b[2J\n', results: [clean(SECURITY)] });
    expect(judged?.kind === 'rejected' ? judged.message : '\n').not.toMatch(/\p{C}/u);
  });

  test('may begin with a byte-order mark', () => {
    const text = JSON.stringify({ packet: BRIEF.packet, results: [clean(SECURITY)] });
    expect(codeOf(judge(bytesOf(`\uFEFF${text}`)), SECURITY)).toBe('accepted');
  });
});

describe('one task of an answer', () => {
  test('is clean only when the answer says so; a task that it leaves out stays open', () => {
    const judged = judgeResults(clean(SECURITY));
    expect(codeOf(judged, SECURITY)).toBe('accepted');
    expect(codeOf(judged, CORRECTNESS)).toBe('not-accounted-for');
    expect(openTasksAfter(BRIEF, new Set(), judged)).toEqual([CORRECTNESS, TESTS]);
  });

  test.each([
    ['no-verdict', { task: SECURITY }],
    ['no-verdict', { task: SECURITY, verdict: 'probably fine' }],
    ['wrong-shape', { task: SECURITY, verdict: 'clean', findings: [statedFinding()] }],
    ['wrong-shape', { task: SECURITY, verdict: 'findings', findings: [] }],
    ['wrong-shape', finding({ severity: 'fatal' })],
    ['wrong-shape', finding({ cwe: 89 })],
    ['wrong-shape', finding({ quote: '  ' })],
    ['path-outside-task', finding({ path: '../etc/passwd' })],
    ['path-outside-task', finding({ path: './src/other.js' })],
    ['invalid-location', finding({ line: 9 })],
    ['invalid-location', finding({ line: 3, endLine: 2 })],
    ['invalid-location', finding({ line: 3, endLine: 900 })],
    ['invalid-location', finding({ path: 'src/empty.js', line: 1 })],
  ])('is refused as %s without harm to the others', (code, part) => {
    const judged = judgeResults(part, clean(CORRECTNESS), clean(TESTS));
    expect(codeOf(judged, SECURITY)).toBe(code);
    expect(codeOf(judged, CORRECTNESS)).toBe('accepted');
    expect(codeOf(judged, TESTS)).toBe('accepted');
  });

  test.each([
    ['wrong-shape', 'clean'],
    ['wrong-shape', null],
    ['wrong-shape', { verdict: 'clean' }],
    ['unknown-task', clean('t-00000000000000ff')],
    ['unknown-task', clean('../\u001b[2J')],
  ])('that cannot be placed (%s) is told and spoils nothing', (code, part) => {
    const judged = judgeResults(part, clean(SECURITY), clean(CORRECTNESS), clean(TESTS));
    expect(codeOf(judged)).toBe(code);
    expect(judged.filter((one) => one.kind === 'accepted')).toHaveLength(3);
    for (const one of judged)
      if (one.kind === 'rejected') expect(one.message).not.toMatch(/\p{C}/u);
  });

  test('is never clean where the model was measured to have said nothing; findings that it shows stand (B17)', () => {
    const [one, other] = judgeAnswer({
      bytes: bytesOf({ packet: BRIEF.packet, results: [clean(CORRECTNESS), finding()] }),
      brief: BRIEF,
      settled: new Set([TESTS]),
      provider: 'scripted',
      read: (path) => FILES[path],
      isWordless: true,
    });
    expect(one).toMatchObject({ kind: 'accepted', task: SECURITY });
    expect(other).toMatchObject({ task: CORRECTNESS, code: 'no-work-measured' });
  });

  test('said twice alike counts once; said in two ways it is refused', () => {
    expect(codeOf(judgeResults(clean(SECURITY), clean(SECURITY)), SECURITY)).toBe('accepted');
    expect(codeOf(judgeResults(clean(SECURITY), finding()), SECURITY)).toBe('conflicting-answer');
    expect(
      codeOf(judgeResults(clean(SECURITY), { task: SECURITY, verdict: 'clean', x: 1 }), SECURITY),
    ).toBe('conflicting-answer');
  });

  test('that is settled already is judged where the answer speaks of it, to tell a repeat from a conflict', () => {
    const answer = { packet: BRIEF.packet, results: [clean(SECURITY), clean(CORRECTNESS)] };
    const judged = judge(answer, [SECURITY, TESTS]);
    expect(judged.map((one) => [one.task, codeOf([one], one.task)])).toEqual([
      [SECURITY, 'accepted'],
      [CORRECTNESS, 'accepted'],
    ]);
  });
});

describe('a quote', () => {
  test('is found again with other white space, and the finding moves to where it stands', () => {
    const found = onlyFinding(
      judgeResults(finding({ line: 4, quote: 'account.balance   -=\tamount;' })),
    );
    expect(found).toMatchObject({ anchored: true, place: { path: 'src/pay.js', line: 2 } });
  });

  test('of several lines gives the place its end', () => {
    const quote = 'account.balance -= amount;\n    return account;';
    expect(onlyFinding(judgeResults(finding({ quote })))?.place).toEqual({
      path: 'src/pay.js',
      line: 2,
      endLine: 3,
    });
  });

  test('that stands several times is taken nearest to the stated line', () => {
    const at = (line: number) =>
      onlyFinding(judgeResults(finding({ line, quote: 'account' })))?.place.line;
    expect([at(1), at(3), at(8)]).toEqual([1, 3, 7]);
  });

  test('that stands above and below, equally near, is taken above', () => {
    const source = prepareAnchorText('pay();\n\ny();\n\npay();\n');
    expect([2, 3, 4].map((line) => source.find('pay();', line)?.line)).toEqual([1, 1, 5]);
  });

  test('that the file does not hold leaves the finding unanchored, and kept', () => {
    const found = onlyFinding(judgeResults(finding({ quote: 'account.balance -= amount + 1;' })));
    expect(found).toMatchObject({ anchored: false, place: { line: 2 } });
  });

  test('cannot be found in a file that cannot be read', () => {
    const judged = judgeAnswer({
      bytes: bytesOf({ packet: BRIEF.packet, results: [finding()] }),
      brief: BRIEF,
      settled: new Set(),
      provider: 'scripted',
      read: () => undefined,
    });
    expect(onlyFinding(judged)?.anchored).toBe(false);
  });
});
