import { setImmediate as nextTurn } from 'node:timers/promises';
import { textOf } from '../pipeline/content.ts';
import { extractDefinitions, isExtracted } from '../pipeline/extract-file.ts';
import type { InventoryFile } from '../pipeline/inventory.ts';
import type { NamedDefinition } from '../pipeline/outline.ts';
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
 */
export const readPlanSources = async (
  tree: Pick<FrozenTree, 'read'>,
  toSplit: readonly InventoryFile[],
  toOutline: readonly InventoryFile[],
): Promise<PlanSources> => {
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
    const found = await extractDefinitions({ path, language, text });
    if (found !== undefined) definitions.set(path, found);
  }
  return {
    textOf: (path) => texts.get(path),
    definitionsOf: (path) => definitions.get(path) ?? [],
  };
};
