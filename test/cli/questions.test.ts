import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { NextStep } from '../../src/domain/next-step.ts';
import { ONE_LENS, packetFiles } from '../helpers/audited-files.ts';
import { commitsOf, eventsOf, logBytes } from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Ended, type Workplace } from '../helpers/built-program.ts';
import { until } from '../helpers/real-attempts.ts';

/** What a worker saw when it began: the operator's words in its packet file and in its prompt. */
type Seen = {
  readonly operator: readonly { readonly value: string }[];
  readonly inPrompt: boolean;
};

type Asking = {
  readonly place: Workplace;
  readonly run: (...more: readonly string[]) => Promise<Ended>;
  readonly seen: () => readonly Seen[];
  /** What goes wrong first, once a worker has the operator's answer. */
  readonly first: (...trouble: readonly ('crash' | 'garbage')[]) => Promise<void>;
};

/** A workplace of one packet whose worker asks first. */
const asking = async (...options: readonly string[]): Promise<Asking> => {
  const place = await createWorkplace(packetFiles(1));
  onTestFinished(place.close);
  const log = join(place.folder, 'asked');
  const flags = [...ONE_LENS, ...place.commandOf('asks-operator', log, ...options)];
  return {
    place,
    run: (...more) => place.run('run', ...flags, ...more),
    seen: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Seen),
    first: (...trouble) => writeFile(`${log}.first`, JSON.stringify(trouble)),
  };
};

const questionIn = ({ stdout }: Ended): string | undefined =>
  (JSON.parse(stdout) as NextStep).question?.id;

test('an audit whose worker asks never passes the question, however often it is run or stepped (T20)', async () => {
  const { place, run, seen } = await asking('postgres', 'sqlite');
  const first = await run('--json');
  expect(first.code).toBe(3);
  expect(JSON.parse(first.stdout)).toMatchObject({
    state: 'blocked',
    blocker: {
      cause: 'answer-needed',
      message: expect.stringContaining('Which database is meant?') as string,
      waitsFor: 'answer',
    },
  });
  for (let time = 0; time < 3; time += 1) expect((await run('--wait')).code).toBe(3);
  const log = logBytes(place);
  const steps = await Promise.all([1, 2, 3].map(() => place.run('next', '--json')));
  for (const step of steps) {
    expect([step.code, JSON.parse(step.stdout)]).toMatchObject([
      3,
      { kind: 'question', question: { options: ['postgres', 'sqlite'] }, packets: [] },
    ]);
  }
  expect(logBytes(place).equals(log)).toBe(true);
  expect(seen()).toHaveLength(1);
});

test('an unknown question is refused whole and the open one is named, an unknown value with what it takes; nothing is recorded', async () => {
  const { place, run } = await asking('postgres', 'sqlite');
  await run();
  const id = questionIn(await place.run('next', '--json')) ?? '';
  const log = logBytes(place);
  const unknown = await place.run('answer', 'q-999', 'postgres');
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringMatching(new RegExp(`no open question "q-999"\\. Open is: ${id}\\.`)),
  ]);
  const value = await place.run('answer', id, 'oracle');
  expect([value.code, value.stderr]).toEqual([
    2,
    expect.stringContaining(`It takes: postgres, sqlite.`),
  ]);
  expect(logBytes(place).equals(log)).toBe(true);
});

test('a valid answer is used exactly once: by the next attempt that comes to an answer, in prompt and packet file, and by no later one (T20)', async () => {
  const { place, run, seen, first } = await asking('postgres', 'sqlite');
  await run();
  const id = questionIn(await place.run('next', '--json')) ?? '';
  const answered = await place.run('answer', id, 'sqlite', '--json');
  expect([answered.code, JSON.parse(answered.stdout)]).toMatchObject([0, { value: 'sqlite' }]);
  const twice = await place.run('answer', id, 'postgres');
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('No question is open.')]);

  // An attempt that crashes has not used it; one that answers has, whatever the answer is worth.
  await first('crash', 'garbage');
  expect((await run('--wait')).code).toBe(3);
  const none: Seen = { operator: [], inPrompt: false };
  const given = (value: string) => ({ operator: [{ value }], inPrompt: true });
  expect(seen()).toMatchObject([none, given('sqlite'), given('sqlite'), none]);

  const second = questionIn(await place.run('next', '--json')) ?? '';
  expect(second).not.toBe(id);
  expect((await place.run('answer', second, 'postgres')).code).toBe(0);
  expect((await run()).code).toBe(0);
  expect(seen().slice(4)).toMatchObject([given('postgres')]);
  expect(eventsOf(place, 'OperatorAnswered')).toHaveLength(2);
});

test('killed between the answer and its use, an audit still uses it once', async () => {
  const { place, run, seen } = await asking();
  await run();
  const id = questionIn(await place.run('next', '--json')) ?? '';
  const answer = place.start('answer', id, 'any text at all');
  await until(
    () =>
      answer.isOver() || commitsOf(place).some(({ cause }) => cause.command === 'AnswerQuestion'),
  );
  answer.kill('SIGKILL');
  await answer.ended;
  expect((await run()).code).toBe(0);
  expect(seen().map(({ operator }) => operator.length)).toEqual([0, 1]);
  expect(eventsOf(place, 'OperatorAnswered')).toHaveLength(1);
});

test('when the work is handed off instead, whoever gets the packet gets the answer with it', async () => {
  const { place, run } = await asking();
  await run();
  const id = questionIn(await place.run('next', '--json')) ?? '';
  expect((await place.run('answer', id, 'use the "small" one')).code).toBe(0);
  const step = JSON.parse((await place.run('next', '--json')).stdout) as NextStep;
  const [packet] = step.packets;
  expect(JSON.parse(readFileSync(packet?.packetPath ?? '', 'utf8'))).toMatchObject({
    operator: [{ question: 'Which database is meant?', value: 'use the "small" one' }],
  });
  expect(readFileSync(packet?.promptPath ?? '', 'utf8')).toContain('use the \\"small\\" one');
});
