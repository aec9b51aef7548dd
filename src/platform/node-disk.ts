import { constants, fstatSync, readdirSync, writeSync } from 'node:fs';
import { link, mkdir, open, rename, stat, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { compareText } from '../std/canonical-json.ts';
import type { Disk, DiskFile } from './disk.ts';
import { notRegular } from './read-regular-file.ts';

/** The disk of this machine. */
export const createNodeDisk = (): Disk => ({
  open: async (path, mode) => fileOf(await open(path, FLAGS[mode])),
  readFile: readWhole,
  list: async (directory) => readdirSync(directory).toSorted(compareText),
  makeDirectory,
  link,
  rename,
  remove: unlink,
  syncDirectory,
  sizeOf: async (path) => {
    try {
      return (await stat(path)).size;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  },
});

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants;

/** No link is followed at the end of a path: what stands there under our names is ours or nothing. */
const FLAGS: Readonly<Record<Parameters<Disk['open']>[1], number>> = {
  create: O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW,
  existing: O_RDWR | O_NOFOLLOW,
  append: O_RDWR | O_APPEND | O_NOFOLLOW,
};

/** In one piece where the system gives one; Node's own reading takes half a megabyte at a time. */
const readWhole = async (path: string): Promise<Uint8Array> => {
  // A pipe in a file's place would have us wait for its writer, and then look empty.
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = await handle.stat();
    if (!stat.isFile() && !stat.isDirectory()) throw notRegular(path);
    const bytes = Buffer.allocUnsafeSlow(stat.size);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
      // A file may become shorter while it is read.
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    await handle.close();
  }
};

/**
 * Looks and small writes go to the system's cache and are done at once: handing them to another
 * thread and back takes ten times as long. What waits for the disk itself, the syncs, never blocks.
 */
const AT_ONCE_BYTES = 1 << 20;

const fileOf = (handle: FileHandle): DiskFile => ({
  write: async (bytes, position) => {
    // A full disk and a signal both make short writes.
    for (let done = 0; done < bytes.length;) {
      const left = bytes.length - done;
      if (left <= AT_ONCE_BYTES) {
        done += writeSync(handle.fd, bytes, done, left, position + done);
      } else {
        const { bytesWritten } = await handle.write(bytes, done, left, position + done);
        done += bytesWritten;
      }
    }
  },
  size: async () => fstatSync(handle.fd).size,
  truncate: (length) => handle.truncate(length),
  datasync: () => handle.datasync(),
  close: () => handle.close(),
});

/**
 * Each new entry is synced before the next is made, so that only the deepest existing one can have
 * been left unsynced by a process that was killed here: that one is synced too.
 */
const makeDirectory = async (directory: string): Promise<void> => {
  const parent = dirname(directory);
  try {
    await mkdir(directory);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && parent !== directory) {
      await makeDirectory(parent);
      await mkdir(directory).catch(unlessDirectoryExists(directory));
    } else {
      await unlessDirectoryExists(directory)(error);
      await syncDirectory(parent).catch(unlessForbidden);
      return;
    }
  }
  await syncDirectory(parent);
};

/** Some file systems refuse to sync a directory (EINVAL, ENOTSUP): they have nothing to keep back. */
const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } catch (error) {
    if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'ENOTSUP') throw error;
  } finally {
    await handle.close();
  }
};

const unlessDirectoryExists = (directory: string) => async (error: unknown) => {
  if (codeOf(error) !== 'EEXIST' || !(await stat(directory)).isDirectory()) throw error;
};

/** The parent of a folder that the user made may be closed to us; it is not ours to keep. */
const unlessForbidden = (error: unknown): void => {
  if (codeOf(error) !== 'EACCES' && codeOf(error) !== 'EPERM') throw error;
};

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
