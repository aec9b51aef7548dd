import { lastNumberOf } from '../domain/commit.ts';
import type { EventNumber } from '../domain/ids.ts';
import type { Disk } from '../platform/disk.ts';
import { decodeLine, isProblem } from './commit-codec.ts';
import { StaleWriterError } from './event-store.ts';
import type { LastSegment, LogPlace, LogScan } from './log-scan.ts';
import { saveBeside } from './saved-bytes.ts';
import { EVENTS_FOLDER } from './segments.ts';

/** What the opening of a log found at its end. */
export type Recovered =
  | { readonly kind: 'clean' }
  | {
      readonly kind: 'torn';
      readonly place: LogPlace;
      /** How many bytes were cut. */
      readonly bytes: number;
      /** Where they are now, relative to the audit's folder. */
      readonly savedAs: string;
      readonly lastSeq: EventNumber;
    };

/**
 * Makes the good part of a scanned log durable (V2). Only its owner may, and nothing may be decided
 * before.
 *
 *   save the tail · sync it · truncate · write again what no mark vouches for · sync · sync the folder
 *
 * Written again, since a process that died after a failed sync leaves pages that read well, count as
 * clean and are on no disk: a sync alone would keep none of them. Written in place, with the same
 * bytes, so that what was durable already cannot get lost by it.
 */
export const recoverTail = async (
  { disk, directory }: { readonly disk: Disk; readonly directory: string },
  { position, mark, tail, last }: LogScan,
): Promise<Recovered> => {
  const folder = `${directory}/${EVENTS_FOLDER}`;
  if (last === undefined) {
    await disk.syncDirectory(folder);
    return { kind: 'clean' };
  }
  let recovered: Recovered = { kind: 'clean' };
  if (tail.kind === 'torn') {
    const { place, bytes } = tail;
    const torn = last.bytes.subarray(last.goodBytes);
    const savedAs = await saveBeside({ disk, directory }, last.file, `${place.seq}.torn`, torn);
    recovered = { kind: 'torn', place, bytes, savedAs, lastSeq: position.seq };
  }
  const file = await disk.open(`${directory}/${last.file}`, 'existing');
  try {
    if ((await file.size()) !== last.bytes.length) {
      throw new StaleWriterError(`C5: ${last.file} changed while it was read.`);
    }
    if (tail.kind === 'torn') await file.truncate(last.goodBytes);
    const marked = markedBytes(last, mark);
    const unmarked = last.bytes.subarray(marked, last.goodBytes);
    if (unmarked.length > 0) await file.write(unmarked, marked);
    await file.datasync();
  } finally {
    await file.close();
  }
  await disk.syncDirectory(folder);
  return recovered;
};

/** How many bytes of the segment are durable by the log's own word: up to the event `mark`. */
const markedBytes = ({ bytes, goodBytes }: LastSegment, mark: EventNumber): number => {
  let end = goodBytes;
  while (end > 0) {
    const start = end < 2 ? 0 : bytes.lastIndexOf(0x0a, end - 2) + 1;
    const commit = decodeLine(bytes, start, end - 1);
    if (!isProblem(commit) && lastNumberOf(commit) <= mark) return end;
    end = start;
  }
  return 0;
};
