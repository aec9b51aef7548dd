import { readFile } from 'node:fs/promises';
import ignore, { type Ignore } from 'ignore';
import { absolutePath, createFolderKinds, type FolderNames } from './folder-kinds.ts';
import type { SourceEntry } from './source-tree.ts';

export type WalkedEntry = Pick<SourceEntry, 'path' | 'kind'>;

/**
 * Every entry below `root` that no `.gitignore` in the tree ignores, for trees without git.
 *
 * `.git` is the repository's own data and left out. A folder with a `.git` of its own is another
 * repository and one `submodule` entry, as with git. `node_modules` is installed, not written, and
 * usually larger than all the rest: it is one `other` entry, so that nobody thinks it was looked
 * at. A folder that cannot be read is one `other` entry too.
 */
export const walkTree = async (root: string): Promise<readonly WalkedEntry[]> => {
  const folders = createFolderKinds(root);
  const found: WalkedEntry[] = [];

  const visit = async (folder: string, names: FolderNames, rules: IgnoreRules): Promise<void> => {
    const here = await withRulesOf(root, folder, names, rules);
    for (const [name, kind] of names) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (name === '.git' || isIgnored(here, kind === 'folder' ? `${path}/` : path)) continue;
      if (kind !== 'folder') {
        found.push({ path, kind });
        continue;
      }
      const inner = name === 'node_modules' ? undefined : await folders.namesIn(path);
      if (inner === undefined) found.push({ path, kind: 'other' });
      else if (inner.has('.git')) found.push({ path, kind: 'submodule' });
      else await visit(path, inner, here);
    }
  };

  await visit('', (await folders.namesIn('')) ?? new Map(), []);
  return found;
};

/** The ignore files that apply in a folder, outermost first, each with the folder it speaks of. */
type IgnoreRules = readonly { readonly prefix: string; readonly rules: Ignore }[];

const withRulesOf = async (
  root: string,
  folder: string,
  names: FolderNames,
  outer: IgnoreRules,
): Promise<IgnoreRules> => {
  // A `.gitignore` that is a link could lead out of the root; git does not follow it either.
  if (names.get('.gitignore') !== 'file') return outer;
  const prefix = folder === '' ? '' : `${folder}/`;
  const text = await readFile(absolutePath(root, `${prefix}.gitignore`), 'utf8').catch(() => '');
  const rules = ignore({ ignorecase: false, allowRelativePaths: true }).add(text);
  return [...outer, { prefix, rules }];
};

/** The innermost file that says anything decides, as in git. */
const isIgnored = (layers: IgnoreRules, path: string): boolean => {
  for (const { prefix, rules } of layers.toReversed()) {
    const said = rules.test(path.slice(prefix.length));
    if (said.ignored || said.unignored) return said.ignored;
  }
  return false;
};
