import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TreeFile } from './mixed-tree.ts';

/** Git repositories to measure on: published packages and generated trees, each in a new folder. */

export type PublishedPackage = { readonly name: string; readonly version: string };

/**
 * The files of a package as npm gives them, in a new repository below `parent`.
 *
 * @returns its folder; undefined when npm cannot be reached.
 */
export const packageTree = (
  { name, version }: PublishedPackage,
  parent: string,
): string | undefined => {
  const folder = join(parent, `${name.replaceAll(/\W+/g, '-')}-${version}`);
  mkdirSync(folder, { recursive: true });
  try {
    const [archive = ''] = execFileSync(
      'npm',
      ['pack', `${name}@${version}`, '--silent', '--pack-destination', parent],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    )
      .trim()
      .split('\n')
      .slice(-1);
    execFileSync('tar', ['-xzf', join(parent, archive), '-C', folder, '--strip-components', '1']);
  } catch {
    return undefined;
  }
  return committed(folder);
};

/** The files of a generator, in a new repository below `parent`. */
export const generatedTree = (name: string, parent: string, files: Iterable<TreeFile>): string => {
  const folder = join(parent, name);
  for (const [path, text] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return committed(folder);
};

/** Adding is enough: the index is what is listed. */
const committed = (folder: string): string => {
  execFileSync('git', ['-C', folder, 'init', '--quiet']);
  execFileSync('git', ['-C', folder, 'add', '--all', '--force'], { stdio: 'ignore' });
  return folder;
};
