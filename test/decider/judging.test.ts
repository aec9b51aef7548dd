import { describe, expect, test } from 'vitest';
import { plan } from '../../src/decider/plan.ts';
import type { AuditState } from '../../src/decider/state.ts';
import {
  accepted,
  accepts,
  advance,
  answered,
  handsIn,
  judges,
  LATER,
  refuses,
  reports,
} from '../helpers/command-samples.ts';
import { given } from '../helpers/given.ts';
import {
  ACCOUNT,
  attemptStarted,
  blob,
  packet,
  packetIdOf,
  planned,
  taskIdOf,
} from '../helpers/samples.ts';
import { after, answers, reviewed } from '../helpers/whole-audit.ts';

const TOKEN = 12;
const ANSWER = 13;
/** Packet 1 has three tasks and one more waits; the answer of packet 1 came. */
const history = [...planned([[1, 2, 3], [4]]), attemptStarted(1), answered(TOKEN)];
const first = (state: AuditState) => state.packets.get(packetIdOf(1));

test('a whole answer settles its tasks, and the ingestion ends once, when nothing waits (M5)', () => {
  const state = given(...history)
    .when(judges(ANSWER, [accepts(1), accepts(2), accepts(3)]))
    .then(
      { type: 'ResultAccepted', task: taskIdOf(1), of: ANSWER, reviewer: 'agent' },
      { type: 'ResultAccepted', task: taskIdOf(2) },
      { type: 'ResultAccepted', task: taskIdOf(3) },
      { type: 'IngestionFinished', openWork: true, canStart: true, cooling: false, blocked: false },
    );
  expect(first(state)).toMatchObject({ status: 'settled', openTasks: 0, counted: 0 });
  expect(state.lifecycle.path).toBe('dispatching');
});

test.each([
  [0, true],
  [1, false],
  [undefined, false],
])(
  'where %s tokens came out of the model, the judgement is told that nothing did: %s (B17)',
  (outputTokens, isTold) => {
    const ended = answered(TOKEN, outputTokens === undefined ? {} : { usage: { outputTokens } });
    const { state } = given(...history.slice(0, -1), ended);
    const judged = plan(state).find(({ type }) => type === 'JudgeAnswer');
    expect(judged).toMatchObject({ of: ANSWER });
    expect('isWordless' in (judged ?? {})).toBe(isTold);
  },
);

test('while another answer waits, the ingestion goes on (M5)', () => {
  const both = after(history, handsIn(2, 'by hand'));
  const state = given(...both)
    .when(judges(ANSWER, [accepts(1), accepts(2), accepts(3)]))
    .thenTypes('ResultAccepted', 'ResultAccepted', 'ResultAccepted');
  expect(state.lifecycle.path).toBe('ingesting');
});

