import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeAnswer, type JudgedTask } from '../../src/pipeline/judge-answer.ts';
import { brief, bytesOf, statedFinding } from '../helpers/review-samples.ts';

const PAY = `function pay(account, amount) {
  account.balance -= amount;
  return account;
}
`;
const BRIEF = brief(['security', 'correctness'], { 'src/pay.js': PAY });
const [SECURITY = '', CORRECTNESS = ''] = BRIEF.tasks.map(({ id }) => id);
const RESULTS = [
  { task: SECURITY, verdict: 'findings', findings: [statedFinding()] },
  { task: CORRECTNESS, verdict: 'clean' },
];
const WHOLE = { packet: BRIEF.packet, results: RESULTS };
const TEXT = JSON.stringify(WHOLE, undefined, 2);

const judge = (answer: unknown): readonly JudgedTask[] =>
  judgeAnswer({
    bytes: answer instanceof Uint8Array ? answer : bytesOf(answer),
    brief: BRIEF,
    settled: new Set(),
    provider: 'scripted',
    read: (path) => (path === 'src/pay.js' ? PAY : undefined),
  });
/** What is taken, without what was put right for it. */
const taken = (judged: readonly JudgedTask[]) =>
  judged.map((one) => (one.kind === 'accepted' ? one.result : one.code));
const repairsOf = (judged: readonly JudgedTask[]): readonly string[] => [
  ...new Set(judged.flatMap((one) => (one.kind === 'accepted' ? one.repairs : []))),
];
const AS_IT_IS = taken(judge(TEXT));
const utf16 = (text: string, isBig: boolean): Uint8Array => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};

describe('an answer that is good but for how it is written', () => {
  test.each<[string, unknown, RegExp | undefined]>([
    ['as it should be', TEXT, undefined],
    ['with a byte-order mark', `\uFEFF${TEXT}`, undefined],
    ['in a fence', `\`\`\`json\n${TEXT}\n\`\`\`\n`, /text stood around/],
    ['in prose', `Here is {my} answer [1]:\n\n${TEXT}\n\nI hope it helps. {}`, /text stood around/],
    [
      'after a draft',
      `${JSON.stringify({ ...WHOLE, results: [{}] })}\n${TEXT}`,
      /last one was taken/,
    ],
    ['with comments', TEXT.replace('{', '{ // my answer\n /* all of it */'), /comments/],
    ['with trailing commas', TEXT.replaceAll(/\n( *)([\]}])/g, ',\n$1$2'), /trailing commas/],
    ['with raw line breaks', TEXT.replace('can be', 'can\nbe'), /line breaks/],
    ['as a text in JSON', JSON.stringify(TEXT), /a text that holds JSON/],
    ['as UTF-16', utf16(`\uFEFF${TEXT}`, false), /UTF-16/],
    ['as UTF-16 with its bytes swapped', utf16(TEXT, true), /UTF-16/],
    ['as its list alone', RESULTS, /list of results alone/],
    ['without the name of its packet', { results: RESULTS }, /did not name its packet/],
    [
      'with its list as a text',
      { ...WHOLE, results: JSON.stringify(RESULTS) },
      /text that holds a list/,
    ],
    [
      'with its results as texts',
      { ...WHOLE, results: RESULTS.map((one) => JSON.stringify(one)) },
      /text that holds an object/,
    ],
    [
      'with findings as a text',
      {
        ...WHOLE,
        results: [{ ...RESULTS[0], findings: JSON.stringify([statedFinding()]) }, RESULTS[1]],
      },
      /findings: a text/,
    ],
    [
      'with words in other letters',
      {
        ...WHOLE,
        results: [
          { ...RESULTS[0], findings: [statedFinding({ severity: 'HIGH', confidence: ' High' })] },
          { task: CORRECTNESS, verdict: 'Clean' },
        ],
      },
      /severity: "high" in other letters/,
    ],
    [
      'with lines as texts, null for nothing, and an empty list',
      {
        ...WHOLE,
        results: [
          {
            ...RESULTS[0],
            findings: [statedFinding({ line: '2.0', endLine: null, suggestion: null })],
          },
          { task: CORRECTNESS, verdict: 'clean', findings: [] },
        ],
      },
      /line: a number written as a text/,
    ],
  ])('%s is taken whole, and says what was put right', (_, answer, repair) => {
    const judged = judge(answer);
    const text = JSON.stringify(taken(judged));
    expect(JSON.parse(text.replace('can\\nbe', 'can be'))).toEqual(AS_IT_IS);
    if (repair === undefined) expect(repairsOf(judged)).toEqual([]);
    else expect(repairsOf(judged).join('\n')).toMatch(repair);
  });

  test('whatever stands around it comes to the same', () => {
    const noise = fc.string().filter((text) => !/[[{"\\/]/.test(text));
    fc.assert(
      fc.property(noise, noise, (before, after) => {
        expect(taken(judge(`${before}${TEXT}${after}`))).toEqual(AS_IT_IS);
      }),
    );
  });
});

describe('an answer that was cut', () => {
  test('is taken as far as its results are whole; the others are not accounted for', () => {
    const [first, second] = AS_IT_IS;
    const compact = JSON.stringify(WHOLE);
    const lastOfFirst = compact.indexOf(`},{"task":"${CORRECTNESS}`) + 1;
    for (let length = 1; length < compact.length; length += 1) {
      const judged = judge(compact.slice(0, length));
      if (length < lastOfFirst) {
        expect(judged.every(({ kind }) => kind === 'rejected')).toBe(true);
      } else {
        const isWhole = length >= compact.length - 2;
        expect(taken(judged)).toEqual([first, isWhole ? second : 'not-accounted-for']);
        expect(repairsOf(judged).join()).toContain('end was missing');
      }
    }
  });
});

describe('a verdict is never guessed', () => {
  test.each<[string, unknown, string]>([
    ['prose', 'All of it is clean.', 'unreadable-answer'],
    ['a fence without an answer', '```json\n{"verdict": "clean"}\n```', 'unreadable-answer'],
    [
      'no verdict beside no findings',
      { ...WHOLE, results: [{ task: SECURITY, findings: [] }] },
      'no-verdict',
    ],
    [
      'a word that is like one',
      { ...WHOLE, results: [{ task: SECURITY, verdict: 'cleanish' }] },
      'no-verdict',
    ],
    [
      'clean beside findings',
      { ...WHOLE, results: [{ ...RESULTS[0], verdict: 'clean' }] },
      'wrong-shape',
    ],
    [
      'two documents that come to different verdicts',
      `${TEXT}\n\n${JSON.stringify({ ...WHOLE, results: [{ task: SECURITY, verdict: 'clean' }] })}`,
      'conflicting-answer',
    ],
  ])('from %s', (_, answer, code) => {
    const judged = judge(answer);
    expect(judged.find(({ task }) => task === SECURITY || task === undefined)).toMatchObject({
      kind: 'rejected',
      code,
    });
  });
});

test('a text full of brackets is looked through in bounded time', () => {
  for (const text of [
    '[{"a":'.repeat(200_000),
    '{"results":['.repeat(100_000),
    '[[[1],'.repeat(50_000),
  ]) {
    expect(judge(text)).toMatchObject([{ kind: 'rejected', code: 'unreadable-answer' }]);
  }
});
