import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/platform/clock.ts';

export type ClockUnderTest = {
  readonly clock: Clock;
  /** Lets the sleeper that is due next be due; real time does so by itself. */
  readonly letTimePass: () => void;
};

/** What everybody who sleeps on the `Clock` port may rely on. */
export const clockContract = (name: string, create: () => ClockUnderTest): void => {
  describe(`${name} keeps the clock contract`, () => {
    const never = new AbortController().signal;

    test('now is a whole number of milliseconds since 1970', () => {
      const { clock } = create();
      expect(Number.isSafeInteger(clock.now())).toBe(true);
      expect(clock.now()).toBeGreaterThan(Date.UTC(2025, 0, 1));
    });

    test('nobody wakes before the instant', async () => {
      const { clock, letTimePass } = create();
      const until = clock.now() + 15;
      const slept = clock.sleepUntil(until, never);
      letTimePass();
      await slept;
      expect(clock.now()).toBeGreaterThanOrEqual(until);
    });

    test('an instant that has passed is not slept for', async () => {
      const { clock } = create();
      await clock.sleepUntil(clock.now(), never);
      await clock.sleepUntil(clock.now() - 1000, never);
    });

    test('an abort wakes the sleeper at once and is no error', async () => {
      const { clock } = create();
      const stop = new AbortController();
      const slept = clock.sleepUntil(clock.now() + 3_600_000, stop.signal);
      stop.abort('settled');
      await expect(slept).resolves.toBeUndefined();
    });

    test('who is aborted before does not sleep', async () => {
      const { clock } = create();
      await clock.sleepUntil(clock.now() + 3_600_000, AbortSignal.abort());
    });

    test('sleepers wake in the order of their instants', async () => {
      const { clock, letTimePass } = create();
      const order: string[] = [];
      const from = clock.now();
      const later = clock.sleepUntil(from + 30, never).then(() => order.push('later'));
      const sooner = clock.sleepUntil(from + 10, never).then(() => order.push('sooner'));
      letTimePass();
      await sooner;
      letTimePass();
      await later;
      expect(order).toEqual(['sooner', 'later']);
    });
  });
};
