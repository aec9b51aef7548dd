import { lastNumberOf } from '../domain/commit.ts';
import type { Commit, CommitDraft, LogPosition } from '../domain/commit.ts';
import type { EventNumber } from '../domain/ids.ts';
import { encodeCommit } from './commit-codec.ts';
import { StaleWriterError } from './event-store.ts';

/** The appender's side of a log: numbers and chains commits in the order in which they come. */
export type LogEncoder = {
  /** After the last commit that was handed in. */
  readonly head: () => LogPosition;
  /**
   * @throws {StaleWriterError} when the caller decided on another log or for another writer.
   * @throws {InvariantViolation} when the draft is not what the log's schema says.
   */
  readonly encode: (
    draft: CommitDraft,
    expected: { readonly seq: EventNumber; readonly epoch: number },
    durable: EventNumber,
  ) => NumberedCommit;
};

export type NumberedCommit = {
  readonly commit: Commit;
  /** With the newline at its end. */
  readonly line: Uint8Array;
  /** Where the log stands after it. */
  readonly position: LogPosition;
};

export const createLogEncoder = (epoch: number, start: LogPosition): LogEncoder => {
  let head = start;
  return {
    head: () => head,
    encode: (draft, expected, durable) => {
      if (expected.epoch !== epoch) {
        throw new StaleWriterError(`The log is open for epoch ${epoch}, not ${expected.epoch}.`);
      }
      if (expected.seq !== head.seq) {
        throw new StaleWriterError(`The log stands at ${head.seq}, not at ${expected.seq}.`);
      }
      const place = { seq: head.seq + 1, epoch, durable, previousHash: head.hash };
      const { commit, line, hash } = encodeCommit(draft, place);
      head = { seq: lastNumberOf(commit), hash };
      return { commit, line, position: head };
    },
  };
};
