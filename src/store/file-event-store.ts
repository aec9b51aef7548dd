import { lastNumberOf } from '../domain/commit.ts';
import type { Commit, LogPosition } from '../domain/commit.ts';
import type { EventNumber } from '../domain/ids.ts';
import type { Disk } from '../platform/disk.ts';
import { StaleWriterError, StoreFailedError } from './event-store.ts';
import type { EventStore } from './event-store.ts';
import { createLogEncoder } from './log-encoder.ts';
import type { NumberedCommit } from './log-encoder.ts';
import { scanLog } from './log-scan.ts';
import { recoverTail } from './recovery.ts';
import type { Recovered } from './recovery.ts';
import { openSegmentWriter } from './segment-writer.ts';
import { EVENTS_FOLDER, listSegments, SEGMENT_BYTES_MAX } from './segments.ts';
import { youngestEpoch } from './writer-files.ts';

export type FileEventStoreOptions = {
  readonly disk: Disk;
  /** The audit's folder. */
  readonly directory: string;
  /** The epoch that this process claimed before (W1). */
  readonly epoch: number;
  /** `create` makes the log's folder; `existing` requires it. */
  readonly mode: 'create' | 'existing';
  readonly segmentBytesMax?: number;
  /** Sees each commit that is there already, in order, so that the log is read only once. */
  readonly visit?: (commit: Commit) => void;
};

export type FileEventStore = EventStore & { readonly recovered: Recovered };

/**
 * Opens the log of one audit for its owner: reads it, cuts and saves a torn tail, and makes all that
 * is left durable (V1, V2). Commits that come while a sync runs are encoded beside it and share the
 * next one (C2).
 *
 * @throws {LogMissingError} when there is no log and none is to be created.
 * @throws {LogDamagedError} at anything that no crash can leave behind.
 * @throws {NewerLogError} at a line of a newer casefile.
 * @throws {StaleWriterError} when a younger writer exists.
 */
export const openFileEventStore = async (
  options: FileEventStoreOptions,
): Promise<FileEventStore> => {
  const { disk, directory, epoch, visit } = options;
  if (options.mode === 'create') await disk.makeDirectory(`${directory}/${EVENTS_FOLDER}`);
  const refuseYoungerWriter = async (): Promise<void> => {
    const youngest = await youngestEpoch(disk, directory);
    if (youngest <= epoch) return;
    throw new StaleWriterError(`C5: writer ${youngest} has taken over from writer ${epoch}.`);
  };
  await refuseYoungerWriter();
  const scan = await scanLog({ disk, directory, checkChain: true, ...(visit && { visit }) });
  if (scan.epoch > epoch) {
    throw new StaleWriterError(`W2: the log was written by epoch ${scan.epoch}, above ${epoch}.`);
  }
  const recovered = await recoverTail({ disk, directory }, scan);
  const segment = await openSegmentWriter(
    { disk, directory, bytesMax: options.segmentBytesMax ?? SEGMENT_BYTES_MAX },
    scan.last && { file: scan.last.file, length: scan.last.goodBytes },
  );
  const encoder = createLogEncoder(epoch, scan.position);
  let durable: LogPosition = scan.position;
  const waiting: Waiting[] = [];
  let flushing: Promise<void> | undefined;
  let refusal: Error | undefined;
  let isClosed = false;

  /** C4: nothing is tried again, and nothing is taken any more. */
  const failStop = (error: unknown, group: readonly Waiting[]): void => {
    refusal =
      error instanceof StaleWriterError
        ? error
        : new StoreFailedError(`C4: the log cannot be written: ${String(error)}`, { cause: error });
    for (const { reject } of [...group, ...waiting.splice(0)]) reject(refusal);
  };

  const tell = (group: readonly Waiting[]): void => {
    for (const { resolve, numbered } of group) {
      resolve({ commit: numbered.commit, position: numbered.position });
    }
  };

  /**
   * A group that is durable is told only when the sync of the next one runs, if one waits: whoever
   * hears of it decides and encodes at once, and that belongs beside a sync (C2).
   */
  const flush = async (): Promise<void> => {
    let untold: readonly Waiting[] = [];
    while (waiting.length > 0 && refusal === undefined) {
      let group: readonly Waiting[] = [];
      try {
        await Promise.all([refuseYoungerWriter(), segment.refuseOtherLength()]);
        // Taken only now: what came during the two looks goes along.
        const next = waiting.slice(0, GROUP_MAX);
        const count = segment.fitting(next.map(({ numbered }) => numbered.line.length));
        group = waiting.splice(0, count);
        const { synced } = await segment.append(
          group.map(({ numbered }) => numbered.line),
          group[0]?.numbered.commit.seq ?? 0,
        );
        tell(untold);
        untold = [];
        await synced;
      } catch (error) {
        tell(untold);
        untold = [];
        failStop(error, group);
        break;
      }
      durable = group.at(-1)?.numbered.position ?? durable;
      untold = group;
      if (waiting.length > 0) continue;
      tell(untold);
      untold = [];
    }
    // In the same step as the last look at `waiting`, so that no later commit is left lying.
    flushing = undefined;
  };

  return {
    recovered,
    head: encoder.head,
    durable: () => durable,
    // What the executor throws rejects the promise; an async function would add turns to each commit.
    append: (draft, expected) =>
      new Promise((resolve, reject) => {
        if (refusal !== undefined) throw refusal;
        if (isClosed) throw new StoreFailedError('The log is closed.');
        waiting.push({ numbered: encoder.encode(draft, expected, durable.seq), resolve, reject });
        flushing ??= flush();
      }),
    read: (from = 1) => readDurable({ disk, directory }, from, durable.seq),
    close: async () => {
      isClosed = true;
      await flushing;
      await segment.close();
    },
  };
};

/**
 * Commits that share a sync at the most. What is left waits for the next one, so that there is always
 * something to sync while those who were told decide and encode again.
 */
const GROUP_MAX = 64;

type Waiting = {
  readonly numbered: NumberedCommit;
  readonly resolve: (done: { readonly commit: Commit; readonly position: LogPosition }) => void;
  readonly reject: (error: Error) => void;
};

/** Segment by segment, so that a long log is never in memory as a whole. */
async function* readDurable(
  log: { readonly disk: Disk; readonly directory: string },
  from: EventNumber,
  until: EventNumber,
): AsyncGenerator<Commit> {
  if (from > until) return;
  const segments = await listSegments(log.disk, log.directory);
  for (const [index, segment] of segments.entries()) {
    const end = Math.min(until, (segments[index + 1]?.first ?? Infinity) - 1);
    if (segment.first > until || end < from) continue;
    const commits: Commit[] = [];
    const start = Math.max(from, segment.first);
    await scanLog({ ...log, from: start, until: end, visit: (commit) => commits.push(commit) });
    for (const commit of commits) if (lastNumberOf(commit) <= until) yield commit;
  }
}
