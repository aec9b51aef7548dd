import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { takeInventory } from '../../src/analyzers/take-inventory.ts';
import { deriveDisposition } from '../../src/pipeline/disposition.ts';
import { createSourceTree } from '../../src/platform/git-source-tree.ts';
import { GitFailedError } from '../../src/platform/git.ts';
import { runProgram, type RunProgram } from '../../src/platform/subprocess.ts';
import { git, initRepository } from '../helpers/git-repository.ts';
import { temporaryFolder, writeFiles } from '../helpers/temporary-folder.ts';

const noGit: RunProgram = async () => ({ kind: 'missing', message: 'git is not there' });

/** git as another user would see the folder. */
const asStranger: RunProgram = (run) =>
  runProgram({
    ...run,
    environment: { ...run.environment, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' },
  });

const listed = async (root: string, run?: RunProgram): Promise<Record<string, string>> => {
  const { entries } = await createSourceTree(root, run).list();
  return Object.fromEntries(
    entries.map(({ path, kind, tracked }) => [path, tracked ? kind : `${kind}, untracked`]),
  );
};

const repository = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const root = await temporaryFolder();
  await initRepository(root, files);
  return root;
};

describe('repositories of all kinds', () => {
  test('a detached HEAD, a shallow clone and one without a branch of its own are whole (B26)', async () => {
    const root = await repository({ 'a.ts': 'one\n' });
    await writeFiles(root, { 'b.ts': 'two\n' });
    git(root, 'add', '--all');
    git(root, 'commit', '--quiet', '--message', 'More');
    const shallow = join(await temporaryFolder(), 'shallow');
    git(root, 'clone', '--quiet', '--depth', '1', `file://${root}`, shallow);
    expect(await listed(shallow)).toEqual({ 'a.ts': 'file', 'b.ts': 'file' });
    git(root, 'checkout', '--quiet', '--detach', 'HEAD~1');
    expect(await listed(root)).toEqual({ 'a.ts': 'file' });
    git(root, 'checkout', '--quiet', '--orphan', 'other');
    expect((await createSourceTree(root).list()).commit).toBeUndefined();
  });

  test('a work tree of a bare repository is whole, the repository itself is refused (B26)', async () => {
    const root = await repository({ 'a.ts': '' });
    const bare = join(await temporaryFolder(), 'bare.git');
    git(root, 'clone', '--quiet', '--bare', root, bare);
    const tree = join(await temporaryFolder(), 'tree');
    git(bare, 'worktree', 'add', '--quiet', '--detach', tree);
    expect(await listed(tree)).toEqual({ 'a.ts': 'file' });
    for (const folder of [bare, join(root, '.git')]) {
      await expect(createSourceTree(folder).list()).rejects.toThrow(GitFailedError);
      await expect(createSourceTree(folder).list()).rejects.toThrow('no files of a project');
    }
  });

  test('a repository of another user is an error that says so, never a tree without files (B26)', async () => {
    const root = await repository({ 'a.ts': '' });
    await expect(createSourceTree(root, asStranger).list()).rejects.toMatchObject({
      message: expect.stringContaining('belongs to another user') as string,
      hint: expect.stringContaining('safe.directory') as string,
    });
  });

  test('a repository that git cannot open is an error, one that is none is walked (B26)', async () => {
    const root = await repository({ 'a.ts': '' });
    await writeFile(join(root, '.git', 'config'), '[core\n');
    await expect(createSourceTree(root).list()).rejects.toThrow(GitFailedError);
    const copied = await temporaryFolder();
    await writeFiles(copied, { '.git': 'gitdir: /nowhere/at/all\n', 'a.ts': '' });
    expect(await createSourceTree(copied).list()).toMatchObject({
      inventory: 'walk',
      entries: [{ path: 'a.ts', tracked: false }],
    });
  });

  test('submodules are one entry, filled or empty or changed or hidden (B26)', async () => {
    const other = await repository({ 'theirs.ts': '' });
    const root = await repository({ 'ours.ts': '' });
    for (const name of ['filled', 'emptied', 'changed', 'hidden']) {
      git(root, 'submodule', '--quiet', 'add', other, name);
    }
    git(root, 'commit', '--quiet', '--message', 'Link');
    git(root, 'config', '--file', '.gitmodules', 'submodule.hidden.ignore', 'all');
    git(root, 'submodule', '--quiet', 'deinit', '--force', 'emptied');
    await writeFiles(root, { 'changed/theirs.ts': 'changed', 'hidden/new.ts': '' });
    const found = await listed(root);
    expect(found).toEqual({
      '.gitmodules': 'file',
      changed: 'submodule',
      emptied: 'submodule',
      filled: 'submodule',
      hidden: 'submodule',
      'ours.ts': 'file',
    });
  });

  test('a nested repository is one entry, untracked, ignored or in the index (B26)', async () => {
    const root = await repository({ '.gitignore': 'ignored\n', 'ours.ts': '' });
    for (const name of ['nested', 'ignored', 'linked', 'fresh']) {
      await mkdir(join(root, name));
      if (name === 'fresh') git(join(root, name), 'init', '--quiet');
      else await initRepository(join(root, name), { 'inner.ts': '' });
    }
    git(root, 'add', 'linked');
    expect(await listed(root)).toMatchObject({
      ignored: 'ignored, untracked',
      linked: 'submodule',
      nested: 'submodule, untracked',
      'ours.ts': 'file',
    });
    expect(Object.keys(await listed(root)).filter((path) => path.includes('inner'))).toEqual([]);
  });

  test('what a sparse checkout leaves out is said, folder by folder (B26)', async () => {
    const root = await repository({
      'in/a.ts': '',
      'out/b.ts': '',
      'out/deep/c.ts': '',
      'top.ts': '',
    });
    git(root, 'sparse-checkout', 'set', '--cone', 'in');
    expect(await listed(root)).toEqual({ 'in/a.ts': 'file', out: 'absent', 'top.ts': 'file' });
    git(root, 'update-index', '--skip-worktree', 'top.ts');
    await writeFile(join(root, 'top.ts'), 'changed by hand');
    expect((await listed(root))['top.ts']).toBe('file');
  });

  test('a file that is meant to be added, and names that differ in case only, are files (B26)', async () => {
    const root = await repository({ 'a.ts': '1', 'A.ts': '2' });
    await writeFiles(root, { 'new.ts': 'text\n' });
    git(root, 'add', '--intent-to-add', 'new.ts');
    expect(await listed(root)).toEqual({ 'A.ts': 'file', 'a.ts': 'file', 'new.ts': 'file' });
  });

  test('tracked files are in it though a rule ignores them or their folder (B26, W13)', async () => {
    const root = await repository({
      '.gitignore': 'out/\n*.log\n',
      'out/kept.ts': '',
      'kept.log': '',
    });
    await writeFiles(root, { 'out/made.ts': '', 'out/inner/made.ts': '', 'deep/new.log': '' });
    expect(await listed(root)).toEqual({
      '.gitignore': 'file',
      deep: 'ignored, untracked',
      'kept.log': 'file',
      'out/inner': 'ignored, untracked',
      'out/kept.ts': 'file',
      'out/made.ts': 'ignored, untracked',
    });
  });

  test('a folder that git cannot open is told, though git goes on', async () => {
    const root = await repository({ 'sub/a.ts': '' });
    await writeFiles(root, { 'sub/locked/b.ts': '' });
    const warned: RunProgram = async (run) => {
      const report = await runProgram(run);
      const isOthers = run.args.includes('--others') && !run.args.includes('--ignored');
      if (!isOthers || report.kind !== 'done') return report;
      const stderr = Buffer.from(
        "warning: could not open directory 'sub/locked/': Permission denied\nwarning: could not open directory 'sub/nl\nd/': Permission denied\n",
      );
      return { ...report, stdout: new Uint8Array(), stderr };
    };
    const { entries } = await createSourceTree(join(root, 'sub'), warned).list();
    expect(entries).toEqual([
      { path: 'a.ts', kind: 'file', tracked: true },
      { path: 'locked', kind: 'other', tracked: false, unreadable: 'EACCES' },
      { path: 'nl\nd', kind: 'other', tracked: false, unreadable: 'EACCES' },
    ]);
    const inventory = await takeInventory(createSourceTree(join(root, 'sub'), warned));
    const { files } = deriveDisposition(inventory, { include: [], exclude: [] });
    expect(files[1]).toMatchObject({ path: 'locked', status: 'unreadable' });
  });

  test('nothing in the repository is changed by a look at it (B26, B27)', async () => {
    const root = await repository({ '.gitattributes': '* text=auto\n', 'a.ts': 'one\r\n' });
    await writeFiles(root, { 'new.ts': 'x\r\n' });
    const state = (): string =>
      ['status --porcelain=v2', 'worktree list', 'for-each-ref', 'config --list --local']
        .map((command) => git(root, ...command.split(' ')))
        .join('');
    const before = state();
    await takeInventory(createSourceTree(root));
    expect(state()).toBe(before);
  });
});

