import type { Disk } from './disk.ts';

/**
 * Writes a file that must not be there yet, and syncs its bytes (D1). Its name is durable once the
 * folder is synced.
 *
 * @throws Node's error: EEXIST when something has the name.
 */
export const writeNewFile = async (disk: Disk, path: string, bytes: Uint8Array): Promise<void> => {
  const file = await disk.open(path, 'create');
  try {
    await file.write(bytes, 0);
    await file.datasync();
  } finally {
    await file.close();
  }
};

/**
 * Gives a whole file a second name, which is seen complete and at most once.
 *
 * @returns false when somebody has the name already.
 */
export const linkUnlessThere = async (
  disk: Disk,
  existing: string,
  added: string,
): Promise<boolean> => {
  try {
    await disk.link(existing, added);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};
