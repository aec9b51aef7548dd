import { constants, copyFile, readlink } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { compareText } from '../std/canonical-json.ts';
import { IGNORE_FILE } from '../std/ignore-layers.ts';
import { absolutePath, createFolderKinds, type FolderKinds } from './folder-kinds.ts';
import {
  createGit,
  GitFailedError,
  type Git,
  type TrackedPath,
  type UntrackedPaths,
} from './git.ts';
import { pathFromBytes } from './path-bytes.ts';
import { readRegularFile } from './read-regular-file.ts';
import { scanFile } from './scan-file.ts';
import type { SourceEntry, SourceListing, SourceTree } from './source-tree.ts';
import { walkTree } from './source-tree-walk.ts';
import { runProgram } from './subprocess.ts';

/**
 * The tree below `root`: what git lists (index, untracked, and ignored ones as such), as it is on
 * the disk now, or a walk where git has nothing to say. Deleted files are not in it; tracked files
 * stay in it though a pattern ignores them. Nothing in it is followed, run or changed.
 *
 * @param root the audited folder; may lie below the work tree's top.
 */
export const createSourceTree = (root: string, run = runProgram): SourceTree => {
  const folder = resolve(root);
  return {
    name: basename(folder),
    list: () => listTree(folder, createGit(folder, run)),
    read: (path) => readRegularFile(absolutePath(folder, path)),
    scan: (path, limits, take) => scanFile(absolutePath(folder, path), limits, take),
    copyTo: (path, destination) =>
      copyFile(
        absolutePath(folder, path),
        destination,
        constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE,
      ),
  };
};

/**
 * Whether git has files of the folder, relative to the root, in its index: then they came with the
 * repository, and are as little to be trusted as the rest of it.
 */
export const isTrackedByGit = async (
  root: string,
  folder: string,
  run = runProgram,
): Promise<boolean> => {
  const git = createGit(resolve(root), run);
  if (!(await git.isWorkTree())) return false;
  const tracked = await git.tracked();
  return tracked.some(({ path }) => path === folder || path.startsWith(`${folder}/`));
};

/**
 * The top of the git work tree that holds the folder; undefined where git sees none.
 *
 * @param folder absolute, without links.
 */
export const workTreeTop = async (
  folder: string,
  run = runProgram,
): Promise<string | undefined> => {
  const git = createGit(folder, run);
  if (!(await git.isWorkTree())) return undefined;
  const steps = (await git.prefix()).split('/').filter((name) => name !== '');
  return resolve(folder, ...steps.map(() => '..'));
};

/** Where casefile keeps its own state; never part of what it audits. */
export const STATE_FOLDER = '.casefile';

const listTree = async (root: string, git: Git): Promise<SourceListing> => {
  if (await git.isWorkTree()) {
    const [tracked, untracked, commit] = await Promise.all([
      git.tracked(),
      untrackedIn(root, git),
      git.head(),
    ]);
    // Only now: what it would wait for has been looked for.
    const ignored = await git.ignored();
    // Below the top, nothing at all means that the folder is ignored as a whole: who asks for its
    // audit wants its files, and git would show none.
    const isIgnoredFolder =
      tracked.length + untracked.paths.length === 0 && (await git.prefix()) !== '';
    if (!isIgnoredFolder) {
      return {
        entries: await lookUp(root, { tracked, untracked, ignored }),
        inventory: 'git',
        ...(commit === undefined ? {} : { commit }),
      };
    }
  }
  const walked = await walkTree(root);
  const entries = await Promise.all(
    walked.filter(({ path }) => !isState(path)).map((entry) => withTarget(root, entry, false)),
  );
  return { entries: entries.toSorted(byPath), inventory: 'walk' };
};

/**
 * A hostile tree can make git wait without end: for a `.gitignore` that is a pipe. Looking for one
 * would cost as much as git's own search, so it is done only when that takes long.
 *
 * @throws {GitFailedError} naming what git waits for.
 */
const untrackedIn = async (root: string, git: Git): Promise<UntrackedPaths> => {
  const soon = await git.untracked(UNTRACKED_SOON_MS);
  if (soon !== undefined) return soon;
  const pipe = await waitedFor(root);
  if (pipe !== undefined) {
    throw new GitFailedError(
      `${pipe} in the audited folder is no file, and git would wait for it without end.`,
      'Remove it.',
    );
  }
  const late = await git.untracked(UNTRACKED_LATE_MS);
  if (late !== undefined) return late;
  throw new GitFailedError(
    'git has not found the untracked files of the audited folder in 10 minutes.',
    'Have it ignore what is large, or move its .git away to audit it as a plain folder.',
  );
};