describe('an answer in part', () => {
  test('tasks that an answer leaves out come back as a remainder, and an answer without any result uses up an attempt (R13, W62)', () => {
    const state = given(...history)
      .when(judges(ANSWER, [accepts(1)], packet(9, [2, 3])))
      .then(
        { type: 'ResultAccepted', task: taskIdOf(1) },
        { type: 'ResultRejected', task: taskIdOf(2), code: 'not-accounted-for' },
        { type: 'ResultRejected', task: taskIdOf(3), code: 'not-accounted-for' },
        { type: 'PacketsPlanned', packets: [{ ...packet(9, [2, 3]), replaces: packetIdOf(1) }] },
        { type: 'IngestionFinished', openWork: true },
      );
    expect(first(state)?.status).toBe('settled');
    // It takes over the place and what was counted, so that no task gets more than its attempts.
    expect(state.packets.get(packetIdOf(9))).toMatchObject({
      status: 'ready',
      order: 0,
      attempts: 1,
      counted: 0,
      openTasks: 2,
    });

    const nothing = given(...history)
      .when(judges(ANSWER, []))
      .then(
        { type: 'ResultRejected', task: taskIdOf(1), code: 'not-accounted-for' },
        { type: 'ResultRejected', task: taskIdOf(2) },
        { type: 'ResultRejected', task: taskIdOf(3), counted: true },
        { type: 'IngestionFinished' },
      );
    expect(first(nothing)).toMatchObject({ status: 'backing-off', counted: 1 });
  });

  test('hands its counted attempts on to the remainder', () => {
    const failed = after(
      planned([[1, 2]]),
      advance(),
      reports(TOKEN, { kind: 'crashed', exitCode: 1 }),
      advance(LATER + 60_000),
      answers,
    );
    const of = [...given(...failed).state.queue.keys()][0] ?? 0;
    const walk = given(...failed).when(judges(of, [accepts(1)], packet(9, [2]), LATER + 60_000));
    expect(walk.state.packets.get(packetIdOf(9))).toMatchObject({ counted: 1, attempts: 2 });
  });

  test('with one bad item keeps the good ones', () => {
    given(...history)
      .when(judges(ANSWER, [accepts(1), refuses('wrong-shape', 2), accepts(3)], packet(9, [2])))
      .then(
        { type: 'ResultAccepted', task: taskIdOf(1) },
        { type: 'ResultAccepted', task: taskIdOf(3) },
        { type: 'ResultRejected', task: taskIdOf(2), code: 'wrong-shape' },
        { type: 'PacketsPlanned' },
        { type: 'IngestionFinished' },
      );
  });

  test('with a remainder that does not fit gives the packet back, uncounted since it helped', () => {
    const state = given(...history)
      .when(judges(ANSWER, [accepts(1)], packet(9, [2])))
      .then(
        { type: 'ResultAccepted' },
        { type: 'ResultRejected', task: taskIdOf(2) },
        { type: 'ResultRejected', task: taskIdOf(3), counted: false },
        { type: 'IngestionFinished' },
      );
    expect(first(state)).toMatchObject({ status: 'ready', counted: 0, openTasks: 2 });
  });

  test('that says one task twice is believed the first time', () => {
    const walk = given(...history).when(
      judges(ANSWER, [accepts(1, 'once'), accepts(1, 'twice'), accepts(2), accepts(3)]),
    );
    walk.thenTypes('ResultAccepted', 'ResultAccepted', 'ResultAccepted', 'IngestionFinished');
    expect(walk.state.tasks.get(taskIdOf(1))?.result?.blob).toEqual(blob('once'));
  });
});

describe('an answer without any acceptable result', () => {
  const unreadable = (of: number) => judges(of, [refuses('unreadable-answer')]);

  test('is counted, and its packet waits before it starts again (A4)', () => {
    const state = given(...history)
      .when(unreadable(ANSWER))
      .then(
        { type: 'ResultRejected', code: 'unreadable-answer', packet: packetIdOf(1), counted: true },
        { type: 'IngestionFinished' },
      );
    expect(first(state)?.retryAt).toBeGreaterThan(LATER);
  });

  test('is not counted when the attempt hit a limit (A4)', () => {
    const limited = after(
      [...planned([[1], [2]]), attemptStarted(1)],
      reports(TOKEN, { kind: 'limited', limit: 'rate' }, blob('half an answer')),
    );
    const state = given(...limited)
      .when(unreadable(ANSWER))
      .then(
        { type: 'ResultRejected', counted: false },
        { type: 'IngestionFinished', cooling: true },
      );
    expect(first(state)).toMatchObject({ status: 'ready', counted: 0, retryAt: undefined });
  });

  test('that used up the last attempt abandons its tasks', () => {
    const limits = { attemptsMax: 1, wallMs: 1, idleMs: 1, outputBytesMax: 1 };
    const last = [...planned([[1, 2]], { limits }), attemptStarted(1), answered(TOKEN)];
    const state = given(...last)
      .when(unreadable(ANSWER))
      .then(
        { type: 'ResultRejected', counted: true },
        { type: 'TaskAbandoned', task: taskIdOf(1) },
        { type: 'TaskAbandoned', task: taskIdOf(2) },
        { type: 'IngestionFinished', openWork: false },
        { type: 'ObligationWaived', obligation: 'runtimeValidation' },
      );
    expect(first(state)?.status).toBe('abandoned');
    expect(state.lifecycle.path).toBe('deriving.synthesis');
  });

  test('that was handed in by nobody uses up nothing', () => {
    const imported = after(planned([[1], [2]]), handsIn(1, 'rubbish'));
    const state = given(...imported)
      .when(unreadable(TOKEN))
      .thenTypes('ResultRejected', 'IngestionFinished');
    expect(first(state)).toMatchObject({ status: 'ready', counted: 0, attempts: 0 });
  });
});

