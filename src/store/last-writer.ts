import type { Disk } from '../platform/disk.ts';
import { decodeLine, isProblem } from './commit-codec.ts';
import { LogMissingError } from './event-store.ts';
import { listSegments } from './segments.ts';

/**
 * The writer of the log's last whole commit, and whether it closed the log with it: after its
 * `WriterClosed` a process appends nothing. Epochs only grow, so the last commit has the largest.
 * Read from the end, without a look at what stands before: the claim comes before the real reading.
 */
export const lastWriter = async (
  disk: Disk,
  directory: string,
): Promise<{ readonly epoch: number; readonly isClosed: boolean }> => {
  const segments = await listSegments(disk, directory).catch((error: unknown) => {
    if (error instanceof LogMissingError) return [];
    throw error;
  });
  for (const segment of segments.toReversed()) {
    const bytes = Buffer.from(await disk.readFile(`${directory}/${segment.file}`));
    let end = bytes.lastIndexOf(0x0a);
    while (end > 0) {
      const start = bytes.lastIndexOf(0x0a, end - 1) + 1;
      const commit = decodeLine(bytes, start, end);
      if (!isProblem(commit)) {
        const last = commit.events.at(-1);
        const isClosed = last?.type === 'WriterClosed' && last.epoch === commit.epoch;
        return { epoch: commit.epoch, isClosed };
      }
      end = start - 1;
    }
  }
  return { epoch: 0, isClosed: false };
};
