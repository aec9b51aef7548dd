import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { readModules } from '../../src/analyzers/read-tree.ts';
import { takeInventory } from '../../src/analyzers/take-inventory.ts';
import { deriveDisposition } from '../../src/pipeline/disposition.ts';
import { sha256Hex } from '../../src/std/digest.ts';
import { createSimulatedSourceTree } from '../helpers/simulated-source-tree.ts';

describe('reading modules', () => {
  test('a file that changed since the inventory is reported and gives no facts', async () => {
    const source = createSimulatedSourceTree({ 'a.ts': 'a;\n', 'b.ts': 'b;\n', 'c.ts': 'c;\n' });
    const inventory = await takeInventory(source);
    const disposition = deriveDisposition(inventory, { include: [], exclude: [] });
    source.change('a.ts', 'changed;\n');
    source.change('b.ts', undefined);
    const { modules, drifted } = await readModules(source, inventory, disposition);
    expect([...modules.keys()]).toEqual(['c.ts']);
    expect(drifted).toEqual([
      { path: 'a.ts', expected: sha256Hex('a;\n'), found: sha256Hex('changed;\n') },
      { path: 'b.ts', expected: sha256Hex('b;\n') },
    ]);
  });

  test('one file is in memory at a time, and none is lost without a word (W24)', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`m${at}.ts`, `import './m${at + 1}.ts';\n`]),
    );
    const source = createSimulatedSourceTree(files);
    const inventory = await takeInventory(source);
    const disposition = deriveDisposition(inventory, { include: [], exclude: [] });
    let open = 0;
    let most = 0;
    const failing = {
      read: async (path: string) => {
        open += 1;
        most = Math.max(most, open);
        await nextTurn();
        open -= 1;
        if (path.endsWith('7.ts')) throw new Error('EIO');
        return source.read(path);
      },
    };
    const { modules, drifted } = await readModules(failing, inventory, disposition);
    expect(most).toBe(1);
    const told = [...modules.keys(), ...drifted.map(({ path }) => path)];
    expect(told.toSorted()).toEqual(Object.keys(files).toSorted());
    expect(drifted.length).toBe(30);
  });
});
