import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSourceTree } from '../../src/platform/git-source-tree.ts';
import { GitFailedError } from '../../src/platform/git.ts';
import { runProgram, type RunProgram } from '../../src/platform/subprocess.ts';
import { CONTRACT_FILES, sourceTreeContract } from '../contracts/source-tree.contract.ts';
import { git, initRepository } from '../helpers/git-repository.ts';
import { createSimulatedSourceTree } from '../helpers/simulated-source-tree.ts';
import { temporaryFolder, writeFiles } from '../helpers/temporary-folder.ts';

const noGit: RunProgram = async () => ({ kind: 'missing', message: 'git is not there' });

sourceTreeContract('the simulated tree', async () => ({
  tree: createSimulatedSourceTree({ ...CONTRACT_FILES, link: { link: 'README.md' } }),
  link: 'link',
}));

sourceTreeContract('the git tree', async () => {
  const root = await temporaryFolder();
  await initRepository(root, CONTRACT_FILES);
  await symlink('README.md', join(root, 'link'));
  return { tree: createSourceTree(root), link: 'link' };
});

sourceTreeContract('the walked tree', async () => {
  const root = await temporaryFolder();
  await writeFiles(root, CONTRACT_FILES);
  await symlink('README.md', join(root, 'link'));
  return { tree: createSourceTree(root, noGit), link: 'link' };
});

const listed = async (root: string, run?: RunProgram): Promise<Record<string, string>> => {
  const { entries } = await createSourceTree(root, run).list();
  return Object.fromEntries(
    entries.map(({ path, kind, tracked }) => [path, tracked ? kind : `${kind}, untracked`]),
  );
};

