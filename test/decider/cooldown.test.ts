import { describe, expect, test } from 'vitest';
import type { Command } from '../../src/domain/commands.ts';
import type { AccountId } from '../../src/domain/ids.ts';
import { nextDeadline } from '../../src/decider/plan.ts';
import { advance, receives, opensInput, LATER, reports } from '../helpers/command-samples.ts';
import { given } from '../helpers/given.ts';
import { ACCOUNT, attemptStarted, blob, planned } from '../helpers/samples.ts';
import { after } from '../helpers/whole-audit.ts';

const TOKEN = 12;
const OTHER = 'other' as AccountId;
const limitedUntil = (resetAt?: number) =>
  ({ kind: 'limited', limit: 'rate', ...(resetAt !== undefined && { resetAt }) }) as const;
const two = [...planned([[1], [2], [3]]), attemptStarted(1), attemptStarted(2)];

test('the reset that the service names is obeyed in full', () => {
  const resetAt = LATER + 5 * 3_600_000;
  const state = given(...two)
    .when(reports(TOKEN, limitedUntil(resetAt)))
    .then(
      { type: 'AttemptEnded', counted: false },
      { type: 'CooldownStarted', until: resetAt, assumed: false, allAccounts: true, token: TOKEN },
      { type: 'IngestionFinished', cooling: true, canStart: false },
    );
  expect(state.lifecycle.path).toBe('cooldown');
  expect(nextDeadline(state, LATER)).toBeLessThanOrEqual(resetAt);
  given(...after(two, reports(TOKEN, limitedUntil(resetAt))))
    .when(advance(resetAt - 1, [TOKEN + 1]))
    .thenTypes();
});

test('without a reset a stated pause is assumed, and each further limit in a row doubles it', () => {
  const limits = [60_000, 120_000, 240_000, 480_000, 900_000, 900_000];
  let events = planned([[1]]);
  let now = LATER;
  for (const pauseMs of limits) {
    events = after(events, advance(now), ({ leases }) =>
      reports([...leases][0] ?? 0, { kind: 'overloaded' }, undefined, now),
    );
    const cooldown = events.findLast(({ type }) => type === 'CooldownStarted');
    expect(cooldown).toMatchObject({ until: now + pauseMs, assumed: true, limit: 'overload' });
    now += pauseMs;
    events = after(events, advance(now));
  }
});

test('a reset in the past is none', () => {
  given(...two)
    .when(reports(TOKEN, limitedUntil(LATER - 1)))
    .then(
      { type: 'AttemptEnded' },
      { type: 'CooldownStarted', until: LATER + 60_000, assumed: true },
      { type: 'IngestionFinished' },
    );
});

test('of two deadlines the later one stands, in whatever order they come', () => {
  const late = LATER + 600_000;
  const soon = LATER + 90_000;
  for (const [first, second] of [
    [late, soon],
    [soon, late],
  ] as const) {
    const { state } = given(
      ...after(two, reports(TOKEN, limitedUntil(first)), reports(TOKEN + 1, limitedUntil(second))),
    );
    expect(state.accounts.get(ACCOUNT)?.cooldownUntil).toBe(late);
  }
});

test('a success of a call that was started before the limit does not end the row of limits', () => {
  const limited = after(two, reports(TOKEN, limitedUntil(), undefined, LATER));
  const older = given(...after(limited, reports(TOKEN + 1, { kind: 'exited' }, blob('old'))));
  expect(older.state.accounts.get(ACCOUNT)?.limitsInRow).toBe(1);
});

test('a success of a call that was started after it does', () => {
  const now = LATER + 60_000;
  const { state } = given(
    ...after(
      [...planned([[1]]), attemptStarted(1)],
      reports(TOKEN, limitedUntil()),
      advance(now),
      advance(now),
      ({ leases }) => reports([...leases][0] ?? 0, { kind: 'exited' }, blob('new'), now),
    ),
  );
  expect(state.accounts.get(ACCOUNT)?.limitsInRow).toBe(0);
});

