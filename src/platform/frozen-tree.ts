import { constants } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pLimit from 'p-limit';
import { z } from 'zod';
import { digest, type Digest } from '../domain/ids.ts';
import { absolutePath } from './folder-kinds.ts';
import { createBytesDigest } from './bytes-digest.ts';
import { readRegularFile } from './read-regular-file.ts';
import { scanFile } from './scan-file.ts';
import type { FrozenTree, SourceTree } from './source-tree.ts';

/** A file as the inventory saw it. */
export type FileToFreeze = {
  readonly path: string;
  readonly encoding: 'text' | 'binary' | 'none';
  readonly digest?: Digest | undefined;
};

const drift = z.object({ path: z.string(), expected: digest, found: digest.optional() });
/** A file that is not what the inventory says; `found` is missing when it cannot be read. */
export type Drift = z.infer<typeof drift>;

export type FrozenCopy = {
  readonly tree: FrozenTree;
  /** These are not in the copy. */
  readonly drifted: readonly Drift[];
  /** Files in the copy. */
  readonly files: number;
};

/**
 * The copy that agents and analyzers read: every text file of the inventory, checked against its
 * digest, in a folder of its own outside of the audited tree.
 *
 * F1. What is in the copy has the inventory's digest; what has not is reported and left out.
 * F2. The marker beside the folder is written last: a copy without one is made again from nothing.
 * F3. No file of the copy shares an inode with the tree: reflinks where there are, no hard links.
 *     Files are read only; links are not copied, so nothing in the copy leads out of it.
 *
 * @param folder absolute; in no git work tree, since linters and search tools skip ignored folders.
 */
export const freezeTree = async (given: {
  readonly source: SourceTree;
  readonly inventory: { readonly inputDigest: Digest; readonly files: readonly FileToFreeze[] };
  readonly folder: string;
}): Promise<FrozenCopy> => {
  const { source, inventory, folder } = given;
  const done = await openFrozenTree(folder, inventory.inputDigest);
  if (done !== undefined) return done;

  await rm(markerOf(folder), { force: true });
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const texts = inventory.files.filter(isFrozen);
  const folders = new Set(texts.map(({ path }) => path.split('/').slice(0, -1).join('/')));
  for (const inner of folders) await mkdir(absolutePath(folder, inner), { recursive: true });

  const limit = pLimit(COPIES_AT_ONCE);
  const found = await limit.map(texts, async (file, index) => {
    if (index % FILES_A_TURN === 0) await nextTurn();
    return copyVerified(source, file, folder);
  });
  const drifted = found.filter((entry) => entry !== undefined);
  const files = texts.length - drifted.length;
  await writeMarker(folder, { inputDigest: inventory.inputDigest, files, drifted });
  return { tree: treeOf(folder), drifted, files };
};

/** The finished copy of exactly this input, if there is one. */
export const openFrozenTree = async (
  folder: string,
  inputDigest: Digest,
): Promise<FrozenCopy | undefined> => {
  const text = await readFile(markerOf(folder), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const marked = marker.safeParse(parseJson(text));
  if (!marked.success || marked.data.inputDigest !== inputDigest) return undefined;
  return { tree: treeOf(folder), drifted: marked.data.drifted, files: marked.data.files };
};

const COPIES_AT_ONCE = 8;
const FILES_A_TURN = 16;

const marker = z.object({
  inputDigest: digest,
  files: z.int().nonnegative(),
  drifted: z.array(drift),
});

const markerOf = (folder: string): string => `${folder}.complete`;

const treeOf = (folder: string): FrozenTree => ({
  folder,
  read: (path) => readRegularFile(absolutePath(folder, path)),
});

const isFrozen = (file: FileToFreeze): file is FileToFreeze & { readonly digest: Digest } =>
  file.encoding === 'text' && file.digest !== undefined;

const copyVerified = async (
  source: SourceTree,
  file: FileToFreeze & { readonly digest: Digest },
  folder: string,
): Promise<Drift | undefined> => {
  const destination = absolutePath(folder, file.path);
  try {
    if (source.copyTo === undefined) await writeFile(destination, await source.read(file.path));
    else await source.copyTo(file.path, destination);
  } catch (error) {
    await rm(destination, { force: true });
    if (isAboutDestination(error)) throw error;
    return { path: file.path, expected: file.digest };
  }
  const found = await digestOfFile(destination);
  if (found !== file.digest) {
    await rm(destination, { force: true });
    return { path: file.path, expected: file.digest, found };
  }
  await chmod(destination, constants.S_IRUSR | constants.S_IRGRP | constants.S_IROTH);
  return undefined;
};

/** In pieces: a file may be larger than memory should be. */
const digestOfFile = async (path: string | Buffer): Promise<Digest> => {
  const digested = createBytesDigest();
  await scanFile(path, { pieceBytes: 1 << 20, bytesMax: Infinity }, digested.take);
  return digested.end();
};

/** A full or read-only cache is not the tree's drift: it ends the stage, with Node's own words. */
const isAboutDestination = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ENOSPC', 'EROFS', 'EDQUOT', 'EMFILE', 'ENFILE', 'EEXIST'].includes(String(error.code));

const writeMarker = async (folder: string, content: z.infer<typeof marker>): Promise<void> => {
  await mkdir(dirname(folder), { recursive: true });
  const temporary = `${markerOf(folder)}.tmp`;
  await writeFile(temporary, JSON.stringify(content));
  await rename(temporary, markerOf(folder));
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