const UNTRACKED_SOON_MS = 15_000;
const UNTRACKED_LATE_MS = 600_000;

/** The first ignore file below the root that is neither file, folder nor link. */
const waitedFor = async (root: string): Promise<string | undefined> => {
  const folders = createFolderKinds(root);
  if ((await folders.kindOf('.git/info/exclude')) === 'other') return '.git/info/exclude';
  const open = [''];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const [name, kind] of (await folders.namesIn(folder)) ?? []) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if ((name === '.gitignore' || name === '.gitattributes') && kind === 'other') return path;
      if (kind === 'folder' && name !== '.git') open.push(path);
    }
  }
  return undefined;
};

const lookUp = async (
  root: string,
  listed: {
    readonly tracked: readonly TrackedPath[];
    readonly untracked: UntrackedPaths;
    readonly ignored: readonly string[];
  },
): Promise<readonly SourceEntry[]> => {
  const folders = createFolderKinds(root);
  const entries = new Map<string, SourceEntry>();
  const add = (entry: SourceEntry): void => void entries.set(entry.path, entry);
  const isOurs = (path: string): boolean => isState(path) || entries.has(path);

  for (const { path, isSubmodule, isSkipped } of listed.tracked) {
    const kind = isOurs(path) ? undefined : await folders.kindOf(path);
    if (kind === undefined && isSkipped && !isState(path)) {
      const missing = await topmostMissing(folders, path);
      if (!entries.has(missing)) add({ path: missing, kind: 'absent', tracked: true });
    }
    if (kind === undefined) continue;
    if (isSubmodule) add({ path, kind: 'submodule', tracked: true });
    // A folder where the index has a file: the file is gone, and git lists the folder's own files.
    else if (kind !== 'folder') add(await withTarget(root, { path, kind }, true));
  }
  for (const shown of listed.untracked.paths) {
    const path = withoutSlash(shown);
    const kind = isOurs(path) ? undefined : await folders.kindOf(path);
    if (kind === undefined) continue;
    if (path !== shown) add({ path, kind: 'submodule', tracked: false });
    else if (kind !== 'folder') add(await withTarget(root, { path, kind }, false));
  }
  for (const path of listed.untracked.unreadable) {
    if (!isOurs(path)) add({ path, kind: 'other', tracked: false, unreadable: 'EACCES' });
  }
  for (const shown of listed.ignored) {
    const path = withoutSlash(shown);
    if (isOurs(path) || (await folders.kindOf(path)) === undefined) continue;
    // The rules of an audit may be a user's own, which nobody else is to see.
    const isRules = isNamed(path, IGNORE_FILE) && (await folders.kindOf(path)) === 'file';
    add({ path, kind: isRules ? 'file' : 'ignored', tracked: false });
  }
  return [...entries.values()].toSorted(byPath);
};

/** What the sparse checkout leaves out, named by the folder where nothing is any more. */
const topmostMissing = async (folders: FolderKinds, path: string): Promise<string> => {
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    const folder = path.slice(0, slash);
    if ((await folders.kindOf(folder)) === undefined) return folder;
  }
  return path;
};

const withoutSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);

const isNamed = (path: string, name: string): boolean => path === name || path.endsWith(`/${name}`);

const withTarget = async (
  root: string,
  entry: Omit<SourceEntry, 'kind' | 'tracked'> & {
    readonly kind: SourceEntry['kind'] | 'unknown';
  },
  tracked: boolean,
): Promise<SourceEntry> => {
  // Its folder cannot be read: taken for a file, so that reading it gives the error's code.
  const kind = entry.kind === 'unknown' ? 'file' : entry.kind;
  if (kind !== 'link') return { ...entry, kind, tracked };
  const target = await readlink(absolutePath(root, entry.path), { encoding: 'buffer' }).then(
    pathFromBytes,
    () => undefined,
  );
  return { path: entry.path, kind, tracked, ...(target === undefined ? {} : { target }) };
};

const isState = (path: string): boolean =>
  path === STATE_FOLDER || path.startsWith(`${STATE_FOLDER}/`);

const byPath = (left: SourceEntry, right: SourceEntry): number =>
  compareText(left.path, right.path);
