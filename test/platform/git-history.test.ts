import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readGitHistory } from '../../src/platform/git-history.ts';
import { git, initRepository } from '../helpers/git-repository.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const headOf = (folder: string): string => git(folder, 'rev-parse', 'HEAD').trim();

const commitChange = async (folder: string, path: string, author: string): Promise<void> => {
  await mkdir(join(folder, path, '..'), { recursive: true });
  await writeFile(
    join(folder, path),
    `${path} ${author} ${git(folder, 'rev-list', '--count', 'HEAD')}`,
  );
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'Change', `--author=x <${author}>`);
};

describe('the history of a folder', () => {
  test('names the files of each commit and its author, the newest first', async () => {
    const folder = await temporaryFolder();
    await initRepository(folder, { 'a.js': '1', 'd e/b\nc.js': '2' });
    await commitChange(folder, 'a.js', 'one@x');
    await commitChange(folder, 'd e/b\nc.js', 'two@x');
    expect(await readGitHistory(folder, headOf(folder))).toEqual({
      state: 'whole',
      isCut: false,
      commits: [
        { author: 'two@x', paths: ['d e/b\nc.js'] },
        { author: 'one@x', paths: ['a.js'] },
        { author: 't@t', paths: ['a.js', 'd e/b\nc.js'] },
      ],
    });
  });

  test('holds only what lies below it, by paths from it, and leaves merges out', async () => {
    const folder = await temporaryFolder();
    await initRepository(folder, { 'a.js': '1', 'sub/b.js': '2' });
    git(folder, 'checkout', '--quiet', '-b', 'side');
    await commitChange(folder, 'sub/b.js', 'one@x');
    git(folder, 'checkout', '--quiet', 'main');
    await commitChange(folder, 'a.js', 'two@x');
    git(folder, 'merge', '--quiet', '--no-edit', 'side');
    const { commits } = await readGitHistory(join(folder, 'sub'), headOf(folder));
    expect(commits.map(({ paths }) => paths)).toEqual([['b.js'], ['b.js']]);
  });

  test('is read from the commit that is asked for, whatever came after', async () => {
    const folder = await temporaryFolder();
    await initRepository(folder, { 'a.js': '1' });
    const first = headOf(folder);
    await commitChange(folder, 'a.js', 'one@x');
    expect((await readGitHistory(folder, first)).commits).toHaveLength(1);
  });

  test('may be shallow, absent or not to be had, and each is a fact', async () => {
    const folder = await temporaryFolder();
    await initRepository(folder, { 'a.js': '1' });
    await commitChange(folder, 'a.js', 'one@x');
    const clone = join(await temporaryFolder(), 'clone');
    git(folder, 'clone', '--quiet', '--depth=1', `file://${folder}`, clone);
    expect(await readGitHistory(clone, headOf(clone))).toMatchObject({ state: 'shallow' });
    expect(await readGitHistory(folder, undefined)).toMatchObject({ state: 'none' });
    expect(await readGitHistory(folder, 'f'.repeat(40))).toMatchObject({ state: 'failed' });
    expect(await readGitHistory(await temporaryFolder(), 'f'.repeat(40))).toMatchObject({
      state: 'failed',
    });
  });

  test('runs nothing that the repository names', async () => {
    const folder = await temporaryFolder();
    await initRepository(folder, { 'a.js': '1', '.gitattributes': '* diff=evil\n' });
    await commitChange(folder, 'a.js', 'one@x');
    const traps = await temporaryFolder();
    const program = join(traps, 'evil.sh');
    await writeFile(program, `#!/bin/sh\ntouch ${join(traps, 'ran')}\ncat "$1"\n`);
    await chmod(program, 0o755);
    for (const [key, value] of [
      ['log.showSignature', 'true'],
      ['gpg.program', program],
      ['gpg.ssh.program', program],
      ['gpg.format', 'ssh'],
      ['core.pager', program],
      ['pager.log', program],
      ['diff.external', program],
      ['diff.evil.textconv', program],
      ['diff.evil.command', program],
      ['core.fsmonitor', program],
      ['alias.log', `!${program}`],
      ['log.follow', 'true'],
      ['color.ui', 'always'],
      ['format.pretty', 'fuller'],
      ['log.diffMerges', 'on'],
    ] as const) {
      git(folder, 'config', key, value);
    }
    expect((await readGitHistory(folder, headOf(folder))).commits).toHaveLength(2);
    expect(await readdir(traps)).toEqual(['evil.sh']);
  });
});
