import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readModules, takeInventory } from '../../src/analyzers/read-tree.ts';
import { deriveDisposition } from '../../src/pipeline/disposition.ts';
import { deriveInventory, inventory as inventorySchema } from '../../src/pipeline/inventory.ts';
import { canonicalJson } from '../../src/std/canonical-json.ts';
import { sha256Hex } from '../../src/std/digest.ts';
import { createSimulatedSourceTree } from '../helpers/simulated-source-tree.ts';

const trees = fc.dictionary(fc.stringMatching(/^[a-z]{1,3}(\/[A-Z]{1,2})?$/), fc.string());

describe('the inventory', () => {
  test('does not depend on the order in which files came to be', async () => {
    await fc.assert(
      fc.asyncProperty(trees, async (files) => {
        const reversed = Object.fromEntries(Object.entries(files).toReversed());
        expect(await takeInventory(createSimulatedSourceTree(reversed))).toEqual(
          await takeInventory(createSimulatedSourceTree(files)),
        );
      }),
      { numRuns: 30 },
    );
  });

  test('is sorted and sealed the same way, in whatever order files are handed in', async () => {
    const source = createSimulatedSourceTree({ b: 'b', a: 'a', 'a/c': 'c', '\udce9': 'd' });
    const taken = await takeInventory(source);
    const again = deriveInventory(taken.files.toReversed(), { inventory: 'git' });
    expect(again).toEqual(taken);
    expect(again.files.map(({ path }) => path)).toEqual(['a', 'a/c', 'b', '\udce9']);
  });

  test('has another digest when a byte or a name is another, and only then', async () => {
    await fc.assert(
      fc.asyncProperty(trees, trees, async (left, right) => {
        const digests = await Promise.all(
          [left, right].map(async (files) => {
            const { inputDigest } = await takeInventory(createSimulatedSourceTree(files));
            return inputDigest;
          }),
        );
        const text = (files: Record<string, string>) => canonicalJson(files);
        expect(digests[0] === digests[1]).toBe(text(left) === text(right));
      }),
      { numRuns: 30 },
    );
  });

  test('comes back from JSON as it was', async () => {
    const taken = await takeInventory(
      createSimulatedSourceTree({
        'a.ts': 'x\n',
        'caf\udce9': 'bytes',
        link: { link: '/etc/passwd' },
        locked: { unreadable: 'EACCES' },
      }),
    );
    expect(inventorySchema.parse(JSON.parse(JSON.stringify(taken)))).toEqual(taken);
  });

  test('tells what each file is', async () => {
    const text = '#!/usr/bin/env node\nrun();';
    const { files } = await takeInventory(
      createSimulatedSourceTree({ tool: text, 'logo.png': Uint8Array.of(1, 0) }),
    );
    expect(files).toEqual([
      {
        path: 'logo.png',
        kind: 'file',
        tracked: true,
        size: 2,
        lines: 0,
        encoding: 'binary',
        language: 'Unknown',
        marks: [],
        digest: sha256Hex(Uint8Array.of(1, 0)),
      },
      {
        path: 'tool',
        kind: 'file',
        tracked: true,
        size: 26,
        lines: 2,
        encoding: 'text',
        language: 'JavaScript',
        marks: [],
        digest: sha256Hex(text),
      },
    ]);
  });

  test('a file that cannot be read has the code of its error and no digest', async () => {
    const { files } = await takeInventory(
      createSimulatedSourceTree({ 'a.ts': { unreadable: 'EACCES' } }),
    );
    expect(files[0]).toMatchObject({ unreadable: 'EACCES', encoding: 'none' });
    expect(files[0]).not.toHaveProperty('digest');
  });
});

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
