import { join } from 'node:path';
import type { Disk } from '../platform/disk.ts';
import { BLOBS_FOLDER } from './file-blob-store.ts';

/**
 * Whether an audit whose log holds no commit must have had some: a blob is written only after the
 * first one is durable. Such a log is damaged, not new (V4: unreadable is never empty).
 *
 * @param directory the audit's folder.
 */
export const hasLostItsLog = async (disk: Disk, directory: string): Promise<boolean> => {
  const names = await disk.list(join(directory, BLOBS_FOLDER)).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  return names.length > 0;
};
