import type { Instant } from '../../src/domain/ids.ts';
import type { Clock } from '../../src/platform/clock.ts';

/** A clock that stands still until a test moves it. No timers. */
export type SimulatedClock = Clock & {
  /** Moves to the nearest instant that somebody sleeps until; false when nobody sleeps. */
  readonly advanceToNext: () => boolean;
  /** Time passes, and wakes in order whoever sleeps until an instant on the way. */
  readonly advanceBy: (ms: number) => void;
  /** The clock is set, forward or back, as an operator or a time server does. */
  readonly jump: (ms: number) => void;
  /** How many sleep. */
  readonly sleepers: () => number;
};

type Sleeper = { readonly until: Instant; readonly wake: () => void };

export const createSimulatedClock = (start: Instant = Date.UTC(2026, 0, 1)): SimulatedClock => {
  let now = start;
  const sleepers = new Set<Sleeper>();

  const nearest = (): Sleeper | undefined => {
    let first: Sleeper | undefined;
    for (const sleeper of sleepers) {
      if (first === undefined || sleeper.until < first.until) first = sleeper;
    }
    return first;
  };

  const moveTo = (instant: Instant): void => {
    now = instant;
    const due = [...sleepers].filter((sleeper) => sleeper.until <= now);
    for (const sleeper of due.toSorted((left, right) => left.until - right.until)) sleeper.wake();
  };

  return {
    now: () => now,
    sleepUntil: (instant, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || instant <= now) return resolve();
        const sleeper: Sleeper = {
          until: instant,
          wake: () => {
            sleepers.delete(sleeper);
            signal.removeEventListener('abort', sleeper.wake);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal.addEventListener('abort', sleeper.wake, { once: true });
      }),
    advanceToNext: () => {
      const next = nearest();
      if (next === undefined) return false;
      moveTo(Math.max(now, next.until));
      return true;
    },
    advanceBy: (ms) => {
      const end = now + ms;
      for (let next = nearest(); next !== undefined && next.until <= end; next = nearest()) {
        moveTo(next.until);
      }
      moveTo(end);
    },
    jump: (ms) => moveTo(now + ms),
    sleepers: () => sleepers.size,
  };
};
