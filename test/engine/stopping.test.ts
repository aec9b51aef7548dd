import { expect, test } from 'vitest';
import { ANSWER, playEngine } from '../helpers/played-engine.ts';
import * as sample from '../helpers/samples.ts';

const typesOf = (events: readonly { readonly type: string }[], type: string): number =>
  events.filter((event) => event.type === type).length;

test('a slot is refilled as soon as it is free, while others still work (no waves)', async () => {
  const { engine, running, finish, settle } = await playEngine(4);
  const end = engine.run();
  await settle();
  expect(running()).toEqual([1, 2]);
  finish(2, ANSWER);
  await settle();
  expect(running()).toEqual([1, 3]);
  finish(1, ANSWER);
  finish(3, ANSWER);
  await settle();
  expect(running()).toEqual([4]);
  finish(4, ANSWER);
  expect(await end).toEqual({ kind: 'complete' });
});

test('after a stop nothing starts; what answers within the grace is taken, the rest is cancelled uncounted (A5)', async () => {
  const { engine, clock, events, running, finish, settle } = await playEngine(4);
  const end = engine.run();
  await settle();
  engine.stop();
  await settle();
  finish(1, ANSWER);
  await settle();
  expect(running(), 'no further start').toEqual([2]);
  expect(typesOf(events, 'ResultAccepted')).toBe(1);
  clock.advanceBy(4999);
  await settle();
  expect(running(), 'the grace is not over').toEqual([2]);
  clock.advanceBy(1);
  expect(await end).toEqual({ kind: 'stopped' });
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'AttemptEnded',
      end: { kind: 'cancelled', by: 'operator' },
      counted: false,
    }),
  );
  expect(typesOf(events, 'AttemptStarted')).toBe(2);
});

test('a second stop waits for nothing', async () => {
  const { engine, running, settle } = await playEngine(4);
  const end = engine.run();
  await settle();
  engine.stop();
  await settle();
  expect(running()).toEqual([1, 2]);
  engine.stop();
  expect(await end).toEqual({ kind: 'stopped' });
});

test('--max-runs is counted over all slots: no start too many, and the last answers are taken (R35)', async () => {
  const { engine, events, running, finish, settle } = await playEngine(5);
  await engine.submit({ type: 'OpenWriter', epoch: 2, tool: '0.1.0', startsMax: 3 });
  const end = engine.run();
  await settle();
  finish(1, ANSWER);
  await settle();
  expect(running()).toEqual([2, 3]);
  finish(2, ANSWER);
  await settle();
  expect(running()).toEqual([3]);
  finish(3, ANSWER);
  expect(await end).toEqual({ kind: 'stopped' });
  expect(typesOf(events, 'AttemptStarted')).toBe(3);
  expect(typesOf(events, 'ResultAccepted')).toBe(3);
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'StopRequested', reason: 'max-runs' }),
  );
});

const limitedUntil = (resetAt: number) =>
  ({ end: { kind: 'limited', limit: 'rate', resetAt } }) as const;

test('a limit ends a run that does not wait, after what is in flight has answered', async () => {
  const { engine, events, running, finish, settle } = await playEngine(3);
  const end = engine.run();
  await settle();
  finish(1, limitedUntil(sample.START + 600_000));
  await settle();
  expect(engine.published().lifecycle.path).toBe('cooldown');
  expect(running(), 'the other one goes on, and nothing new starts').toEqual([2]);
  finish(2, ANSWER);
  expect(await end).toEqual({ kind: 'cooling' });
  expect(typesOf(events, 'ResultAccepted')).toBe(1);
});

test('with --wait it sleeps until the very instant and goes on; the limit used up no attempt', async () => {
  const { engine, clock, running, finish, settle } = await playEngine(1, { wait: true });
  const end = engine.run();
  await settle();
  finish(1, limitedUntil(sample.START + 600_000));
  await settle();
  clock.advanceBy(599_999);
  await settle();
  expect(running()).toEqual([]);
  clock.advanceBy(1);
  await settle();
  expect(running()).toEqual([1]);
  expect(engine.published().packets.get(sample.packetIdOf(1))).toMatchObject({
    attempts: 2,
    counted: 0,
  });
  finish(1, ANSWER);
  expect(await end).toEqual({ kind: 'complete' });
});

test('a clock that is set back neither shortens a limit nor makes time run backwards in the log', async () => {
  const { engine, clock, events, running, finish, settle } = await playEngine(1, { wait: true });
  const end = engine.run();
  await settle();
  finish(1, limitedUntil(sample.START + 600_000));
  await settle();
  clock.jump(-3_600_000);
  await settle();
  clock.advanceBy(3_600_000 + 599_999);
  await settle();
  expect(running()).toEqual([]);
  clock.advanceBy(1);
  await settle();
  finish(1, ANSWER);
  expect(await end).toEqual({ kind: 'complete' });
  const instants = events.flatMap((event) => ('at' in event ? [event.at] : []));
  expect(instants).toEqual(instants.toSorted((left, right) => left - right));
});

test('a program that cannot be started blocks at once, with the remedy, and uses up no attempt', async () => {
  const { engine, events, running, finish, settle } = await playEngine(3);
  const end = engine.run();
  await settle();
  finish(1, { end: { kind: 'not-started', message: 'no such program' } });
  await settle();
  for (const packet of running()) finish(packet, ANSWER);
  expect(await end).toEqual({ kind: 'blocked' });
  expect(engine.published().blocker).toMatchObject({ cause: 'no-provider', waitsFor: 'operator' });
  expect(events.some((event) => event.type === 'AttemptEnded' && event.counted)).toBe(false);
});

test('planning only, it rests at the plan and starts nothing', async () => {
  const { engine, running } = await playEngine(3, { startNothing: true });
  expect(await engine.run()).toEqual({ kind: 'planned' });
  expect(running()).toEqual([]);
  expect(engine.published().counts.packets.ready).toBe(3);
});