describe('in a git work tree', () => {
  test('dirty, untracked, ignored and deleted files are taken as git sees them', async () => {
    const root = await temporaryFolder();
    await initRepository(root, {
      '.gitignore': '*.log\n',
      'kept.log': 'tracked though ignored',
      'gone.ts': '',
      'dirty.ts': 'old',
    });
    await writeFiles(root, { 'new.ts': '', 'noise.log': '', 'dirty.ts': 'new' });
    await rm(join(root, 'gone.ts'));
    expect(await listed(root)).toEqual({
      '.gitignore': 'file',
      'dirty.ts': 'file',
      'kept.log': 'file',
      'new.ts': 'file, untracked',
      'noise.log': 'ignored, untracked',
    });
    const tree = createSourceTree(root);
    expect(new TextDecoder().decode(await tree.read('dirty.ts'))).toBe('new');
    expect((await tree.list()).commit).toBe(git(root, 'rev-parse', 'HEAD').trim());
  });

  test('submodules and nested repositories are one entry each and not entered', async () => {
    const root = await temporaryFolder();
    const other = await temporaryFolder();
    await initRepository(other, { 'theirs.ts': '' });
    await initRepository(root, { 'ours.ts': '' });
    git(root, 'submodule', '--quiet', 'add', other, 'linked');
    await mkdir(join(root, 'nested'));
    await initRepository(join(root, 'nested'), { 'inner.ts': '' });
    expect(await listed(root)).toEqual({
      '.gitmodules': 'file',
      linked: 'submodule',
      nested: 'submodule, untracked',
      'ours.ts': 'file',
    });
  });

  test('a folder below the top is a root of its own', async () => {
    const top = await temporaryFolder();
    await initRepository(top, { 'outside.ts': '', 'packages/a/inside.ts': '' });
    expect(await listed(join(top, 'packages/a'))).toEqual({ 'inside.ts': 'file' });
  });

  test('a folder that the repository ignores is walked when it is asked for', async () => {
    const top = await temporaryFolder();
    await initRepository(top, { '.gitignore': 'out/\n' });
    await writeFiles(top, { 'out/made.js': '' });
    const listing = await createSourceTree(join(top, 'out')).list();
    expect(listing).toMatchObject({ inventory: 'walk', entries: [{ path: 'made.js' }] });
  });

  test('no commit yet, and a second work tree, are no trouble', async () => {
    const root = await temporaryFolder();
    git(root, 'init', '--quiet');
    await writeFiles(root, { 'first.ts': '' });
    const fresh = await createSourceTree(root).list();
    expect(fresh).toEqual({
      entries: [{ path: 'first.ts', kind: 'file', tracked: false }],
      inventory: 'git',
    });
    git(root, 'add', '--all');
    git(root, 'commit', '--quiet', '--message', 'Begin');
    const second = join(await temporaryFolder(), 'second');
    git(root, 'worktree', 'add', '--quiet', second);
    expect(await listed(second)).toEqual({ 'first.ts': 'file' });
  });

  test('unmerged paths are listed once', async () => {
    const root = await temporaryFolder();
    await initRepository(root, { 'a.ts': 'base\n' });
    git(root, 'checkout', '--quiet', '-b', 'other');
    await writeFiles(root, { 'a.ts': 'theirs\n' });
    git(root, 'commit', '--quiet', '--all', '--message', 'Theirs');
    git(root, 'checkout', '--quiet', 'main');
    await writeFiles(root, { 'a.ts': 'ours\n' });
    git(root, 'commit', '--quiet', '--all', '--message', 'Ours');
    expect(() => git(root, 'merge', '--quiet', 'other')).toThrow();
    expect(await listed(root)).toEqual({ 'a.ts': 'file' });
  });

  test('a folder that became a link out of the root takes its files with it', async () => {
    const root = await temporaryFolder();
    const outside = await temporaryFolder();
    await writeFiles(outside, { 'secret.ts': 'not ours' });
    await initRepository(root, { 'lib/secret.ts': 'ours' });
    await rm(join(root, 'lib'), { recursive: true });
    await symlink(outside, join(root, 'lib'));
    expect(await listed(root)).toEqual({ lib: 'link, untracked' });
  });

  test('names that are not UTF-8 come back as the bytes they are', async () => {
    const root = await temporaryFolder();
    await initRepository(root, { 'a.ts': '' });
    await writeFile(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.of(0xe9)]), 'bytes');
    const tree = createSourceTree(root);
    const { entries } = await tree.list();
    expect(entries.map(({ path }) => path)).toEqual(['a.ts', 'caf\udce9']);
    expect(new TextDecoder().decode(await tree.read('caf\udce9'))).toBe('bytes');
  });

  test('nothing that the repository names is run, and its index keeps its bytes', async () => {
    const root = await temporaryFolder();
    const marks = await temporaryFolder();
    await initRepository(root, { 'a.ts': 'text\n', '.gitattributes': '* filter=evil diff=evil\n' });
    const program = join(root, '.git', 'evil.sh');
    await writeFile(program, `#!/bin/sh\ntouch "${marks}/ran"\ncat\n`, { mode: 0o755 });
    for (const key of [
      'core.fsmonitor',
      'filter.evil.clean',
      'filter.evil.smudge',
      'filter.evil.process',
      'diff.evil.textconv',
      'diff.external',
      'core.pager',
      'core.sshCommand',
      'credential.helper',
    ]) {
      git(root, 'config', key, program);
    }
    git(root, 'config', 'core.hooksPath', join(root, '.git'));
    await writeFile(join(root, '.git', 'post-index-change'), `#!/bin/sh\ntouch "${marks}/ran"\n`, {
      mode: 0o755,
    });
    await writeFile(join(root, 'a.ts'), 'dirty\n');
    const index = await readFile(join(root, '.git', 'index'));
    await rm(join(marks, 'ran'), { force: true });

    expect(await listed(root)).toEqual({ '.gitattributes': 'file', 'a.ts': 'file' });

    expect(execFileSync('ls', [marks], { encoding: 'utf8' })).toBe('');
    expect(await readFile(join(root, '.git', 'index'))).toEqual(index);
  });

  test('a damaged index stops the audit with the reason of git', async () => {
    const root = await temporaryFolder();
    await initRepository(root, { 'a.ts': '' });
    await writeFile(join(root, '.git', 'index'), 'no index');
    await expect(createSourceTree(root).list()).rejects.toThrow(GitFailedError);
  });

  test.each(['--is-inside-work-tree', '--cached', 'HEAD'])(
    'that does not answer (%s) the audit stops: a folder is not taken for a plain one in haste',
    async (asked) => {
      const root = await temporaryFolder();
      await initRepository(root, { 'a.ts': '' });
      const run = notAnswering((args) => args.includes(asked));
      await expect(createSourceTree(root, run).list()).rejects.toThrow(/it took too long/);
    },
  );

  test('an ignore file that git waits for is named; without one, git gets the time that it needs', async () => {
    const root = await temporaryFolder();
    await initRepository(root, { 'inner/a.ts': '' });
    await writeFiles(root, { 'b.ts': '' });
    let asked = 0;
    const slowAtFirst = notAnswering((args) => args.includes('--others') && asked++ === 0);
    expect(await listed(root, slowAtFirst)).toEqual({
      'b.ts': 'file, untracked',
      'inner/a.ts': 'file',
    });
    execFileSync('mkfifo', [join(root, 'inner', '.gitignore')]);
    const waiting = notAnswering((args) => args.includes('--others'));
    await expect(createSourceTree(root, waiting).list()).rejects.toThrow(
      /^inner\/\.gitignore in the audited folder is no file/,
    );
  });

  test("a repository's own data is no tree to audit", async () => {
    const root = await temporaryFolder();
    await initRepository(root, { 'a.ts': '' });
    await expect(createSourceTree(join(root, '.git')).list()).rejects.toThrow(
      /repository's own data/,
    );
  });
});

