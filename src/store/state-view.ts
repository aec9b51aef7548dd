import type { Low } from 'lowdb';
import type { Clock } from '../platform/clock.ts';

/**
 * `state.json`: the state of an audit for people and other tools. The log is the truth and this a
 * copy that may lag; casefile never reads it.
 */
export type StateView = {
  /** Says that there is news. It is asked for and written within a second, once for all of it. */
  readonly update: (state: () => unknown) => void;
  /** Writes at once what is not written yet. Never rejects. */
  readonly flush: () => Promise<void>;
};

const INTERVAL_MS = 1000;

/** @param onError hears of writes that failed; a view that cannot be written harms no audit. */
export const createStateView = ({
  file,
  clock,
  onError,
}: {
  readonly file: string;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}): StateView => {
  let newest: (() => unknown) | undefined;
  let writtenAt = -Infinity;
  let working: Promise<void> | undefined;
  let hurry = new AbortController();
  let database: Promise<Low<unknown>> | undefined;

  const work = async (): Promise<void> => {
    const { signal } = hurry;
    // A clock that was set back must not make a long pause of the short one.
    const dueAt = Math.min(writtenAt, clock.now()) + INTERVAL_MS;
    if (clock.now() < dueAt) await clock.sleepUntil(dueAt, signal);
    const taken = newest;
    newest = undefined;
    writtenAt = clock.now();
    if (taken === undefined) return;
    try {
      const opened = await (database ??= open(file));
      opened.data = taken();
      await opened.write();
    } catch (error) {
      onError(error);
    }
  };

  const begin = async (): Promise<void> => {
    if (working === undefined && newest === undefined) return;
    working ??= workOff();
    await working;
  };

  const workOff = async (): Promise<void> => {
    while (newest !== undefined) await work();
    working = undefined;
  };

  return {
    update: (state) => {
      newest = state;
      void begin();
    },
    flush: async () => {
      hurry.abort();
      await begin();
      hurry = new AbortController();
    },
  };
};

/** Loaded at the first write: a command that only reads should not pay for it. */
const open = async (file: string): Promise<Low<unknown>> => {
  const [{ Low: Database }, { JSONFile }] = await Promise.all([
    import('lowdb'),
    import('lowdb/node'),
  ]);
  return new Database<unknown>(new JSONFile(file), {});
};
