import { setImmediate as nextTurn } from 'node:timers/promises';
import { deriveInventory, type Inventory } from '../pipeline/inventory.ts';
import { createLanguageTable } from '../pipeline/language.ts';
import { applyTreeRules, type InspectedFile } from '../pipeline/tree-rules.ts';
import type { SourceTree } from '../platform/source-tree.ts';
import { inspectFile } from './inspect-file.ts';

/** Small files are read at once; after so many of them, signals and timers get a turn. */
const FILES_A_TURN = 32;

/** Reads every file of the tree once and seals what it is. Unreadable files are told as such. */
export const takeInventory = async (source: SourceTree): Promise<Inventory> => {
  const listing = await source.list();
  const languages = createLanguageTable();
  const inspected: InspectedFile[] = [];
  for (const [index, entry] of listing.entries.entries()) {
    if (index % FILES_A_TURN === 0) await nextTurn();
    inspected.push(await inspectFile(source, languages, entry));
  }
  const { files, manifests } = applyTreeRules(inspected, languages);
  return deriveInventory(files, listing, manifests);
};
