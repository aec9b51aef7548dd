import { chmod, copyFile, lstat, mkdir, mkdtemp, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Digest } from '../domain/ids.ts';
import { digestOfBytes } from './bytes-digest.ts';
import { absolutePath } from './folder-kinds.ts';
import { readRegularFile } from './read-regular-file.ts';

/** What is installed beside a manifest and in no version control: what commands need and nobody changes. */
const INSTALLED = ['node_modules', 'vendor', '.venv', 'venv'] as const;

/**
 * A copy of the audited files in which commands of the project may write: text from the frozen copy, and
 * other files from the tree as long as they are what the inventory says. What was installed in the tree is
 * linked into it, so that it need not be installed again.
 *
 * @param given.base absolute; a new folder is made in it. @returns its absolute path.
 */
export const makeWorkingCopy = async (given: {
  readonly root: string;
  readonly frozen: string;
  readonly base: string;
  readonly files: readonly {
    readonly path: string;
    readonly encoding: 'text' | 'binary' | 'none';
    readonly digest?: Digest | undefined;
  }[];
}): Promise<string> => {
  const { root, frozen, files } = given;
  await mkdir(given.base, { recursive: true });
  const folder = await mkdtemp(join(given.base, 'run-'));
  const folders = new Set(['']);
  for (const { path, encoding, digest } of files) {
    if (digest === undefined) continue;
    const target = absolutePath(folder, path);
    const source = absolutePath(encoding === 'text' ? frozen : root, path);
    if (encoding !== 'text' && (await digestIfRead(source)) !== digest) continue;
    const around = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    await mkdir(absolutePath(folder, around), { recursive: true });
    try {
      await copyFile(source, target);
    } catch (error) {
      // It is not in the frozen copy: it had changed when that was made.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      throw error;
    }
    const mode = await stat(absolutePath(root, path)).then(
      (found) => found.mode,
      () => 0,
    );
    await chmod(target, 0o644 | (mode & 0o111));
    for (let at = path; at.includes('/');) {
      at = at.slice(0, at.lastIndexOf('/'));
      folders.add(at);
    }
  }
  const names = new Set(files.map(({ path }) => path.split('/').slice(0, -1).join('/')));
  for (const inner of folders) {
    for (const name of INSTALLED) {
      const path = inner === '' ? name : `${inner}/${name}`;
      if (folders.has(path) || names.has(path)) continue;
      const installed = absolutePath(root, path);
      const isFolder = await lstat(installed).then(
        (found) => found.isDirectory(),
        () => false,
      );
      if (isFolder) await symlink(installed, absolutePath(folder, path));
    }
  }
  return folder;
};

const digestIfRead = async (path: string | Buffer): Promise<Digest | undefined> =>
  readRegularFile(path).then(digestOfBytes, () => undefined);