describe('a result for a task that is settled (A3)', () => {
  const settled = [...history, accepted(ANSWER, 1), accepted(ANSWER, 2), accepted(ANSWER, 3)];
  const again = after(settled, handsIn(1, 'a second answer'));
  const of = given(...again).state.seq;

  test('is refused as a conflict when it says something else', () => {
    const walk = given(...again).when(
      judges(of, [accepts(1, 'something else'), accepts(2), refuses('wrong-shape', 3)]),
    );
    walk.then(
      { type: 'ResultRejected', task: taskIdOf(1), code: 'conflicting-answer' },
      { type: 'ResultRejected', task: taskIdOf(2), code: 'already-settled' },
      { type: 'ResultRejected', task: taskIdOf(3), code: 'wrong-shape' },
      { type: 'IngestionFinished' },
    );
    expect(walk.state.tasks.get(taskIdOf(1))?.result?.blob).toEqual(blob('result 1'));
  });

  test('an answer about nothing that is open is superseded', () => {
    given(...again)
      .when(judges(of, []))
      .then({ type: 'ResultRejected', code: 'superseded' }, { type: 'IngestionFinished' });
  });

  test('the answer of an attempt beside an import settles what is still open', () => {
    const beside = after(
      [...planned([[1, 2]]), attemptStarted(1)],
      handsIn(1, 'by hand'),
      judges(13, [accepts(1)]),
      reports(TOKEN, { kind: 'exited' }, blob('from the agent')),
    );
    const last = [...given(...beside).state.queue.keys()][0] ?? 0;
    given(...beside)
      .when(judges(last, [accepts(1, 'late'), accepts(2)]))
      .then(
        { type: 'ResultAccepted', task: taskIdOf(2) },
        { type: 'ResultRejected', task: taskIdOf(1), code: 'conflicting-answer' },
        { type: 'IngestionFinished', openWork: false },
        { type: 'ObligationWaived' },
      );
  });
});

describe('a judgement', () => {
  test('of nothing that waits is refused, also the second time', () => {
    given(...history)
      .when(judges(TOKEN, [accepts(1)]))
      .rejects('not-judging');
    const done = after(history, judges(ANSWER, [accepts(1), accepts(2), accepts(3)]));
    given(...done)
      .when(judges(ANSWER, [accepts(1)]))
      .rejects('not-judging');
  });

  test('waits for the ingestion: a stage is not disturbed', () => {
    const late = after(reviewed(), handsIn(1, 'late'));
    given(...late)
      .when(judges(given(...late).state.seq, [accepts(1)]))
      .rejects('not-possible-now');
  });

  test('names the provider of the attempt, not the one that is set now', () => {
    const changed = after(history, {
      type: 'ChangeLimits',
      changes: { provider: 'command', accounts: [{ id: ACCOUNT, ceiling: 1, source: 'declared' }] },
      reason: 'asked for',
      now: LATER,
    });
    given(...changed)
      .when(judges(ANSWER, [accepts(1), accepts(2), accepts(3)]))
      .then(
        { type: 'ResultAccepted', provider: 'scripted' },
        { type: 'ResultAccepted' },
        { type: 'ResultAccepted' },
        { type: 'IngestionFinished' },
      );
  });

  test('of the builtin provider is said to be by analyzers', () => {
    const byAnalyzers = [
      ...planned([[1]]),
      attemptStarted(1, { provider: 'builtin' }),
      answered(TOKEN),
    ];
    given(...byAnalyzers)
      .when(judges(ANSWER, [accepts(1)]))
      .then(
        { type: 'ResultAccepted', provider: 'builtin', reviewer: 'analyzers' },
        { type: 'IngestionFinished' },
        { type: 'ObligationWaived' },
      );
  });
});
