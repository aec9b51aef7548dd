import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { takeInventory } from '../../src/analyzers/take-inventory.ts';
import { deriveDisposition, dispositionTotals } from '../../src/pipeline/disposition.ts';
import { deriveInventory, inventory as inventorySchema } from '../../src/pipeline/inventory.ts';
import { canonicalJson } from '../../src/std/canonical-json.ts';
import { sha256Hex } from '../../src/std/digest.ts';
import { createSimulatedSourceTree, type SimulatedFile } from '../helpers/simulated-source-tree.ts';

const trees = fc.dictionary(fc.stringMatching(/^[a-z]{1,3}(\/[A-Z]{1,2})?$/), fc.string());

describe('the inventory', () => {
  test('does not depend on the order in which files came to be (W12)', async () => {
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
        charset: 'utf-8',
        lineEnds: 'lf',
        language: 'JavaScript',
        marks: [],
        digest: sha256Hex(text),
      },
    ]);
  });

  test('follows the rules that the tree brings, in whatever order its files are read (T21, T22)', async () => {
    const rules: Readonly<Record<string, SimulatedFile>> = {
      '.casefileignore': 'old/\n',
      '.gitattributes': '*.gen.ts linguist-generated\n*.x linguist-language=Ruby\n',
      'sub/.casefileignore': '*\n!kept.ts\n',
      'sub/.gitattributes': 'kept.gen.ts -linguist-generated\n',
    };
    const names = ['old/a.ts', 'a.gen.ts', 'b.x', 'sub/kept.ts', 'sub/lost.ts', 'sub/kept.gen.ts'];
    const pairs = [...Object.entries(rules), ...names.map((name) => [name, 'x;\n'] as const)];
    const [forwards, backwards] = await Promise.all(
      [pairs, pairs.toReversed()].map((files) =>
        takeInventory(createSimulatedSourceTree(Object.fromEntries(files))),
      ),
    );
    expect(backwards).toEqual(forwards);
    const said = Object.fromEntries(
      forwards!.files.map(({ path, ignoredBy, attributes, language }) => [
        path,
        [ignoredBy, attributes?.generated, language],
      ]),
    );
    expect(said).toMatchObject({
      'old/a.ts': ['.', undefined, 'TypeScript'],
      'a.gen.ts': [undefined, true, 'TypeScript'],
      'b.x': [undefined, undefined, 'Ruby'],
      'sub/kept.ts': [undefined, undefined, 'TypeScript'],
      'sub/lost.ts': ['sub', undefined, 'TypeScript'],
      'sub/kept.gen.ts': ['sub', false, 'TypeScript'],
    });
  });

  test('all files are included, excluded for a reason, or not measured (T22)', async () => {
    const anyFile: fc.Arbitrary<SimulatedFile> = fc.oneof(
      fc.string(),
      fc.uint8Array(),
      fc.record({ unreadable: fc.constantFrom('EACCES', 'EIO') }),
      fc.record({ link: fc.string() }),
      fc.record({ kind: fc.constantFrom('submodule' as const, 'other' as const) }),
    );
    const name = fc.constantFrom('src', 'vendor', 'a.js', 'b.pb.go', '.casefileignore', 'LICENSE');
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(path, anyFile), async (files) => {
        const taken = await takeInventory(createSimulatedSourceTree(files));
        const disposed = deriveDisposition(taken, { include: [], exclude: ['src/vendor'] });
        const { included, unreadable, ...excluded } = dispositionTotals(disposed);
        const sum = Object.values(excluded).reduce((total, count) => total + count, 0);
        expect(included + sum + unreadable).toBe(Object.keys(files).length);
        // What could not be read is among the not measured ones, unless nobody asked for it.
        const failed = taken.files.filter(
          (file) => file.unreadable !== undefined && file.ignoredBy === undefined,
        );
        const asked = failed.filter((file) => !/^src\/vendor(?:\/|$)/.test(file.path));
        expect(unreadable).toBe(asked.length);
      }),
      { numRuns: 50 },
    );
  });

  test('a file that cannot be read has the code of its error and no digest', async () => {
    const { files } = await takeInventory(
      createSimulatedSourceTree({ 'a.ts': { unreadable: 'EACCES' } }),
    );
    expect(files[0]).toMatchObject({ unreadable: 'EACCES', encoding: 'none' });
    expect(files[0]).not.toHaveProperty('digest');
  });
});
