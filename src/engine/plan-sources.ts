import { setImmediate as nextTurn } from 'node:timers/promises';
import { createKeptFacts } from '../analyzers/kept-facts.ts';
import { textOf } from '../pipeline/content.ts';
import { isExtracted } from '../pipeline/extract-file.ts';
import type { InventoryFile } from '../pipeline/inventory.ts';
import type { NamedDefinition } from '../pipeline/outline.ts';
import { digestOfBytes } from '../platform/bytes-digest.ts';
import { NO_CACHE, type ContentCache } from '../platform/content-cache.ts';
import type { FrozenTree } from '../platform/source-tree.ts';

/** What a plan needs of the files themselves. */
export type PlanSources = {
  readonly textOf: (path: string) => string | undefined;
  readonly definitionsOf: (path: string) => readonly NamedDefinition[];
};

/**
 * Reads the files that must be cut, and what long files define. A file that cannot be read is
 * missing, and the plan says so; one that no grammar reads has no definitions.
 *
 * @param toSplit their texts are kept. @param toOutline only their definitions are.
 * @param cache of definitions of the same contents; it changes nothing but the time that this takes.
 */
export const readPlanSources = async (
  tree: Pick<FrozenTree, 'read'>,
  toSplit: readonly InventoryFile[],
  toOutline: readonly InventoryFile[],
  cache: ContentCache = NO_CACHE,
): Promise<PlanSources> => {
  const kept = createKeptFacts(cache);
  const texts = new Map<string, string>();
  const definitions = new Map<string, readonly NamedDefinition[]>();
  const isSplit = new Set(toSplit);
  for (const file of new Set([...toSplit, ...toOutline])) {
    // Each may take a while to parse: signals and timers get a turn in between.
    await nextTurn();
    const { path, language } = file;
    const bytes = await tree.read(path).catch(() => undefined);
    if (bytes === undefined) continue;
    const text = textOf(bytes);
    if (isSplit.has(file)) texts.set(path, text);
    if (!isExtracted(path, language)) continue;
    const digest = digestOfBytes(bytes);
    const found = await kept.definitions({ path, language, digest, text: () => text });
    if (found !== undefined) definitions.set(path, found);
  }
  await cache.save();
  return {
    textOf: (path) => texts.get(path),
    definitionsOf: (path) => definitions.get(path) ?? [],
  };
};
