import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { notRegular } from './read-regular-file.ts';
import type { ScannedFile } from './source-tree.ts';

/**
 * Hands out the bytes of a regular file in pieces of one size, the last one smaller. Never follows a
 * link at the end of the path and never waits for a pipe's writer.
 *
 * A file that grows meanwhile is read as far as it went when it was opened: what a program keeps
 * appending to has an end here. One that shrinks is as long as what was left to read.
 *
 * @param take gets bytes that are valid only during the call.
 * @throws Node's error; `ENOTFILE` when something else stands there.
 */
export const scanFile = async (
  path: string | Buffer,
  limits: { readonly pieceBytes: number; readonly bytesMax: number },
  take: (piece: Uint8Array) => void,
): Promise<ScannedFile> => {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw notRegular(path);
    if (stat.size > limits.bytesMax) return { size: stat.size, isTooLarge: true };
    // On special file systems the size is 0 and there are bytes all the same: one piece of them.
    const sizeMax = stat.size === 0 ? limits.pieceBytes : stat.size;
    const buffer = bufferFor(sizeMax, limits.pieceBytes);
    let size = 0;
    while (size < sizeMax) {
      const wanted = Math.min(buffer.length, sizeMax - size);
      const length = fill(file, buffer, wanted);
      if (length > 0) take(buffer.subarray(0, length));
      size += length;
      if (length < wanted) break;
      // Between pieces signals and timers get a turn; a small file is one piece.
      if (size < sizeMax) await nextTurn();
    }
    return { size, isTooLarge: false };
  } finally {
    closeSync(file);
  }
};

/**
 * A file of one piece is read without a pause, so that all of them can take turns with one buffer: a
 * new one for each of many thousand files is most of what the garbage collector has to do.
 */
const bufferFor = (bytes: number, pieceBytes: number): Buffer => {
  if (bytes > pieceBytes) return Buffer.allocUnsafeSlow(pieceBytes);
  if (shared.length < bytes) shared = Buffer.allocUnsafeSlow(pieceBytes);
  return shared.subarray(0, bytes);
};

let shared = Buffer.alloc(0);

/** Reads until the piece is full or the file ends; a read may give less than was asked for. */
const fill = (file: number, buffer: Buffer, wanted: number): number => {
  let length = 0;
  while (length < wanted) {
    const read = readSync(file, buffer, length, wanted - length, null);
    if (read === 0) break;
    length += read;
  }
  return length;
};
