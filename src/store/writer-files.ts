import type { Disk } from '../platform/disk.ts';

/** The folder of the epochs' owners, in the audit's folder: one file an epoch, `writers/<n>` (W1). */
export const WRITERS_FOLDER = 'writers';

/** The largest epoch that has a file in `directory`'s `writers/`; 0 when there is none. */
export const youngestEpoch = async (disk: Disk, directory: string): Promise<number> => {
  const names = await disk.list(`${directory}/${WRITERS_FOLDER}`).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return [];
  });
  let youngest = 0;
  for (const name of names) {
    if (/^[1-9]\d{0,14}$/.test(name)) youngest = Math.max(youngest, Number(name));
  }
  return youngest;
};
