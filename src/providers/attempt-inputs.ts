import type { Disk } from '../platform/disk.ts';

/**
 * Writes a file that a worker reads. A worker of an earlier life may be reading the same file now,
 * so it is replaced as a whole. Not synced: what is lost here is written again.
 */
export const writeInput = async (disk: Disk, path: string, text: string): Promise<void> => {
  const draft = `${path}.new`;
  if ((await disk.sizeOf(draft)) !== undefined) await disk.remove(draft);
  const file = await disk.open(draft, 'create');
  try {
    await file.write(Buffer.from(text), 0);
  } finally {
    await file.close();
  }
  await disk.rename(draft, path);
};
