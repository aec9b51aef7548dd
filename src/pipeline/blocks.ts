import type { InventoryFile } from './inventory.ts';

/** What one task's files may come to. A larger file is a block of its own: files are never cut. */
export type BlockBudget = {
  readonly filesMax: number;
  readonly linesMax: number;
  readonly bytesMax: number;
};

/**
 * Cuts a unit's files (sorted by path) into neighbouring blocks within the budget.
 *
 * Where it cuts depends on names alone; sizes only say whether it must. So when one file grows or a
 * file is added, the blocks elsewhere in the unit stay what they are, and with them the tasks, their
 * ids and their results. (Filling blocks from the left would shift every later one.) The price is
 * that blocks are about two thirds full; packets, which join blocks, make up for it.
 */
export const cutIntoBlocks = (
  files: readonly InventoryFile[],
  budget: BlockBudget,
): readonly (readonly InventoryFile[])[] => {
  if (files.length <= 1 || fits(files, budget)) return files.length === 0 ? [] : [files];
  const marks = files.map((file) => mixText(file.path));
  const blocks: (readonly InventoryFile[])[] = [];
  const waiting = [{ from: 0, to: files.length }];
  for (let range = waiting.pop(); range !== undefined; range = waiting.pop()) {
    const part = files.slice(range.from, range.to);
    if (part.length === 1 || fits(part, budget)) {
      blocks.push(part);
      continue;
    }
    const cut = cutAt(marks, range);
    // The left part is taken next, so that the blocks come in the order of their paths.
    waiting.push({ from: cut, to: range.to }, { from: range.from, to: cut });
  }
  return blocks;
};

const fits = (files: readonly InventoryFile[], budget: BlockBudget): boolean => {
  if (files.length > budget.filesMax) return false;
  let lines = 0;
  let bytes = 0;
  for (const file of files) {
    lines += file.lines;
    bytes += file.size;
  }
  return lines <= budget.linesMax && bytes <= budget.bytesMax;
};

/** Before the file with the smallest mark, the first one aside: both sides hold something. */
const cutAt = (
  marks: readonly number[],
  { from, to }: { readonly from: number; readonly to: number },
): number => {
  let cut = from + 1;
  for (let index = from + 1; index < to; index += 1) {
    if ((marks[index] ?? 0) < (marks[cut] ?? 0)) cut = index;
  }
  return cut;
};

/** FNV-1a with a final mix, 32 bits: spreads the cuts evenly. Decides order only, never identity. */
const mixText = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};
