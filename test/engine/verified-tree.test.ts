import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { verifiedTree } from '../../src/engine/verified-tree.ts';
import type { InventoryFile } from '../../src/pipeline/inventory.ts';
import type { FrozenTree } from '../../src/platform/source-tree.ts';

const treeOf = (files: Readonly<Record<string, string>>): FrozenTree => ({
  folder: undefined,
  read: async (path) => {
    const text = files[path];
    if (text === undefined) throw Object.assign(new Error(path), { code: 'ENOENT' });
    return Buffer.from(text);
  },
});
const fileOf = (): InventoryFile =>
  ({ digest: createHash('sha256').update('as it was').digest('hex') }) as unknown as InventoryFile;
const readIn = async (
  copy: Readonly<Record<string, string>>,
  source: Readonly<Record<string, string>>,
): Promise<string> =>
  Buffer.from(await verifiedTree(treeOf(copy), treeOf(source), fileOf).read('a.js')).toString();

test('what the copy has lost is taken from the tree, if it is there as it was', async () => {
  expect(await readIn({ 'a.js': 'as it was' }, {})).toBe('as it was');
  expect(await readIn({}, { 'a.js': 'as it was' })).toBe('as it was');
});

test('a file that was changed in the copy is not what was reviewed', async () => {
  expect(await readIn({ 'a.js': 'tampered' }, { 'a.js': 'as it was' })).toBe('as it was');
  await expect(readIn({ 'a.js': 'tampered' }, { 'a.js': 'edited since' })).rejects.toThrow(
    'a.js is neither in the copy nor in the tree as it was at the start.',
  );
});
