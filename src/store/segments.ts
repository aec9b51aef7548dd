import type { EventNumber } from '../domain/ids.ts';
import type { Disk } from '../platform/disk.ts';
import { LogMissingError } from './event-store.ts';

/** The folder of the log's segments, in the audit's folder. */
export const EVENTS_FOLDER = 'events';

/** Segments are at most this long (L5), unless one single commit is longer. */
export const SEGMENT_BYTES_MAX = 64 * 1024 * 1024;

/** One file of the log: named for its first event (L5). */
export type Segment = {
  /** Relative to the audit's folder. */
  readonly file: string;
  readonly first: EventNumber;
};

export const segmentOf = (first: EventNumber): Segment => ({
  file: `${EVENTS_FOLDER}/${String(first).padStart(12, '0')}.jsonl`,
  first,
});

/**
 * The segments of the log in `directory`, in order. Other files beside them (cut tails) are no part
 * of the log.
 * @throws {LogMissingError} when there is no folder for them.
 */
export const listSegments = async (disk: Disk, directory: string): Promise<readonly Segment[]> => {
  const names = await disk.list(`${directory}/${EVENTS_FOLDER}`).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new LogMissingError(`There is no log in ${directory}.`);
  });
  return names
    .filter((name) => /^\d{12}\.jsonl$/.test(name))
    .map((name) => segmentOf(Number(name.slice(0, 12))));
};
