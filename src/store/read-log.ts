import type { Commit, LogPosition } from '../domain/commit.ts';
import type { EventNumber } from '../domain/ids.ts';
import type { Disk } from '../platform/disk.ts';
import { scanLog } from './log-scan.ts';
import type { LogTail } from './log-scan.ts';

export type LogReading = {
  readonly commits: readonly Commit[];
  readonly position: LogPosition;
  readonly tail: LogTail;
};

/**
 * The log as a reader sees it that takes no lock and writes nothing (V4): all good commits from the
 * one that holds `from` on, and how the tail looks. A torn tail may also be a living writer at work:
 * the commits before it are whole all the same.
 *
 * @throws {LogMissingError} when there is no log.
 * @throws {LogDamagedError} at damage that no crash can leave behind.
 * @throws {NewerLogError} at a line of a newer casefile.
 */
export const readLog = async (options: {
  readonly disk: Disk;
  /** The audit's folder. */
  readonly directory: string;
  readonly from?: EventNumber;
}): Promise<LogReading> => {
  const commits: Commit[] = [];
  const { position, tail } = await scanLog({ ...options, visit: (commit) => commits.push(commit) });
  return { commits, position, tail };
};