describe('the input of an audit', () => {
  test('is the same with and without what a build leaves behind, and where that lies (T21, T22)', async () => {
    const root = await repository({ '.gitignore': 'built/\n*.o\n', 'src/a.c': 'int a;\n' });
    const clean = await takeInventory(createSourceTree(root));
    await writeFiles(root, { 'built/a': 'x', 'src/a.o': 'x' });
    const built = await takeInventory(createSourceTree(root));
    expect(built.inputDigest).toBe(clean.inputDigest);
    expect(built.files).toHaveLength(clean.files.length + 2);
    const moved = join(await temporaryFolder(), 'elsewhere');
    await cp(root, moved, { recursive: true });
    await rm(join(moved, '.git'), { recursive: true });
    const walked = await takeInventory(createSourceTree(moved, noGit));
    expect(walked.inputDigest).toBe(clean.inputDigest);
    expect(walked.source).toBe('walk');
  });

  test('each file stands once with its own reason, and the totals are all files (T22)', async () => {
    const root = await repository({
      '.gitignore': 'ignored.txt\n',
      '.casefileignore': 'legacy/\n*.tmp.js\n!keep.tmp.js\n',
      'legacy/old.js': 'x();\n',
      'legacy/.casefileignore': '!old.js\n',
      'a.tmp.js': 'x();\n',
      'keep.tmp.js': 'x();\n',
      'empty.ts': '',
      'long.js': `const x = "${'y'.repeat(5_000_000)}";`,
      'long.json': `["${'y'.repeat(5_000_000)}"]`,
    });
    await writeFiles(root, { 'ignored.txt': 'x', 'untracked.ts': 'x;\n', 'locked.ts': 'x' });
    const source = createSourceTree(root);
    const { scan } = source;
    // Who runs the tests may be allowed to read everything.
    const inventory = await takeInventory({
      ...source,
      scan: async (path, limits, take) => {
        if (path === 'locked.ts') throw Object.assign(new Error('no'), { code: 'EACCES' });
        return scan!(path, limits, take);
      },
    });
    const disposed = deriveDisposition(inventory, { include: [], exclude: [] });
    expect(Object.fromEntries(disposed.files.map((file) => [file.path, file.status]))).toEqual({
      '.casefileignore': 'included',
      '.gitignore': 'included',
      'a.tmp.js': 'ignored',
      'empty.ts': 'empty',
      'ignored.txt': 'ignored',
      'keep.tmp.js': 'included',
      'legacy/.casefileignore': 'ignored',
      'legacy/old.js': 'ignored',
      'locked.ts': 'unreadable',
      'long.js': 'minified',
      'long.json': 'included',
      'untracked.ts': 'included',
    });
  });

  test('a user may keep the rules of an audit to himself', async () => {
    const root = await repository({ '.gitignore': '.casefileignore\n', 'a.ts': 'x\n' });
    await writeFiles(root, { '.casefileignore': 'a.ts\n' });
    for (const run of [runProgram, noGit]) {
      const inventory = await takeInventory(createSourceTree(root, run));
      expect(inventory.files.find(({ path }) => path === 'a.ts')?.ignoredBy).toBe('.');
    }
  });
});