/** The real git, but some questions are never answered. */
const notAnswering =
  (isAsked: (args: readonly string[]) => boolean): RunProgram =>
  async (run) =>
    isAsked(run.args) ? { kind: 'timed-out' } : runProgram(run);

describe('without git', () => {
  test('ignore files of every level are kept, the inner ones over the outer ones', async () => {
    const root = await temporaryFolder();
    await writeFiles(root, {
      '.gitignore': '*.log\n/only-here\nbuilt/\n',
      'a.log': '',
      'only-here': '',
      'built/x.js': '',
      'inner/.gitignore': '!kept.log\n',
      'inner/kept.log': '',
      'inner/lost.log': '',
      'inner/only-here': '',
    });
    expect(await listed(root, noGit)).toEqual({
      '.gitignore': 'file, untracked',
      'a.log': 'ignored, untracked',
      built: 'ignored, untracked',
      'inner/.gitignore': 'file, untracked',
      'inner/kept.log': 'file, untracked',
      'inner/lost.log': 'ignored, untracked',
      'inner/only-here': 'file, untracked',
      'only-here': 'ignored, untracked',
    });
  });

  test('it agrees with git on a tree that git knows', async () => {
    const root = await temporaryFolder();
    await initRepository(root, { '.gitignore': 'out\n*.tmp\n!keep.tmp\n', 'src/a.ts': '' });
    await writeFiles(root, { 'out/b.js': '', 'c.tmp': '', 'src/keep.tmp': '', 'src/d.ts': '' });
    const walked = Object.keys(await listed(root, noGit));
    expect(walked).toEqual(Object.keys(await listed(root)));
  });

  test('installed packages and other repositories are stated, not listed', async () => {
    const root = await temporaryFolder();
    await writeFiles(root, { 'a.ts': '', 'node_modules/x/index.js': '', '.git/HEAD': '' });
    await mkdir(join(root, 'nested/.git'), { recursive: true });
    await writeFiles(root, { 'nested/b.ts': '' });
    expect(await listed(root, noGit)).toEqual({
      'a.ts': 'file, untracked',
      nested: 'submodule, untracked',
      node_modules: 'other, untracked',
    });
  });
});
