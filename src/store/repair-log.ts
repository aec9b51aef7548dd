import type { LogPosition } from '../domain/commit.ts';
import type { Disk } from '../platform/disk.ts';
import { LogDamagedError, StaleWriterError } from './event-store.ts';
import { scanLog } from './log-scan.ts';
import type { LogPlace } from './log-scan.ts';
import { recoverTail } from './recovery.ts';
import { saveBeside } from './saved-bytes.ts';
import { EVENTS_FOLDER, listSegments } from './segments.ts';
import { wholeCommits } from './whole-commits.ts';
import { youngestEpoch } from './writer-files.ts';

export type LogRepair =
  | { readonly kind: 'nothing-damaged'; readonly position: LogPosition }
  | {
      readonly kind: 'cut';
      readonly place: LogPlace;
      readonly reason: string;
      /** Where the log ends now. */
      readonly position: LogPosition;
      readonly lost: {
        readonly bytes: number;
        /** Whole commits and their events among the cut bytes. */
        readonly commits: number;
        readonly events: number;
      };
      /** Where the cut bytes are, relative to the audit's folder. */
      readonly savedAs: readonly string[];
    };

/**
 * Cuts a log at its first damage and keeps what is cut in files beside it (V5). The operator asks for
 * it, since it gives up facts; a torn tail needs no repair, any opening recovers it. The caller owns
 * the epoch, and has ended the audit's processes and moved `attempts/` aside before.
 *
 * Later segments are put aside from the last to the first, the damaged one is cut at the end: a
 * repair that is cut short leaves a log that is still damaged, or one with a torn tail, never a
 * healthy one with a hole.
 *
 * @throws {LogMissingError} when there is no log.
 * @throws {NewerLogError} at a line of a newer casefile: that is no damage, and nothing is cut.
 * @throws {StaleWriterError} when a younger writer exists.
 */
export const repairLog = async ({
  disk,
  directory,
  epoch,
}: {
  readonly disk: Disk;
  /** The audit's folder. */
  readonly directory: string;
  readonly epoch: number;
}): Promise<LogRepair> => {
  if ((await youngestEpoch(disk, directory)) > epoch) {
    throw new StaleWriterError(`C5: a younger writer than ${epoch} exists.`);
  }
  const damage = await firstDamage(disk, directory);
  if (!(damage instanceof LogDamagedError)) return { kind: 'nothing-damaged', position: damage };
  const { place } = damage;
  const savedAs: string[] = [];
  const lost = { bytes: 0, commits: 0, events: 0 };
  const count = (bytes: Uint8Array): void => {
    lost.bytes += bytes.length;
    for (const { events } of wholeCommits(Buffer.from(bytes), 0)) {
      lost.commits += 1;
      lost.events += events;
    }
  };

  const segments = await listSegments(disk, directory);
  const damaged = segments.findIndex(({ file }) => file === place.file);
  for (const { file } of segments.slice(damaged + 1).toReversed()) {
    const path = `${directory}/${file}`;
    count(await disk.readFile(path));
    const aside = await freeName(disk, directory, file);
    await disk.rename(path, `${directory}/${aside}`);
    await disk.syncDirectory(`${directory}/${EVENTS_FOLDER}`);
    savedAs.push(aside);
  }

  const path = `${directory}/${place.file}`;
  const bytes = Buffer.from(await disk.readFile(path));
  const start = startOfLine(bytes, place.line);
  const cut = bytes.subarray(start);
  count(cut);
  savedAs.push(await saveBeside({ disk, directory }, place.file, `${place.seq}.cut`, cut));
  if (start === 0) {
    // Without a good line in it, the segment's name may be wrong too; the next writer makes its own.
    await disk.remove(path);
    await disk.syncDirectory(`${directory}/${EVENTS_FOLDER}`);
  } else {
    const file = await disk.open(path, 'existing');
    await file.truncate(start);
    await file.datasync();
    await file.close();
  }
  const scan = await scanLog({ disk, directory, checkChain: true });
  await recoverTail({ disk, directory }, scan);
  const { position } = scan;
  return {
    kind: 'cut',
    place,
    reason: damage.message,
    position,
    lost,
    savedAs: savedAs.toReversed(),
  };
};

const firstDamage = async (
  disk: Disk,
  directory: string,
): Promise<LogDamagedError | LogPosition> => {
  try {
    return (await scanLog({ disk, directory, checkChain: true })).position;
  } catch (error) {
    if (error instanceof LogDamagedError) return error;
    throw error;
  }
};

const startOfLine = (bytes: Buffer, line: number): number => {
  let start = 0;
  for (let current = 1; current < line; current += 1) start = bytes.indexOf(0x0a, start) + 1;
  return start;
};

const freeName = async (disk: Disk, directory: string, file: string): Promise<string> => {
  for (let copy = 1; ; copy += 1) {
    const name = copy === 1 ? `${file}.cut` : `${file}.${copy}.cut`;
    if ((await disk.sizeOf(`${directory}/${name}`)) === undefined) return name;
  }
};