describe('sizes', () => {
  test('a file is as long as it was when it was opened, whatever is added meanwhile (B23)', async () => {
    const root = await temporaryFolder();
    await writeFile(join(root, 'log.txt'), 'line\n'.repeat(500_000));
    const { scan } = createSourceTree(root, noGit);
    let taken = 0;
    const { size } = await scan!('log.txt', { pieceBytes: 1 << 20, bytesMax: 1 << 30 }, (piece) => {
      taken += piece.length;
      execFileSync('sh', ['-c', 'printf more >> log.txt'], { cwd: root });
    });
    expect([size, taken]).toEqual([2_500_000, 2_500_000]);
  });

  test('a file that shrinks is as long as what was left of it (B23)', async () => {
    const root = await temporaryFolder();
    await writeFile(join(root, 'log.txt'), 'line\n'.repeat(500_000));
    const { scan } = createSourceTree(root, noGit);
    const { size } = await scan!('log.txt', { pieceBytes: 1 << 20, bytesMax: 1 << 30 }, () =>
      execFileSync('truncate', ['-s', '1500000', 'log.txt'], { cwd: root }),
    );
    expect(size).toBe(1_500_000);
  });

  test('a sparse file that claims more than any disk holds is not read at all (B23)', async () => {
    const root = await temporaryFolder();
    await writeFile(join(root, 'sparse.js'), '');
    await truncate(join(root, 'sparse.js'), 2 ** 42);
    const inventory = await takeInventory(createSourceTree(root, noGit));
    expect(inventory.files).toEqual([
      expect.objectContaining({ path: 'sparse.js', size: 2 ** 42, encoding: 'none' }),
    ]);
    const { files } = deriveDisposition(inventory, { include: [], exclude: [] });
    expect(files).toEqual([{ path: 'sparse.js', status: 'oversized', reason: expect.anything() }]);
  });

  test('hand-written, bundled, renamed, locked and generated files have each their own word (B23)', async () => {
    const zip = Uint8Array.from([0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0]);
    const root = await repository({
      '.gitattributes':
        'api/*.go linguist-generated\nsrc/theirs/** linguist-vendored\n*.foo linguist-language=ruby\nmine.min.js -linguist-generated\n',
      'hand.js': 'const a = 1; // written\n'.repeat(65_000),
      'bundle.js': 'a();'.repeat(1_000_000),
      'package-lock.json': '{}\n',
      'api/v1.go': 'package v1\n',
      'src/theirs/a.js': 'x\n',
      'x.foo': 'puts 1\n',
      'mine.min.js': 'x()\n',
      'zero.js': '',
    });
    await writeFile(join(root, 'renamed.ts'), zip);
    const inventory = await takeInventory(createSourceTree(root));
    const { files } = deriveDisposition(inventory, { include: [], exclude: [] });
    expect(Object.fromEntries(files.map(({ path, status }) => [path, status]))).toEqual({
      '.gitattributes': 'included',
      'api/v1.go': 'generated',
      'bundle.js': 'minified',
      'hand.js': 'included',
      'mine.min.js': 'included',
      'package-lock.json': 'lockfile',
      'renamed.ts': 'binary',
      'src/theirs/a.js': 'vendored',
      'x.foo': 'included',
      'zero.js': 'empty',
    });
    expect(inventory.files.find(({ path }) => path === 'x.foo')?.language).toBe('Ruby');
  });

  test('a folder that cannot be read is told and not taken for an empty one', async () => {
    const root = await temporaryFolder();
    await writeFiles(root, { 'a.ts': 'x\n', 'locked/b.ts': 'x\n' });
    await chmod(join(root, 'locked'), 0);
    const { entries } = await createSourceTree(root, noGit).list();
    await chmod(join(root, 'locked'), 0o755);
    // For the superuser there is no such folder.
    const isSuperuser = entries.some(({ path }) => path === 'locked/b.ts');
    expect(entries.at(-1)).toEqual(
      isSuperuser
        ? { path: 'locked/b.ts', kind: 'file', tracked: false }
        : { path: 'locked', kind: 'other', tracked: false, unreadable: 'EACCES' },
    );
  });
});