describe('when the deadline has come', () => {
  const cooling = after(two, reports(TOKEN, limitedUntil(LATER + 60_000)));

  test('not a millisecond before, it elapses, and the next turn starts what is ready', () => {
    const running = [TOKEN + 1];
    given(...cooling)
      .when(advance(LATER + 59_999, running))
      .thenTypes();
    const elapsed = given(...cooling).when(advance(LATER + 60_000, running));
    elapsed.then({ type: 'CooldownElapsed', at: LATER + 60_000 });
    expect(elapsed.state.lifecycle.path).toBe('dispatching');
    const rest = given(...after(cooling, advance(LATER + 60_000, running)));
    rest.when(advance(LATER + 60_000, running)).thenTypes('AttemptStarted');
  });

  test('a restart forgets none of it', () => {
    const openWriter = { type: 'OpenWriter', epoch: 2, tool: '0.1.0', now: LATER + 1 } as const;
    const restarted = given(...after(cooling, openWriter));
    expect(restarted.state.lifecycle.path).toBe('cooldown');
    restarted.when(advance(LATER + 59_999, [TOKEN + 1])).thenTypes();
  });
});

describe('with several accounts', () => {
  const accounts = [
    { id: ACCOUNT, ceiling: 1, source: 'declared' },
    { id: OTHER, ceiling: 1, source: 'declared' },
  ] as const;
  const history = [...planned([[1], [2], [3]], { accounts: [...accounts] }), attemptStarted(1)];

  test('the limit of one leaves the others at work', () => {
    const state = given(...history)
      .when(reports(TOKEN, limitedUntil()))
      .then(
        { type: 'AttemptEnded' },
        { type: 'CooldownStarted', account: ACCOUNT, allAccounts: false },
        { type: 'IngestionFinished', cooling: false, canStart: true },
      );
    expect(state.lifecycle.path).toBe('dispatching');
    given(...after(history, reports(TOKEN, limitedUntil())))
      .when(advance())
      .then({ type: 'AttemptStarted', account: OTHER });
  });

  test('the limit of the last one makes the audit wait for the first that may start again', () => {
    const both = after(history, reports(TOKEN, limitedUntil(LATER + 500_000)), advance());
    const token = [...given(...both).state.leases][0] ?? 0;
    const state = given(...both)
      .when(reports(token, limitedUntil(LATER + 70_000)))
      .thenTypes('AttemptEnded', 'CooldownStarted', 'IngestionFinished');
    expect(state.lifecycle.path).toBe('cooldown');
    const next = given(...after(both, reports(token, limitedUntil(LATER + 70_000))));
    next.when(advance(LATER + 70_000)).then({ type: 'CooldownElapsed' });
  });
});

describe('changed limits', () => {
  const cooling = after(two, reports(TOKEN, limitedUntil(LATER + 60_000)));
  const change = (id: AccountId): Command => ({
    type: 'ChangeLimits',
    changes: { accounts: [{ id, ceiling: 3, source: 'declared' }] },
    reason: 'asked for',
    now: LATER,
  });

  test('that bring an account which may start end the wait', () => {
    const walk = given(...cooling).when(change(OTHER));
    walk.then({ type: 'LimitsChanged', canStart: true });
    expect(walk.state.lifecycle.path).toBe('dispatching');
  });

  test('of the account that cools do not', () => {
    const walk = given(...cooling).when(change(ACCOUNT));
    walk.then({ type: 'LimitsChanged', canStart: false });
    expect(walk.state.lifecycle.path).toBe('cooldown');
  });
});

test('an answer that comes during the cooldown is judged, and the cooldown goes on', () => {
  const cooling = after(two, reports(TOKEN, limitedUntil(LATER + 60_000)));
  const received = after(cooling, receives('by hand'));
  const state = given(...received)
    .when(opensInput(received.length, [3]))
    .thenTypes('AnswersImported', 'ExternalInputConsumed');
  expect(state.lifecycle.path).toBe('ingesting');
  expect(state.accounts.get(ACCOUNT)?.cooldownUntil).toBe(LATER + 60_000);
});
