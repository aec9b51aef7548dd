import { setTimeout as wait } from 'node:timers/promises';
import type { Instant } from '../domain/ids.ts';

/** Where time comes from. Everything below the shell gets it as data. */
export type Clock = {
  /** Wall-clock time in ms. May go back; the engine takes the later of it and the log's. */
  readonly now: () => Instant;
  /** Resolves at `instant` or when `signal` aborts, whichever is first. Never rejects. */
  readonly sleepUntil: (instant: Instant, signal: AbortSignal) => Promise<void>;
};

/** `setTimeout` takes no more than this; a longer sleep is made of several. */
const LONGEST_TIMER_MS = 60_000;

export const createSystemClock = (): Clock => ({
  now: () => Date.now(),
  sleepUntil: async (instant, signal) => {
    // Re-reading the clock each minute also wakes a laptop that was suspended.
    while (!signal.aborted && Date.now() < instant) {
      const restMs = Math.min(instant - Date.now(), LONGEST_TIMER_MS);
      await wait(restMs, undefined, { signal }).catch(() => undefined);
    }
  },
});
