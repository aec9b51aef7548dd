import type { Commit, CommitDraft, LogPosition } from '../domain/commit.ts';
import type { EventNumber } from '../domain/ids.ts';

/**
 * The log, as its one appender sees it. Nothing above this port may assume a file.
 *
 * `append` encodes at once, in the order of the calls, and resolves when the commit is durable.
 * Calls that arrive while a sync runs share the next one (C2). Commits become durable in order.
 */
export type EventStore = {
  /** Where the log stands after the last commit that was handed in, durable or not. */
  readonly head: () => LogPosition;
  /** Where it stands after the last durable commit. */
  readonly durable: () => LogPosition;
  /**
   * @param expected `seq`: the last number that the caller decided on; `epoch`: its writer epoch.
   * @throws {StaleWriterError} at once, when either is not what the store has (somebody else wrote,
   *   or a younger writer exists): nothing is written.
   * @throws {StoreFailedError} when the write or the sync failed. The store takes nothing more (C4).
   */
  readonly append: (
    draft: CommitDraft,
    expected: { readonly seq: EventNumber; readonly epoch: number },
  ) => Promise<{ readonly commit: Commit; readonly position: LogPosition }>;
  /** Every durable commit from the one that holds `from` on (default: from the start). */
  readonly read: (from?: EventNumber) => AsyncIterable<Commit>;
  /** Waits for the last sync. Appending afterwards is an error. */
  readonly close: () => Promise<void>;
};

/** Somebody else owns the log now. The process stops writing. */
export class StaleWriterError extends Error {
  override readonly name = 'StaleWriterError';
}

/** The log cannot be written any more: recover by starting again. */
export class StoreFailedError extends Error {
  override readonly name = 'StoreFailedError';
}

/** The log holds something that no crash can leave behind. `repair` is explicit. */
export class LogDamagedError extends Error {
  override readonly name = 'LogDamagedError';
  readonly place: { readonly file: string; readonly line: number; readonly seq: EventNumber };
  constructor(
    message: string,
    place: { readonly file: string; readonly line: number; readonly seq: EventNumber },
  ) {
    super(message);
    this.place = place;
  }
}

/** There is no log here. Missing is not empty (V4). */
export class LogMissingError extends Error {
  override readonly name = 'LogMissingError';
}

/** The log was written by a newer casefile than this one. */
export class NewerLogError extends Error {
  override readonly name = 'NewerLogError';
}
