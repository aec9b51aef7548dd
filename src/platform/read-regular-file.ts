import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';

/**
 * The bytes of a regular file. Never follows a link at the end of the path and never waits for a
 * pipe's writer: between listing and reading, a file may have become either.
 *
 * Small files are read at once: handing the work to another thread and back takes eight times as
 * long as a cached read itself. The caller yields between files.
 *
 * @throws Node's error; `ENOTFILE` when something else stands there.
 */
export const readRegularFile = async (path: string | Buffer): Promise<Uint8Array> => {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw notRegular(path);
    return stat.size > SMALL_BYTES ? await readLarge(path) : readWhole(file, stat.size);
  } finally {
    closeSync(file);
  }
};

/**
 * The bytes of a file that the caller's user has named. Links are followed, since people keep their
 * files elsewhere; a pipe or a device is refused like a folder, since reading it might never end.
 *
 * @param bytesMax what it may have at most.
 * @throws Node's error; `ENOTFILE`; or one that says that it is too large.
 */
export const readNamedFile = async (path: string, bytesMax: number): Promise<Uint8Array> => {
  const real = await realpath(path);
  const { size } = await stat(real);
  if (size > bytesMax) throw new Error(`It has ${size} bytes; at most ${bytesMax} are read.`);
  return readRegularFile(real);
};

const SMALL_BYTES = 1 << 20;

/** Until the end: the size may have changed since it was asked, or be 0 on special file systems. */
const readWhole = (file: number, size: number): Uint8Array => {
  let bytes = Buffer.allocUnsafeSlow(size + 1);
  let length = 0;
  for (;;) {
    const read = readSync(file, bytes, length, bytes.length - length, null);
    if (read === 0) return bytes.subarray(0, length);
    length += read;
    if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.alloc(bytes.length)]);
  }
};

const readLarge = (path: string | Buffer): Promise<Uint8Array> =>
  readFile(path, { flag: constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK });

/** What stands at a path is a folder, a pipe, a socket or a device. */
export const notRegular = (path: string | Buffer): Error =>
  Object.assign(new Error(`ENOTFILE: ${String(path)} is not a regular file`), {
    code: 'ENOTFILE',
    syscall: 'open',
  });
