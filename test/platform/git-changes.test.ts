import { appendFileSync, cpSync, existsSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createGitChanges } from '../../src/platform/git-changes.ts';
import { createGitRevisions } from '../../src/platform/git-revisions.ts';
import { GitFailedError } from '../../src/platform/git.ts';
import { runProgram, type RunProgram } from '../../src/platform/subprocess.ts';
import { git, initRepository } from '../helpers/git-repository.ts';
import { temporaryFolder, writeFiles } from '../helpers/temporary-folder.ts';

const idOf = (folder: string, name = 'HEAD'): string => git(folder, 'rev-parse', name).trim();

const repository = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await temporaryFolder();
  await initRepository(folder, files);
  return folder;
};

const commitAll = (folder: string): void => {
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'Change');
};

describe('what differs between a commit and the tree', () => {
  test('is what was committed since, staged and edited, by both names of what was renamed', async () => {
    const folder = await repository({
      'kept.js': 'kept',
      'committed.js': '1',
      'staged.js': '1',
      'edited.js': '1',
      'old name.js': 'the same',
      'gone.js': '1',
      'link.js': 'a file',
      'mode.js': '1',
    });
    const base = idOf(folder);
    await writeFiles(folder, { 'committed.js': '2' });
    commitAll(folder);
    await writeFiles(folder, { 'staged.js': '2', 'added.js': '1' });
    git(folder, 'add', '--all');
    await writeFiles(folder, { 'edited.js': '2', 'untracked.js': '1' });
    await rename(join(folder, 'old name.js'), join(folder, 'new name.js'));
    git(folder, 'add', 'new name.js');
    await rm(join(folder, 'gone.js'));
    await rm(join(folder, 'link.js'));
    await symlink('kept.js', join(folder, 'link.js'));
    await chmod(join(folder, 'mode.js'), 0o755);
    expect(await (await createGitChanges(folder)).commitToTree(base)).toEqual({
      changed: [
        'added.js',
        'committed.js',
        'edited.js',
        'link.js',
        'mode.js',
        'new name.js',
        'staged.js',
      ],
      deleted: ['gone.js', 'old name.js'],
    });
  });

  test('is nothing where files were only copied or touched, and a change that left the size alone is found', async () => {
    const from = await repository({ 'a.js': '1', 'sub/b.js': '22', 'c.js': '333' });
    await symlink('a.js', join(from, 'link'));
    commitAll(from);
    const folder = join(await temporaryFolder(), 'copy');
    cpSync(from, folder, { recursive: true, verbatimSymlinks: true });
    await utimes(join(folder, 'a.js'), 1, 1);
    const changes = await createGitChanges(folder);
    expect(await changes.commitToTree(idOf(folder))).toEqual({ changed: [], deleted: [] });
    await writeFile(join(folder, 'c.js'), '334');
    expect(await changes.commitToTree(idOf(folder))).toEqual({ changed: ['c.js'], deleted: [] });
  });

  test('has names of any bytes, and of a folder only what lies in it, by paths from it', async () => {
    const folder = await repository({ 'top.js': '1', 'sub/a b"\n.js': '1', 'sub/same.js': '1' });
    const base = idOf(folder);
    const name = Buffer.concat([
      Buffer.from(`${folder}/sub/`),
      Buffer.from([0x66, 0xff, 0x2e, 0x6a]),
    ]);
    writeFileSync(name, '1');
    await writeFiles(folder, { 'top.js': '2', 'sub/a b"\n.js': '2' });
    commitAll(folder);
    const changes = await createGitChanges(join(folder, 'sub'));
    const expected = { changed: ['a b"\n.js', 'f\udcff.j'], deleted: [] };
    expect(await changes.commitToTree(base)).toEqual(expected);
    expect(await changes.commitToCommit(base, idOf(folder))).toEqual(expected);
  });

  test('has a path in conflict once, and a submodule by its commit', async () => {
    const folder = await repository({ 'a.js': '1', 'b.js': '1' });
    git(folder, 'checkout', '--quiet', '-b', 'side');
    await writeFiles(folder, { 'a.js': 'theirs' });
    commitAll(folder);
    git(folder, 'checkout', '--quiet', 'main');
    await writeFiles(folder, { 'a.js': 'ours' });
    commitAll(folder);
    const base = idOf(folder);
    expect(() => git(folder, 'merge', 'side')).toThrow();
    git(folder, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`);
    await mkdir(join(folder, 'module'));
    const { changed } = await (await createGitChanges(folder)).commitToTree(base);
    expect(changed).toEqual(['a.js', 'module']);
  });

  test('is found without running anything that the repository names', async () => {
    const folder = await repository({ '.gitattributes': '* filter=x diff=x\n', 'a.js': '1' });
    const mark = join(folder, '..', `ran-${idOf(folder)}`);
    for (const key of ['clean', 'smudge', 'process']) {
      git(folder, 'config', `filter.x.${key}`, `sh -c 'touch ${mark}; cat'`);
      git(folder, 'config', `filter.a=b.c.${key}`, `touch ${mark}`);
    }
    git(folder, 'config', 'filter.x.required', 'true');
    git(folder, 'config', 'filter.clean', 'of no driver');
    for (const key of ['diff.x.textconv', 'diff.x.command', 'diff.external', 'core.fsmonitor'])
      git(folder, 'config', key, `touch ${mark}`);
    await writeFiles(folder, { 'a.js': '2' });
    // An index that is older than its files: git reads them all to be sure, and would filter them.
    await utimes(join(folder, '.git', 'index'), 1000, 1000);
    const changes = await createGitChanges(folder);
    const head = idOf(folder);
    expect((await changes.commitToTree(head)).changed).toEqual(['a.js']);
    await changes.indexToTree();
    await changes.commitToIndex(head);
    await changes.commitToCommit(head, head);
    expect(existsSync(mark)).toBe(false);
  });

  test('is refused where git is too old to turn filters off', async () => {
    const folder = await repository({ 'a.js': '1' });
    const old: RunProgram = ({ environment, ...run }) =>
      runProgram({ ...run, environment: { ...environment, GIT_CONFIG_COUNT: undefined } });
    await createGitChanges(folder, old);
    git(folder, 'config', 'filter.x.clean', 'cat');
    await expect(createGitChanges(folder, old)).rejects.toThrow(/cannot be turned off/);
  });

  test('is refused where a filter has a name that cannot be passed on, whatever its clean command is', async () => {
    for (const config of [
      'clean = touch %',
      'clean =\n\tprocess = touch %',
      'process = "\\ntouch %"',
    ]) {
      const folder = await repository({ 'a.js': '1' });
      const mark = join(folder, '..', `ran-${idOf(folder)}-${config.length}`);
      appendFileSync(
        join(folder, '.git', 'config'),
        Buffer.from(`[filter "\xFF"]\n\t${config.replace('%', mark)}\n`, 'latin1'),
      );
      await expect(createGitChanges(folder)).rejects.toThrow(/cannot be turned off/);
      expect(existsSync(mark)).toBe(false);
    }
  });

  test('holds files that git was told not to look at', async () => {
    const folder = await repository({
      ...{ 'a.js': '1\n', 'b.js': '1\n', 'c.js': '1\n', 'd.js': '1\n', 'e.js': '1\n' },
    });
    await symlink('a.js', join(folder, 'link'));
    commitAll(folder);
    const base = idOf(folder);
    git(folder, 'update-index', '--assume-unchanged', 'a.js', 'c.js', 'e.js', 'link');
    git(folder, 'update-index', '--skip-worktree', 'b.js', 'd.js');
    await writeFiles(folder, { 'a.js': 'evil()\n', 'b.js': 'evil()\n' });
    for (const name of ['d.js', 'e.js', 'link']) await rm(join(folder, name));
    await symlink('nowhere', join(folder, 'link'));
    const changes = await createGitChanges(folder);
    const found = { changed: ['a.js', 'b.js', 'link'], deleted: ['e.js'] };
    expect(await changes.commitToTree(base)).toEqual(found);
    expect(await changes.indexToTree()).toEqual(found);
  });

  test('does not depend on how the user or the repository wants differences shown', async () => {
    const folder = await repository({ 'a/one.js': '1\n2\n3\n', 'b.js': '1' });
    const base = idOf(folder);
    for (const [key, value] of [
      ['diff.renames', 'copies'],
      ['diff.relative', 'true'],
      ['diff.noprefix', 'true'],
      ['diff.orderFile', join(folder, 'b.js')],
      ['diff.ignoreSubmodules', 'all'],
      ['core.quotePath', 'true'],
      ['core.abbrev', '4'],
      ['core.checkStat', 'minimal'],
      ['core.trustctime', 'false'],
    ] as const)
      git(folder, 'config', key, value);
    git(folder, 'mv', 'a/one.js', 'ü.js');
    expect(await (await createGitChanges(folder)).commitToTree(base)).toEqual({
      changed: ['ü.js'],
      deleted: ['a/one.js'],
    });
  });
});

test('what is staged, and what the tree has beyond it, are told apart', async () => {
  const folder = await repository({ 'a.js': '1', 'b.js': '1', 'c.js': '1' });
  await writeFiles(folder, { 'a.js': '2', 'b.js': '2' });
  git(folder, 'add', '--all');
  git(folder, 'rm', '--quiet', 'c.js');
  await writeFiles(folder, { 'b.js': '3' });
  const changes = await createGitChanges(folder);
  expect(await changes.commitToIndex(idOf(folder))).toEqual({
    changed: ['a.js', 'b.js'],
    deleted: ['c.js'],
  });
  expect(await changes.indexToTree()).toEqual({ changed: ['b.js'], deleted: [] });
});

describe('a commit is named', () => {
  test('by a branch, a tag, an id, its beginning, or the way to it', async () => {
    const folder = await repository({ 'a.js': '1' });
    const id = idOf(folder);
    git(folder, 'tag', '--annotate', '--message', 'x', 'v1');
    await writeFiles(folder, { 'a.js': '2' });
    commitAll(folder);
    const revisions = createGitRevisions(folder);
    for (const name of ['HEAD~1', 'main^', 'v1', id, id.slice(0, 8), 'refs/tags/v1'])
      expect([name, await revisions.commit(name, '--since')]).toEqual([name, id]);
  });

  test('and a name that a branch and a tag go by is refused', async () => {
    const folder = await repository({ 'a.js': '1' });
    await writeFiles(folder, { 'a.js': '2' });
    commitAll(folder);
    git(folder, 'branch', 'both', 'HEAD~1');
    git(folder, 'tag', 'both', 'HEAD');
    git(folder, 'config', 'core.warnAmbiguousRefs', 'false');
    const revisions = createGitRevisions(folder);
    await expect(revisions.commit('both', '--since')).rejects.toThrow(/"both".* is ambiguous/);
    expect(await revisions.commit('refs/heads/both', '--since')).toBe(idOf(folder, 'HEAD~1'));
  });

  test.each([
    ['', /The commit of --since is empty/],
    ['  ', /The commit of --since is empty/],
    ['nowhere', /git knows no commit "nowhere" \(--since\)/],
    ['main..HEAD', /git knows no commit "main\.\.HEAD"/],
    ['^main', /git knows no commit "\^main"/],
    ['-x', /"-x" \(--since\) cannot be the name of a commit/],
    ['--all', /cannot be the name of a commit/],
    ['a\u0000b', /cannot be the name of a commit/],
    ['\u001B[2J', /"\\u001b\[2J" \(--since\) cannot be the name/],
    ['HEAD^{tree}', /is a tree, not a commit/],
    ['HEAD:a.js', /is a blob, not a commit/],
  ])('and %j is none', async (name, says) => {
    const folder = await repository({ 'a.js': '1' });
    const found = createGitRevisions(folder).commit(name, '--since');
    await expect(found).rejects.toThrow(GitFailedError);
    await expect(found).rejects.toThrow(says);
  });
});

describe('a merge base', () => {
  test('that a shallow clone does not hold is asked for, and not guessed', async () => {
    const from = await repository({ 'a.js': '1' });
    git(from, 'checkout', '--quiet', '-b', 'side');
    await writeFiles(from, { 'b.js': '1' });
    commitAll(from);
    git(from, 'checkout', '--quiet', 'main');
    await writeFiles(from, { 'a.js': '2' });
    commitAll(from);
    const folder = join(await temporaryFolder(), 'clone');
    git(from, 'clone', '--quiet', '--depth', '1', '--no-single-branch', `file://${from}`, folder);
    const revisions = createGitRevisions(folder);
    const [head, side] = [await revisions.head(), await revisions.commit('origin/side', '--since')];
    await expect(revisions.mergeBase([side, head], ['origin/side', 'HEAD'])).rejects.toMatchObject({
      message: expect.stringContaining('a shallow clone'),
      hint: expect.stringContaining('git fetch --unshallow'),
    });
    await expect(revisions.commit('HEAD~1', '--since')).rejects.toMatchObject({
      hint: expect.stringContaining('fetch-depth: 0'),
    });
  });

  test('that git fails to look for is no sign of unrelated histories', async () => {
    const folder = await repository({ 'a.js': '1' });
    const absent = '1'.repeat(40);
    await expect(
      createGitRevisions(folder).mergeBase([absent, idOf(folder)], ['x', 'HEAD']),
    ).rejects.toThrow(/git merge-base .* failed/);
  });

  test('of unrelated histories is none, and there is none before the first commit', async () => {
    const folder = await repository({ 'a.js': '1' });
    const head = idOf(folder);
    git(folder, 'checkout', '--quiet', '--orphan', 'other');
    const revisions = createGitRevisions(folder);
    await expect(revisions.head()).rejects.toThrow(/no commit yet/);
    git(folder, 'commit', '--quiet', '--message', 'Other');
    await expect(
      revisions.mergeBase([head, await revisions.head()], ['main', 'HEAD']),
    ).rejects.toThrow(/"main" and "HEAD" have no common ancestor/);
  });
});
