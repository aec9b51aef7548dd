import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { compareText } from '../std/canonical-json.ts';
import { isPlainText, pathFromBytes, pathToBytes } from './path-bytes.ts';

export type EntryKind = 'file' | 'folder' | 'link' | 'other';

/**
 * What stands at a path now, looked up folder by folder: one read of a folder answers for all its
 * files, and a path that leads through a link is found to be no path of this tree at all.
 */
export type FolderKinds = {
  /** Undefined: nothing is there. `unknown`: its folder cannot be read, so it may be there. */
  readonly kindOf: (path: string) => Promise<EntryKind | 'unknown' | undefined>;
  /** Names in a folder (`''` is the root), sorted by code units; undefined: it cannot be read. */
  readonly namesIn: (folder: string) => Promise<FolderNames | undefined>;
};

export type FolderNames = ReadonlyMap<string, EntryKind>;

/** @param root absolute path. @throws Node's error when the root itself cannot be read. */
export const createFolderKinds = (root: string): FolderKinds => {
  const folders = new Map<string, Promise<FolderNames | undefined>>();

  const namesIn = (folder: string): Promise<FolderNames | undefined> => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const names = readNames(root, folder).catch((error: unknown) => {
      if (folder === '') throw error;
      return undefined;
    });
    folders.set(folder, names);
    return names;
  };

  const kindOf = async (path: string): Promise<EntryKind | 'unknown' | undefined> => {
    const slash = path.lastIndexOf('/');
    const parent = slash === -1 ? '' : path.slice(0, slash);
    if (parent !== '' && !folders.has(parent)) {
      const parentKind = await kindOf(parent);
      // Behind a link, or behind nothing: not a part of this tree.
      if (parentKind !== 'folder' && parentKind !== 'unknown') folders.set(parent, NOTHING);
    }
    const names = await namesIn(parent);
    return names === undefined ? 'unknown' : names.get(path.slice(slash + 1));
  };

  return { kindOf, namesIn };
};

/** The path as the file system takes it. */
export const absolutePath = (root: string, path: string): string | Buffer =>
  isPlainText(path)
    ? join(root, path)
    : Buffer.concat([Buffer.from(`${root}/`, 'utf8'), pathToBytes(path)]);

const NOTHING: Promise<FolderNames> = Promise.resolve(new Map());

const readNames = async (root: string, folder: string): Promise<FolderNames> => {
  const entries = await readdir(absolutePath(root, folder), {
    withFileTypes: true,
    encoding: 'buffer',
  });
  return new Map(
    entries
      .map((entry): [string, EntryKind] => [
        pathFromBytes(entry.name),
        entry.isFile()
          ? 'file'
          : entry.isDirectory()
            ? 'folder'
            : entry.isSymbolicLink()
              ? 'link'
              : 'other',
      ])
      .toSorted(([left], [right]) => compareText(left, right)),
  );
};
