import { lastNumberOf, LOG_START } from '../domain/commit.ts';
import type { Commit, LogPosition } from '../domain/commit.ts';
import { StaleWriterError, StoreFailedError } from './event-store.ts';
import type { EventStore } from './event-store.ts';
import { createLogEncoder } from './log-encoder.ts';

/** A log in memory. It outlives its writers, as a log on disk does. */
export type MemoryLog = {
  readonly commits: Commit[];
  position: LogPosition;
  /** The youngest writer that ever opened it. */
  epoch: number;
};

export const createMemoryLog = (): MemoryLog => ({ commits: [], position: LOG_START, epoch: 0 });

/**
 * The event store without a disk: what is handed in is durable in the next step. It encodes every
 * commit, so that schema, numbers and chain are the real ones.
 * @throws {StaleWriterError} when a younger writer has opened the log.
 */
export const createMemoryEventStore = ({
  epoch,
  log = createMemoryLog(),
}: {
  readonly epoch: number;
  readonly log?: MemoryLog;
}): EventStore => {
  if (log.epoch > epoch) throw new StaleWriterError(`Writer ${log.epoch} is above ${epoch}.`);
  log.epoch = epoch;
  const encoder = createLogEncoder(epoch, log.position);
  let isClosed = false;
  const refuseYoungerWriter = (): void => {
    if (log.epoch <= epoch) return;
    throw new StaleWriterError(`C5: writer ${log.epoch} has taken over from writer ${epoch}.`);
  };
  return {
    head: encoder.head,
    durable: () => log.position,
    append: async (draft, expected) => {
      if (isClosed) throw new StoreFailedError('The log is closed.');
      refuseYoungerWriter();
      const { commit, position } = encoder.encode(draft, expected, log.position.seq);
      await Promise.resolve();
      refuseYoungerWriter();
      log.commits.push(commit);
      log.position = position;
      return { commit, position };
    },
    read: async function* (from = 1) {
      const until = log.position.seq;
      for (const commit of log.commits) {
        const last = lastNumberOf(commit);
        if (last >= from && last <= until) yield commit;
      }
    },
    close: async () => {
      isClosed = true;
    },
  };
};
