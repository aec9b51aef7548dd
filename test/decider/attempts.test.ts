import { describe, expect, test } from 'vitest';
import type { AttemptEnd } from '../../src/domain/attempt-end.ts';
import type { AuditEvent, EventType } from '../../src/domain/events.ts';
import { accountOf } from '../../src/decider/account-ledger.ts';
import { nextDeadline } from '../../src/decider/plan.ts';
import {
  answered,
  advance,
  opensInput,
  receives,
  LATER,
  reports,
} from '../helpers/command-samples.ts';
import { given } from '../helpers/given.ts';
import { ACCOUNT, attemptStarted, blob, packetIdOf, planned, START } from '../helpers/samples.ts';
import { after, reviewed } from '../helpers/whole-audit.ts';

/** The number of the first event after the plan: the first attempt's token. */
const TOKEN = 12;
const inFlight = [...planned([[1], [2]]), attemptStarted(1)];

describe('an end without an answer (A4)', () => {
  const ends: readonly [AttemptEnd, boolean, readonly EventType[]][] = [
    [{ kind: 'exited' }, true, []],
    [{ kind: 'crashed', exitCode: 1 }, true, []],
    [{ kind: 'crashed', signal: 'SIGSEGV' }, true, []],
    [{ kind: 'timed-out', limit: 'wall', afterMs: 10 }, true, []],
    [{ kind: 'timed-out', limit: 'idle', afterMs: 10 }, true, []],
    [{ kind: 'timed-out', limit: 'output', afterMs: 10 }, true, []],
    [{ kind: 'lost' }, true, []],
    [{ kind: 'expired' }, true, []],
    [{ kind: 'limited', limit: 'rate' }, false, ['CooldownStarted']],
    [{ kind: 'limited', limit: 'quota' }, false, ['CooldownStarted']],
    [{ kind: 'overloaded' }, false, ['CooldownStarted']],
    [{ kind: 'cancelled', by: 'operator' }, false, []],
    [{ kind: 'cancelled', by: 'budget' }, false, []],
  ];
  test.each(ends)('%j: counted is %s', (end, counted, more) => {
    const walk = given(...inFlight).when(reports(TOKEN, end));
    // M5: the end and the end of the ingestion are one commit, since no answer waits.
    const state = walk.thenTypes('AttemptEnded', ...more, 'IngestionFinished');
    expect(walk.events[0]).toMatchObject({ token: TOKEN, end, counted, answersWaiting: false });
    expect(state.packets.get(packetIdOf(1))).toMatchObject({
      status: counted ? 'backing-off' : 'ready',
      counted: counted ? 1 : 0,
      attempts: 1,
    });
  });

  const noSignals = ends.flatMap(([end, , more]) => (more.length === 0 ? [end] : []));
  test.each(noSignals)(
    'that is no word about a limit leaves width and cooldown alone: %j (W66)',
    (end) => {
      const account = (events: readonly AuditEvent[]) => accountOf(given(...events).state, ACCOUNT);
      const { inFlight: busy, ...before } = account(inFlight);
      const { inFlight: idle, ...now } = account(after(inFlight, reports(TOKEN, end)));
      expect([busy, idle]).toEqual([1, 0]);
      expect(now).toEqual(before);
    },
  );

  test('of a program that cannot be started is not counted, and says so of its account', () => {
    const state = given(...inFlight)
      .when(reports(TOKEN, { kind: 'not-started', message: 'no such program' }))
      .then(
        { type: 'AttemptEnded', counted: false },
        { type: 'AccountExhausted', reason: expect.stringContaining('no such program') as never },
        { type: 'IngestionFinished' },
        { type: 'AuditBlocked', cause: 'no-provider', waitsFor: 'operator' },
      );
    expect(state.packets.get(packetIdOf(1))).toMatchObject({ status: 'ready', counted: 0 });
  });

  test('that was the last one abandons the tasks and the audit goes on', () => {
    const history = [...planned([[1, 2], [3]], limits(1)), attemptStarted(1)];
    const state = given(...history)
      .when(reports(TOKEN, { kind: 'crashed', exitCode: 1 }))
      .then(
        { type: 'AttemptEnded', counted: true, answersWaiting: true },
        { type: 'TaskAbandoned', code: 'attempts-spent' },
        { type: 'TaskAbandoned', code: 'attempts-spent' },
        { type: 'IngestionFinished', openWork: true, canStart: true },
      );
    expect(state.packets.get(packetIdOf(1))?.status).toBe('abandoned');
    expect(state.lifecycle.path).toBe('dispatching');
  });
});

const limits = (attemptsMax: number) => ({
  limits: { attemptsMax, wallMs: 600_000, idleMs: 60_000, outputBytesMax: 1_000_000 },
});

