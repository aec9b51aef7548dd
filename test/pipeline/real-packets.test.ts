import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { mixedTree } from '../../bench/mixed-tree.ts';
import { packetFigures, type PacketFigures } from '../../bench/packet-figures.ts';
import { planTree, type PlannedTree } from '../../bench/plan-tree.ts';
import { keptFolder, writeFiles } from '../helpers/temporary-folder.ts';

/** Four packages of every language, files among them that are larger than a packet. */
const FILES = 1000;

describe('the packets of a real tree', () => {
  let folder: string;
  let tree: PlannedTree;
  let figures: PacketFigures;
  beforeAll(async () => {
    folder = await keptFolder();
    await writeFiles(folder, Object.fromEntries(mixedTree(FILES)));
    tree = await planTree(folder);
    figures = packetFigures(tree);
  });

  test('are within the budget, counted over the bytes of each prompt and the files that it gives to read (W56, W57)', () => {
    expect(figures.packets).toBeGreaterThan(30);
    expect(figures.largestTokens).toBeLessThanOrEqual(figures.budgetTokens);
  });

  test('read hardly any file twice, whatever the lenses (W58)', () => {
    expect(figures.repetition).toBeLessThanOrEqual(1.5);
    expect(figures.packetsPerFile).toBeLessThanOrEqual(1.5);
  });

  test('have each cell that is asked for in one task, a cut file in one for each part (W19, W20)', () => {
    expect(figures.files).toBe(FILES);
    expect(figures.wrongCells).toBe(0);
  });

  test('have every line of a file that is cut, once (W57)', async () => {
    const { parts = [], splits = [] } = tree.planned.artifact;
    expect(splits.length).toBeGreaterThan(2);
    for (const { path } of splits) {
      const text = await readFile(join(folder, path), 'utf8');
      const lines = text.replace(/\n$/, '').split('\n');
      const joined = parts
        .filter((part) => part.path === path)
        .flatMap(({ line, endLine }) => lines.slice(line - 1, endLine));
      expect(joined).toEqual(lines);
    }
  });
});
