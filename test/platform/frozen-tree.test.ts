import { execFileSync, spawnSync } from 'node:child_process';
import { readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { takeInventory } from '../../src/analyzers/take-inventory.ts';
import { freezeTree, openFrozenTree } from '../../src/platform/frozen-tree.ts';
import { createSourceTree } from '../../src/platform/git-source-tree.ts';
import { sha256Hex } from '../../src/std/digest.ts';
import { initRepository } from '../helpers/git-repository.ts';
import { createSimulatedSourceTree } from '../helpers/simulated-source-tree.ts';
import { temporaryFolder, writeFiles } from '../helpers/temporary-folder.ts';

const filesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();

/** Continuous integration brings it; a fresh clone's tests must pass with Node, npm and git alone. */
const MUST_HAVE_RIPGREP =
  process.env['CI'] !== undefined || spawnSync('rg', ['--version']).error === undefined;

/** A repository with everything that makes tools look away. */
const blinding = async (): Promise<string> => {
  const root = await temporaryFolder();
  await initRepository(root, {
    '.gitignore': 'ignored/\n*.gen.ts\n',
    '.eslintignore': '**/*\n',
    '.oxlintignore': '**/*\n',
    'src/a.ts': 'export const a = 1;\n',
    'src/b.gen.ts': 'export const b = 2;\n',
    'ignored/c.js': 'module.exports = 3;\n',
    '.hidden/d.js': 'module.exports = 4;\n',
    'logo.png': Uint8Array.of(0x89, 0, 1),
    'empty.ts': '',
  });
  await symlink('/etc/passwd', join(root, 'outside'));
  return root;
};

describe('the frozen copy', () => {
  test('holds every text file and nothing else, and nothing leads out of it', async () => {
    const root = await blinding();
    const source = createSourceTree(root);
    const folder = join(await temporaryFolder(), 'tree');
    const copy = await freezeTree({ source, inventory: await takeInventory(source), folder });
    expect(copy).toMatchObject({ drifted: [], files: 8 });
    expect(await filesIn(folder)).toEqual([
      '.eslintignore',
      '.gitignore',
      '.hidden/d.js',
      '.oxlintignore',
      'empty.ts',
      'ignored/c.js',
      'src/a.ts',
      'src/b.gen.ts',
    ]);
    expect(new TextDecoder().decode(await copy.tree.read('src/a.ts'))).toBe(
      'export const a = 1;\n',
    );
  });

  test.skipIf(!MUST_HAVE_RIPGREP)('search tools see all of its files', async () => {
    const root = await blinding();
    const source = createSourceTree(root);
    const folder = join(await temporaryFolder(), 'tree');
    const { files } = await freezeTree({
      source,
      inventory: await takeInventory(source),
      folder,
    });
    const seen = execFileSync('rg', ['--files', '--hidden'], { cwd: folder, encoding: 'utf8' });
    expect(seen.trim().split('\n')).toHaveLength(files);
  });

  test('its files are read only and no hard links, and the tree is as it was', async () => {
    const root = await blinding();
    const before = await stat(join(root, 'src/a.ts'));
    const source = createSourceTree(root);
    const folder = join(await temporaryFolder(), 'tree');
    await freezeTree({ source, inventory: await takeInventory(source), folder });
    const copied = await stat(join(folder, 'src/a.ts'));
    expect(copied.mode & 0o777).toBe(0o444);
    expect(copied.ino).not.toBe(before.ino);
    const after = await stat(join(root, 'src/a.ts'));
    expect([after.nlink, after.mode, after.mtimeMs]).toEqual([1, before.mode, before.mtimeMs]);
  });

  test('names that are not UTF-8 are copied', async () => {
    const root = await temporaryFolder();
    await writeFile(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.of(0xe9)]), 'bytes');
    const source = createSourceTree(root);
    const folder = join(await temporaryFolder(), 'tree');
    const { tree } = await freezeTree({ source, inventory: await takeInventory(source), folder });
    expect(new TextDecoder().decode(await tree.read('caf\udce9'))).toBe('bytes');
  });
});

describe('what changed since the inventory', () => {
  test('is reported by digest and left out of the copy', async () => {
    const root = await temporaryFolder();
    await writeFiles(root, { 'changed.ts': 'old\n', 'gone.ts': 'x\n', 'same.ts': 'x\n' });
    const source = createSourceTree(root);
    const inventory = await takeInventory(source);
    await writeFiles(root, { 'changed.ts': 'new\n' });
    await rm(join(root, 'gone.ts'));
    const folder = join(await temporaryFolder(), 'tree');
    const copy = await freezeTree({ source, inventory, folder });
    expect(copy.drifted).toEqual([
      { path: 'changed.ts', expected: sha256Hex('old\n'), found: sha256Hex('new\n') },
      { path: 'gone.ts', expected: sha256Hex('x\n') },
    ]);
    expect(await filesIn(folder)).toEqual(['same.ts']);
  });
});

describe('making it once', () => {
  const simulated = () => createSimulatedSourceTree({ 'a.ts': 'a\n', 'b/c.ts': 'c\n' });

  test('a finished copy is taken as it is, with the drift that it was made with', async () => {
    const source = simulated();
    const inventory = await takeInventory(source);
    source.change('a.ts', 'other\n');
    const folder = join(await temporaryFolder(), 'tree');
    const first = await freezeTree({ source, inventory, folder });
    const reads = source.reads();
    const second = await freezeTree({ source, inventory, folder });
    expect(source.reads()).toBe(reads);
    expect(second.drifted).toEqual(first.drifted);
    expect(await openFrozenTree(folder, inventory.inputDigest)).toMatchObject({ files: 1 });
  });

  test('a half-made copy, and one of another input, is made again from nothing', async () => {
    const source = simulated();
    const inventory = await takeInventory(source);
    const folder = join(await temporaryFolder(), 'tree');
    await writeFiles(folder, { 'a.ts': 'half', 'stray.ts': 'from before' });
    expect(await openFrozenTree(folder, inventory.inputDigest)).toBeUndefined();
    await freezeTree({ source, inventory, folder });
    expect(await filesIn(folder)).toEqual(['a.ts', 'b/c.ts']);
    expect(await readFile(join(folder, 'a.ts'), 'utf8')).toBe('a\n');

    source.change('new.ts', 'new\n');
    await freezeTree({ source, inventory: await takeInventory(source), folder });
    expect(await filesIn(folder)).toEqual(['a.ts', 'b/c.ts', 'new.ts']);
  });
});
