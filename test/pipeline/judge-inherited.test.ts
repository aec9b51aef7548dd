import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PacketBrief } from '../../src/domain/packet-brief.ts';
import { judgeAnswer } from '../../src/pipeline/judge-answer.ts';
import { judgeInherited } from '../../src/pipeline/judge-inherited.ts';

const PATH = 'lib/pay.js';
const LINES = ['const a = 1;', 'eval(a);', 'const b = 2;', 'eval(a);', ''];
const TEXT = LINES.join('\n');
const TASK: PacketBrief['tasks'][number] = {
  id: 't-0123456789abcdef',
  kind: 'review',
  lens: 'security',
  unit: 'lib',
  files: [{ path: PATH, lines: 4, digest: 'd' }],
};
const BRIEF: PacketBrief = {
  contract: 'casefile/packet/v1',
  answerVersion: 1,
  packet: 'p-0123456789abcdef',
  promptDigest: 'd',
  tasks: [TASK],
};
const read = (path: string): string | undefined => (path === PATH ? TEXT : undefined);

const statedArbitrary = fc.record({
  title: fc.constantFrom('Bad', 'Worse'),
  category: fc.constantFrom('eval', 'style'),
  severity: fc.constantFrom('high', 'low'),
  confidence: fc.constantFrom('high', 'low'),
  path: fc.constant(PATH),
  line: fc.integer({ min: 1, max: 4 }),
  quote: fc.constantFrom('eval(a);', 'const  b = 2;', 'not in the file'),
  explanation: fc.constant('It is.'),
});

const judged = (findings: readonly unknown[]) => {
  const result =
    findings.length === 0
      ? { task: TASK.id, verdict: 'clean' }
      : { task: TASK.id, verdict: 'findings', findings };
  const [one] = judgeAnswer({
    bytes: Buffer.from(JSON.stringify({ packet: BRIEF.packet, results: [result] })),
    brief: BRIEF,
    settled: new Set(),
    provider: 'command',
    read,
  });
  if (one?.kind !== 'accepted') throw new Error('the answer is a good one');
  return one;
};

test('a result that is judged again over the same content comes out the same: places, fingerprints and all', () => {
  fc.assert(
    fc.property(fc.array(statedArbitrary, { maxLength: 5 }), (findings) => {
      const first = judged(findings);
      const again = judgeInherited(TASK, first.result, { provider: 'command', read });
      // What was put right in the answer itself is put right.
      expect(again).toEqual({ ...first, repairs: [] });
    }),
  );
});

test('what would not be accepted today is asked again', () => {
  const { result } = judged([
    {
      ...{ title: 'Bad', category: 'eval', severity: 'high', confidence: 'high' },
      ...{ path: PATH, line: 2, quote: 'eval(a);', explanation: 'It is.' },
    },
  ]);
  const [finding] = result.findings;
  if (finding === undefined) throw new Error('it has a finding');
  const again = (task: typeof TASK, stored: Parameters<typeof judgeInherited>[1], from = read) =>
    judgeInherited(task, stored, { provider: 'command', read: from });
  expect(again(TASK, result)).toMatchObject({ kind: 'accepted' });
  // The file cannot be read any more, is none of the task's, or is shorter than the place.
  expect(again(TASK, result, () => undefined)).toBeUndefined();
  expect(again({ ...TASK, files: [] }, result)).toBeUndefined();
  expect(
    again({ ...TASK, files: [{ path: PATH, lines: 1, digest: 'd' }] }, result),
  ).toBeUndefined();
  // A verdict that says nothing, or contradicts itself.
  expect(again(TASK, { verdict: 'findings', findings: [] })).toBeUndefined();
  expect(again(TASK, { verdict: 'clean', findings: [finding] })).toBeUndefined();
});
