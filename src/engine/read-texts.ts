import type { FrozenTree } from '../platform/source-tree.ts';

/** Texts of files as they were inventoried; what cannot be had any more is left out. */
export const readTexts = async (
  tree: FrozenTree,
  paths: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> => {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const bytes = await tree.read(path).catch(() => undefined);
    if (bytes !== undefined) texts.set(path, Buffer.from(bytes).toString('utf8'));
  }
  return texts;
};
