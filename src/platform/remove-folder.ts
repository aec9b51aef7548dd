import { randomUUID } from 'node:crypto';
import { lstat, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';

/** What stands there is not what may be removed: nothing was touched. */
export class NotRemovableError extends Error {
  override readonly name = 'NotRemovableError';
}

/**
 * Names of folders that are being removed begin so. Nothing else of ours does, so that what a killed
 * process left behind is known for what it is.
 */
export const REMOVED_PREFIX = '.removed-';

/**
 * Removes a folder with all that is in it. It is one of two places in the program that do, so it
 * trusts nothing it is told:
 *
 * G1. The folder lies strictly below `within`, by its real path: no link leads out on the way.
 * G2. It is a folder itself, and no link; what links in it point to stays.
 * G3. It is renamed first, beside itself, so that it vanishes at once and whole for everybody who
 *     looks for it; a process that is killed meanwhile leaves a name that tells what it is.
 *
 * @param folder absolute.
 * @param within absolute; exists and has no link on its way.
 * @returns whether there was anything to remove.
 * @throws {NotRemovableError} when G1 or G2 does not hold.
 */
export const removeFolder = async (folder: string, within: string): Promise<boolean> => {
  const found = await lstat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return false;
  if (!found.isDirectory()) throw new NotRemovableError(`${folder} is no folder.`);
  const parent = await realpath(dirname(folder));
  const way = relative(await realpath(within), join(parent, basename(folder)));
  if (parent !== dirname(folder) || way === '' || way.startsWith('..') || way.startsWith('/')) {
    throw new NotRemovableError(`${folder} does not lie in ${within}, or a link leads there.`);
  }
  const name = basename(folder);
  const removed = name.startsWith(REMOVED_PREFIX)
    ? folder
    : join(parent, `${REMOVED_PREFIX}${name}-${randomUUID().slice(0, 8)}`);
  if (removed !== folder) await rename(folder, removed);
  await rm(removed, { recursive: true, force: true, maxRetries: 3 });
  return true;
};