describe('names', () => {
  const NAMES = [
    ...['a b.js', 'a#b.js', '100%.js', 'x%20y.js', ':c.js', 'caf\u00e9.js', 'cafe\u0301.js'],
    ...['\u{1f600}.js', '-rf.js', `${'n'.repeat(247)}.js`, 'dot.', 'back\\slash.js'],
    ...['new\nline.js', '\r::error::x.js', '\u001b[31mred.js', 'tab\t.js', '"quote".js'],
    ...[' lead.js', '~home.js', '$HOME.js', '!not.js', '*.js', '[a].js', '\ufeffmark.js'],
  ];

  test.each([
    ['git', runProgram],
    ['a walk', noGit],
  ] as const)('every name is listed and read as the bytes it is, by %s (B24)', async (_, run) => {
    const root = await temporaryFolder();
    if (run === runProgram) git(root, 'init', '--quiet');
    await writeFiles(root, Object.fromEntries(NAMES.map((name) => [`in/${name}`, `${name}\n`])));
    await writeFile(Buffer.concat([Buffer.from(`${root}/in/caf`), Buffer.of(0xff)]), 'bytes\n');
    if (run === runProgram) git(root, 'add', '--all');
    const inventory = await takeInventory(createSourceTree(root, run));
    const expected = [...NAMES, 'caf\udcff'].map((name) => `in/${name}`);
    expect(inventory.files.map(({ path }) => path).toSorted()).toEqual(expected.toSorted());
    expect(
      inventory.files.every(({ unreadable, size }) => unreadable === undefined && size > 0),
    ).toBe(true);
    const { files } = deriveDisposition(inventory, { include: [], exclude: [] });
    expect(files.map(({ status }) => status)).toEqual(files.map(() => 'included'));
  });

  test('a link is never followed, and where it leads is said', async () => {
    const root = await temporaryFolder();
    await writeFiles(root, { 'a/b.ts': 'x\n' });
    await symlink('../..', join(root, 'a', 'up'));
    await symlink('b.ts', join(root, 'a', 'beside'));
    await symlink('.', join(root, 'a', 'loop'));
    await rename(join(root, 'a', 'loop'), join(root, 'loop'));
    const inventory = await takeInventory(createSourceTree(root, noGit));
    const { files } = deriveDisposition(inventory, { include: [], exclude: [] });
    expect(Object.fromEntries(files.map(({ path, status }) => [path, status]))).toEqual({
      'a/b.ts': 'included',
      'a/beside': 'link',
      'a/up': 'outside',
      loop: 'link',
    });
  });
});