describe('an answer', () => {
  test('is an answer whatever the end, which is recorded beside it', () => {
    for (const end of [
      { kind: 'crashed', exitCode: 7 },
      { kind: 'timed-out', limit: 'idle', afterMs: 5 },
    ] as const) {
      given(...inFlight)
        .when(reports(TOKEN, end, blob('answer')))
        .then({ type: 'AttemptEnded', end, counted: false, answersWaiting: true });
    }
  });

  test('with a limit is both: it waits to be judged, and the account cools', () => {
    given(...inFlight)
      .when(reports(TOKEN, { kind: 'limited', limit: 'rate' }, blob('answer')))
      .then(
        { type: 'AttemptEnded', answersWaiting: true },
        { type: 'CooldownStarted', token: TOKEN },
      );
  });

  test('of an attempt that nobody started is refused (A3)', () => {
    given(...inFlight)
      .when(reports(TOKEN + 1, { kind: 'exited' }, blob('answer')))
      .rejects('unknown-token');
    given(...inFlight)
      .when(reports(3, { kind: 'exited' }, blob('answer')))
      .rejects('unknown-token');
  });

  test('that comes after the end of its attempt enters as a late import (A3)', () => {
    const ended = after(inFlight, reports(TOKEN, { kind: 'lost' }));
    given(...ended)
      .when(reports(TOKEN, { kind: 'exited' }, blob('late')))
      .then({ type: 'AnswersImported', source: 'late', token: TOKEN, answersWaiting: true });
  });

  test('an end that is told twice is refused (A3)', () => {
    const ended = after(inFlight, reports(TOKEN, { kind: 'lost' }));
    given(...ended)
      .when(reports(TOKEN, { kind: 'lost' }))
      .rejects('attempt-over');
  });

  test('with the very bytes of an earlier one changes nothing (A3)', () => {
    const ended = [...inFlight, answered(TOKEN)];
    given(...ended)
      .when(reports(TOKEN, { kind: 'exited' }, blob(`answer ${TOKEN}`)))
      .rejects('repeat');
    const handed = after(ended, receives(`answer ${TOKEN}`));
    given(...handed)
      .when(opensInput(handed.length, [1]))
      .then({ type: 'ExternalInputConsumed', imported: 0, refused: [{ code: 'repeat' }] as never });
  });
});

describe('a paid answer never meets an assertion (M4)', () => {
  const blocks = {
    type: 'BlockAudit',
    cause: 'answer-needed',
    message: 'm',
    remedy: 'r',
    waitsFor: 'answer',
    now: LATER,
  } as const;
  const second = reports(TOKEN + 1, { kind: 'limited', limit: 'rate' });
  const two = [...inFlight, attemptStarted(2)];
  test.each([
    ['dispatching', two],
    ['ingesting', [...two, answered(TOKEN + 1)]],
    ['cooldown', after(two, second)],
    ['blocked', after(two, blocks)],
  ] as const)('it is recorded in %s', (path, history) => {
    expect(given(...history).state.lifecycle.path).toBe(path);
    const walk = given(...history).when(reports(TOKEN, { kind: 'exited' }, blob('paid')));
    expect(walk.events[0]).toMatchObject({ type: 'AttemptEnded', answer: blob('paid') });
    expect(walk.state.lifecycle.path).toBe('ingesting');
  });

  test('it is recorded in deriving and waits there for the end of the stage', () => {
    const walk = given(...after(reviewed(), receives('a second opinion'))).when(
      opensInput(reviewed().length + 1, [1]),
    );
    walk.thenTypes('AnswersImported', 'ExternalInputConsumed');
    expect(walk.state.lifecycle.path).toBe('deriving.synthesis');
    expect(walk.state.queue.size).toBe(1);
  });
});

describe('a lease', () => {
  const expired = START + 660_000;

  test('stands while its process attends to it, however late it is', () => {
    const walk = given(...planned([[1]]), attemptStarted(1)).when(advance(expired + 1, [TOKEN]));
    walk.thenTypes();
  });

  test('that ran out and that nobody attends to ends, counted', () => {
    given(...planned([[1]]), attemptStarted(1))
      .when(advance(expired - 1))
      .thenTypes();
    const state = given(...planned([[1]]), attemptStarted(1))
      .when(advance(expired))
      .then(
        { type: 'AttemptEnded', end: { kind: 'expired' }, counted: true },
        { type: 'IngestionFinished' },
      );
    expect(state.packets.get(packetIdOf(1))).toMatchObject({ status: 'backing-off', counted: 1 });
  });

  test('is a deadline that the shell wakes for', () => {
    const { state } = given(...planned([[1]]), attemptStarted(1));
    expect(nextDeadline(state, START)).toBe(expired);
  });

  test('lasts as long as an attempt may take, and a minute more', () => {
    given(...planned([[1]]))
      .when(advance(LATER))
      .then({ type: 'AttemptStarted', leaseUntil: LATER + 600_000 + 60_000, attempt: 1 });
  });
});

test('attempts of a packet are numbered, the uncounted ones too', () => {
  const walk = given(
    ...after(planned([[1]]), advance(), reports(TOKEN, { kind: 'cancelled', by: 'operator' })),
  ).when(advance(LATER + 1));
  walk.then({ type: 'AttemptStarted', attempt: 2 });
});
