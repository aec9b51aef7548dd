import { expect, test } from 'vitest';
import { judgeAnswer, type JudgedTask } from '../../src/pipeline/judge-answer.ts';
import { brief, bytesOf, statedFinding } from '../helpers/review-samples.ts';

const FILES: Readonly<Record<string, string>> = {
  'src/pay.js': 'function pay(account, amount) {\n  account.balance -= amount;\n}\n',
};
const PLAIN = brief(['security'], FILES);
const STEWARD = {
  ...PLAIN,
  tasks: PLAIN.tasks.map((task) => ({ ...task, asksFollowUps: true as const })),
};
const TASK = PLAIN.tasks[0]?.id ?? '';
const ASKED = { paths: ['src/ledger.js'], question: 'Is the balance checked there?' };

const judge = (result: object, of: typeof PLAIN = STEWARD): JudgedTask | undefined =>
  judgeAnswer({
    bytes: bytesOf({ packet: of.packet, results: [{ task: TASK, ...result }] }),
    brief: of,
    settled: new Set(),
    provider: 'scripted',
    read: (path) => FILES[path],
  })[0];

test('who looks over a whole lens may ask for more, whatever the verdict is', () => {
  const clean = judge({ verdict: 'clean', followUps: [ASKED] });
  expect(clean).toMatchObject({ kind: 'accepted', result: { followUps: [ASKED] }, repairs: [] });
  const findings = [
    statedFinding({ path: 'src/pay.js', line: 2, quote: 'account.balance -= amount;' }),
  ];
  const found = judge({ verdict: 'findings', findings, followUps: [ASKED] });
  expect(found).toMatchObject({ kind: 'accepted', result: { followUps: [ASKED] } });
});

test('nobody else may', () => {
  const other = judge({ verdict: 'clean', followUps: [ASKED] }, PLAIN);
  expect(other).toMatchObject({ kind: 'rejected', code: 'wrong-shape' });
});

test('a wish that cannot be read is left out and said, and spoils nothing; a few are enough', () => {
  const odd = judge({ verdict: 'clean', followUps: [ASKED, 'look again', { paths: [] }] });
  expect(odd).toMatchObject({
    kind: 'accepted',
    result: { followUps: [ASKED] },
    repairs: ['followUps: 2 of 3 could not be taken.'],
  });
  const many = judge({ verdict: 'clean', followUps: Array.from({ length: 9 }, () => ASKED) });
  expect(many).toMatchObject({ repairs: ['followUps: 5 of 9 could not be taken.'] });
  expect(judge({ verdict: 'clean' })).not.toHaveProperty('result.followUps');
});
