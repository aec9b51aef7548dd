import { describe, expect, test } from 'vitest';
import { createSystemClock } from '../../src/platform/clock.ts';
import { clockContract } from '../contracts/clock.contract.ts';
import { createSimulatedClock } from '../helpers/simulated-clock.ts';

clockContract('the system clock', () => ({
  clock: createSystemClock(),
  letTimePass: () => undefined,
}));

clockContract('the simulated clock', () => {
  const clock = createSimulatedClock();
  return { clock, letTimePass: () => void clock.advanceToNext() };
});

describe('the simulated clock', () => {
  const never = new AbortController().signal;

  test('stands still until it is moved', () => {
    const clock = createSimulatedClock(1000);
    expect([clock.now(), clock.now()]).toEqual([1000, 1000]);
    expect(clock.advanceToNext()).toBe(false);
  });

  test('shows each instant on the way to whoever slept until it', async () => {
    const clock = createSimulatedClock(1000);
    const seen: number[] = [];
    const sleeps = [1030, 1010, 1020].map((instant) =>
      clock.sleepUntil(instant, never).then(() => seen.push(instant)),
    );
    clock.advanceBy(25);
    expect([clock.now(), clock.sleepers()]).toEqual([1025, 1]);
    clock.advanceBy(25);
    await Promise.all(sleeps);
    expect(seen).toEqual([1010, 1020, 1030]);
  });

  test('set back, it makes sleepers wait for their instant all the same', async () => {
    const clock = createSimulatedClock(1000);
    const slept = clock.sleepUntil(1010, never);
    clock.jump(-500);
    expect([clock.now(), clock.sleepers()]).toEqual([500, 1]);
    clock.jump(510);
    await slept;
    expect(clock.now()).toBe(1010);
  });
});
