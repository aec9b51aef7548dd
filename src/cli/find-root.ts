import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../domain/usage-error.ts';
import { AUDITS_FOLDER } from '../engine/audit-files.ts';
import { STATE_FOLDER, workTreeTop } from '../platform/git-source-tree.ts';
import { readRegularFile } from '../platform/read-regular-file.ts';

/** The folder to audit, without links, and why it is this one when nobody named it. */
export type FoundRoot = {
  readonly root: string;
  /** Undefined: it was named, or it is the working folder itself. */
  readonly because: string | undefined;
};

/**
 * The folder that a call is about: the one that is named, taken as it is. Without a name casefile
 * looks upwards from the working folder, as git does: the nearest folder that holds a state folder of
 * casefile, else the top of the git work tree, else the working folder. It does not look above the
 * top of a work tree: a state folder up there belongs to something else, and an audit of all that
 * would be more than anybody asked for.
 *
 * @throws {UsageError} when it is no folder or lies in a state directory of casefile.
 */
export const findRoot = async (
  named: string | undefined,
  workingFolder = process.cwd(),
): Promise<FoundRoot> => {
  if (named === '') {
    // A variable of a script that is not set would otherwise mean the working folder.
    throw new UsageError('The name of the folder to audit is empty.', 'Name one, or none at all.');
  }
  const given = resolve(workingFolder, named ?? '.');
  if ((await stat(given).catch(() => undefined))?.isDirectory() !== true) {
    throw new UsageError(
      `${given} is not a folder.`,
      'Name the folder to audit: casefile run PATH',
    );
  }
  const folder = await realpath(given);
  await refuseStateFolder(folder);
  if (named !== undefined) return { root: folder, because: undefined };
  const top = await workTreeTop(folder);
  const holder = await nearest(folder, top, holdsState);
  const root = holder ?? top ?? folder;
  if (root === folder) return { root, because: undefined };
  return {
    root,
    because: holder === undefined ? 'the top of the git work tree' : `which holds ${STATE_FOLDER}`,
  };
};

/** An audit of an audit's own files would nest one state folder in another. */
const refuseStateFolder = async (folder: string): Promise<void> => {
  const isNamedSo = folder.split('/').includes(STATE_FOLDER);
  const around = isNamedSo ? folder : await nearest(folder, undefined, isStateFolder);
  if (around === undefined) return;
  throw new UsageError(
    `${folder} lies inside a state folder of casefile (${isNamedSo ? STATE_FOLDER : around}).`,
    'Run casefile from the project itself, or name it: casefile COMMAND PATH',
  );
};

/** From `folder` upwards to `top` (or the root of the file system), the first that `is` so. */
const nearest = async (
  folder: string,
  top: string | undefined,
  is: (folder: string) => Promise<boolean>,
): Promise<string | undefined> => {
  for (let here = folder; ; here = dirname(here)) {
    if (await is(here)) return here;
    if (here === top || here === dirname(here)) return undefined;
  }
};

const holdsState = async (folder: string): Promise<boolean> => {
  const state = join(folder, STATE_FOLDER);
  return (await isFolder(state)) && (await isStateFolder(state));
};

/** As casefile makes them: audits, and a pattern that keeps them out of version control. */
const isStateFolder = async (folder: string): Promise<boolean> => {
  if (!(await isFolder(join(folder, AUDITS_FOLDER)))) return false;
  const ignored = await readRegularFile(join(folder, '.gitignore')).catch(() => undefined);
  return ignored !== undefined && Buffer.from(ignored).toString('latin1') === '*\n';
};

/** A link is none: what a repository brings along could lead anywhere. */
const isFolder = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => undefined))?.isDirectory() === true;
