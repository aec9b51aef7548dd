import { readFile } from 'node:fs/promises';
import { UsageError } from '../domain/usage-error.ts';
import { IGNORE_FILE, NO_IGNORE_LAYERS, type IgnoreLayers } from '../std/ignore-layers.ts';
import { absolutePath, createFolderKinds, type FolderNames } from './folder-kinds.ts';
import type { SourceEntry } from './source-tree.ts';

export type WalkedEntry = Pick<SourceEntry, 'path' | 'kind' | 'unreadable'>;

/**
 * Every entry below `root`, for trees without git.
 *
 * The `.gitignore` files in the tree are honoured though there is no git: a copy without its `.git`
 * is to be the same tree, and they are the only words there are about what was built and what was
 * written. What they ignore is said, a folder as one entry.
 *
 * `.git` is the repository's own data and left out. A folder with a `.git` of its own is another
 * repository and one `submodule` entry, as with git. `node_modules` is installed, not written, and
 * usually larger than all the rest: it is one `other` entry, so that nobody thinks it was looked
 * at. A folder that cannot be read is one too, with the reason.
 *
 * @throws {UsageError} at more than a million entries: that is a disk, not a project.
 */
export const walkTree = async (root: string): Promise<readonly WalkedEntry[]> => {
  const folders = createFolderKinds(root);
  const found: WalkedEntry[] = [];

  const visit = async (folder: string, names: FolderNames, outer: IgnoreLayers): Promise<void> => {
    const rules = await withRulesOf(root, folder, names, outer);
    for (const [name, kind] of names) {
      if (name === '.git') continue;
      const path = folder === '' ? name : `${folder}/${name}`;
      if (found.length >= ENTRIES_MAX) throw tooLarge(root);
      // The rules of an audit may be a user's own, which nobody else is to see.
      const isRules = name === IGNORE_FILE && kind === 'file';
      const asked = kind === 'folder' ? `${path}/` : path;
      if (!isRules && rules.ignoring(asked) !== undefined) {
        found.push({ path, kind: 'ignored' });
        continue;
      }
      if (kind !== 'folder') {
        found.push({ path, kind });
        continue;
      }
      if (name === 'node_modules') {
        found.push({ path, kind: 'other' });
        continue;
      }
      const inner = await folders.namesIn(path);
      if (inner === undefined) found.push({ path, kind: 'other', unreadable: 'EACCES' });
      else if (inner.has('.git')) found.push({ path, kind: 'submodule' });
      else await visit(path, inner, rules);
    }
  };

  await visit('', (await folders.namesIn('')) ?? new Map(), NO_IGNORE_LAYERS);
  return found;
};

const ENTRIES_MAX = 1_000_000;

const tooLarge = (root: string): UsageError =>
  new UsageError(
    `${root} holds more than ${ENTRIES_MAX} files and is under no version control.`,
    'Name a smaller folder, or leave out what is no source with a .gitignore in it.',
  );

const withRulesOf = async (
  root: string,
  folder: string,
  names: FolderNames,
  outer: IgnoreLayers,
): Promise<IgnoreLayers> => {
  // A `.gitignore` that is a link could lead out of the root; git does not follow it either.
  if (names.get('.gitignore') !== 'file') return outer;
  const path = folder === '' ? '.gitignore' : `${folder}/.gitignore`;
  const text = await readFile(absolutePath(root, path), 'utf8').catch(() => '');
  return outer.with(folder, text);
};
