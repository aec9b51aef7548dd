import type { LogPosition } from '../domain/commit.ts';
import { LOG_START } from '../domain/commit.ts';
import type { BlobRef } from '../domain/ids.ts';
import { blobRef } from '../domain/ids.ts';
import type { Disk } from '../platform/disk.ts';
import { messageOf } from '../std/message-of.ts';
import { BlobDamagedError, BlobMissingError } from './blob-store.ts';
import type { BlobStore } from './blob-store.ts';
import { LogDamagedError, NewerLogError } from './event-store.ts';
import { hasLostItsLog } from './empty-log.ts';
import { scanLog } from './log-scan.ts';
import { EVENTS_FOLDER } from './segments.ts';
import type { LogPlace } from './log-scan.ts';

export type LogProblem =
  | { readonly kind: 'torn-tail'; readonly place: LogPlace; readonly bytes: number }
  | { readonly kind: 'damaged'; readonly place: LogPlace; readonly message: string }
  | { readonly kind: 'newer'; readonly message: string }
  | {
      readonly kind: 'blob-missing' | 'blob-damaged' | 'blob-unreadable';
      /** The first event that names it. */
      readonly place: LogPlace;
      readonly blob: BlobRef;
      readonly message: string;
    };

export type LogVerification = {
  readonly commits: number;
  readonly blobs: number;
  /** After the last good commit; the start when damage kept it from being known. */
  readonly position: LogPosition;
  readonly problems: readonly LogProblem[];
};

/**
 * Checks everything that can be checked of a log: each byte (CRC), the chain, the numbers, and that
 * each blob that an event names is there with its digest. Reads only. The log is looked at up to its
 * first damage, since nothing after it can be numbered.
 *
 * @throws {LogMissingError} when there is no log.
 */
export const verifyLog = async ({
  disk,
  directory,
  blobs,
}: {
  readonly disk: Disk;
  /** The audit's folder. */
  readonly directory: string;
  readonly blobs: BlobStore;
}): Promise<LogVerification> => {
  const problems: LogProblem[] = [];
  const named = new Map<string, { readonly blob: BlobRef; readonly place: LogPlace }>();
  let commits = 0;
  let position = LOG_START;
  try {
    const scan = await scanLog({
      disk,
      directory,
      checkChain: true,
      visit: (commit, file, line) => {
        commits += 1;
        for (const [index, event] of commit.events.entries()) {
          const place = { file, line, seq: commit.seq + index };
          for (const blob of blobsIn(event)) {
            const key = `${blob.digest} ${blob.bytes}`;
            if (!named.has(key)) named.set(key, { blob, place });
          }
        }
      },
    });
    position = scan.position;
    if (scan.tail.kind === 'torn') {
      problems.push({ kind: 'torn-tail', place: scan.tail.place, bytes: scan.tail.bytes });
    }
  } catch (error) {
    problems.push(problemOf(error));
  }
  const isKnown = problems.some(({ kind }) => kind !== 'torn-tail');
  if (commits === 0 && !isKnown && (await hasLostItsLog(disk, directory))) {
    const place = { file: EVENTS_FOLDER, line: 1, seq: 1 };
    const message = 'The log holds no event, though there are blobs that events named.';
    problems.push({ kind: 'damaged', place, message });
  }
  for (const { blob, place } of named.values()) {
    const problem = await blobProblem(blobs, blob);
    if (problem !== undefined) problems.push({ ...problem, place, blob });
  }
  return { commits, blobs: named.size, position, problems };
};

const problemOf = (error: unknown): LogProblem => {
  if (error instanceof LogDamagedError) {
    return { kind: 'damaged', place: error.place, message: error.message };
  }
  if (error instanceof NewerLogError) return { kind: 'newer', message: error.message };
  throw error;
};

/** Every reference in an event, wherever its type has one: new events need no word here. */
function* blobsIn(value: unknown): Generator<BlobRef> {
  if (typeof value !== 'object' || value === null) return;
  const reference = blobRef.safeParse(value);
  if (reference.success) yield reference.data;
  else for (const field of Object.values(value)) yield* blobsIn(field);
}

const blobProblem = async (
  blobs: BlobStore,
  { digest, bytes }: BlobRef,
): Promise<
  | { readonly kind: 'blob-missing' | 'blob-damaged' | 'blob-unreadable'; readonly message: string }
  | undefined
> => {
  try {
    const { length } = await blobs.get(digest);
    if (length === bytes) return undefined;
    return { kind: 'blob-damaged', message: `It has ${length} bytes instead of ${bytes}.` };
  } catch (error) {
    const message = messageOf(error);
    if (error instanceof BlobMissingError) return { kind: 'blob-missing', message };
    if (error instanceof BlobDamagedError) return { kind: 'blob-damaged', message };
    return { kind: 'blob-unreadable', message };
  }
};
