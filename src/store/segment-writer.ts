import type { EventNumber } from '../domain/ids.ts';
import type { Disk, DiskFile } from '../platform/disk.ts';
import { StaleWriterError } from './event-store.ts';
import { EVENTS_FOLDER, segmentOf } from './segments.ts';

/** The end of the log on disk: appends groups of lines and begins new segments (L5). */
export type SegmentWriter = {
  /** C5: @throws {StaleWriterError} when the file is not as long as it was left. */
  readonly refuseOtherLength: () => Promise<void>;
  /** How many of the next lines, at least one, can go out together: no group spans two segments. */
  readonly fitting: (lengths: readonly number[]) => number;
  /**
   * Resolves when the lines are written and their sync runs; they are durable when `synced` resolves.
   * `first`: the number of the first line's first event.
   */
  readonly append: (
    lines: readonly Uint8Array[],
    first: EventNumber,
  ) => Promise<{ readonly synced: Promise<void> }>;
  readonly close: () => Promise<void>;
};

type Open = { readonly name: string; readonly file: DiskFile; length: number };

/** @param last the last segment, or undefined when there is none yet. */
export const openSegmentWriter = async (
  options: { readonly disk: Disk; readonly directory: string; readonly bytesMax: number },
  last: { readonly file: string; readonly length: number } | undefined,
): Promise<SegmentWriter> => {
  const { disk, directory, bytesMax } = options;
  let open: Open | undefined;
  if (last !== undefined) {
    const file = await disk.open(`${directory}/${last.file}`, 'append');
    open = { name: last.file, file, length: last.length };
  }

  /** Each append has synced the old segment to its end, so it may be left (L5). */
  const beginSegment = async (first: EventNumber): Promise<Open> => {
    await open?.file.close();
    const { file: name } = segmentOf(first);
    await (await disk.open(`${directory}/${name}`, 'create')).close();
    const file = await disk.open(`${directory}/${name}`, 'append');
    open = { name, file, length: 0 };
    await disk.syncDirectory(`${directory}/${EVENTS_FOLDER}`);
    return open;
  };

  const isFull = ({ length }: Open, more: number): boolean =>
    length > 0 && length + more > bytesMax;

  return {
    refuseOtherLength: async () => {
      if (open === undefined) return;
      const found = await open.file.size();
      if (found === open.length) return;
      throw new StaleWriterError(
        `C5: ${open.name} has ${found} bytes, but this writer left ${open.length}.`,
      );
    },
    fitting: (lengths) => {
      const [first = 0] = lengths;
      let bytes = open === undefined || isFull(open, first) ? 0 : open.length;
      let count = 0;
      for (const length of lengths) {
        bytes += length;
        if (count > 0 && bytes > bytesMax) break;
        count += 1;
      }
      return count;
    },
    append: async (lines, first) => {
      const bytes = lines.length === 1 ? (lines[0] ?? Buffer.alloc(0)) : Buffer.concat(lines);
      let segment = open;
      if (segment === undefined || isFull(segment, bytes.length)) {
        segment = await beginSegment(first);
      }
      await segment.file.write(bytes, segment.length);
      const written = segment;
      const synced = written.file.datasync().then(() => {
        written.length += bytes.length;
      });
      return { synced };
    },
    close: async () => {
      await open?.file.close();
      open = undefined;
    },
  };
};
