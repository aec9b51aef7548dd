import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Bytes of all files at or below a path; 0 when nothing is there. No link is followed, and what
 * vanishes while it is looked at, or is closed to us, counts nothing.
 */
export const folderSize = async (path: string): Promise<number> => {
  try {
    const found = await lstat(path);
    if (!found.isDirectory()) return found.size;
    let bytes = 0;
    // Names as bytes would be needed only for names that are not UTF-8; those are counted as missing.
    for (const name of await readdir(path)) bytes += await folderSize(join(path, name));
    return bytes;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return 0;
    throw error;
  }
};
