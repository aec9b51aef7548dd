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
});
