import type { FileOf } from '../pipeline/review-facts.ts';
import { digestOfBytes } from '../platform/bytes-digest.ts';
import type { FrozenTree, SourceTree } from '../platform/source-tree.ts';

/**
 * The frozen copy as judging reads it: each file must still be what the inventory says. The copy lies
 * in a cache that a cleaner may empty and a worker may write to; what is gone or changed there is
 * taken from the audited tree, if it is there as it was.
 *
 * Its `read` rejects when the file is nowhere to be had any more.
 */
export const verifiedTree = (
  tree: FrozenTree,
  source: Pick<SourceTree, 'read'>,
  fileOf: FileOf,
): FrozenTree => ({
  folder: tree.folder,
  read: async (path) => {
    const expected = fileOf(path)?.digest;
    for (const from of [tree, source]) {
      const bytes = await from.read(path).catch(() => undefined);
      if (bytes !== undefined && digestOfBytes(bytes) === expected) return bytes;
    }
    throw new Error(`${path} is neither in the copy nor in the tree as it was at the start.`);
  },
});
