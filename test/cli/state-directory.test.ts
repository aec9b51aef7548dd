import { existsSync, readdirSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';
import { fingerprintOf } from '../helpers/audit-on-disk.ts';

let place: Workplace;
beforeAll(async () => {
  place = await createWorkplace({ 'src/notes.md': '# Notes\n', 'other/more.md': '# More\n' });
});
afterAll(() => place.close());

/** Exit 2 with a sentence and what to do, and not one byte more or less on the disk. */
const expectRefusal = async (args: readonly string[], message: RegExp): Promise<void> => {
  const before = fingerprintOf(place.folder);
  const { code, stdout, stderr } = await place.run(...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
  expect(stderr.split('\n').slice(1).join('\n')).toMatch(/^ {2}\S.*\.?\n$/);
  expect(fingerprintOf(place.folder)).toBe(before);
};

test('a state directory that contains the audited root is refused (R34)', async () => {
  const link = join(place.folder, 'home', 'link');
  await symlink(place.root, link);
  for (const [root, state] of [
    ['.', '.'],
    ['.', '..'],
    ['src', '.'],
    ['src', 'src/../src'],
    ['.', link],
    ['.', '/'],
  ] as const) {
    for (const command of ['run', 'plan', 'status', 'repair']) {
      await expectRefusal([command, root, '--state-dir', state], /contains the audited root/);
    }
  }
});

test('a root inside of a state folder is refused', async () => {
  await mkdir(join(place.root, 'other', '.casefile', 'audits'), { recursive: true });
  await writeFile(join(place.root, 'other', '.casefile', 'audits', 'notes.md'), '# Notes\n');
  await expectRefusal(['run', 'other/.casefile'], /lies inside a state folder/);
  await expectRefusal(['run', 'other/.casefile/audits'], /lies inside a state folder/);
});

test('a state directory that cannot be made is refused with its cause', async () => {
  await writeFile(join(place.folder, 'home', 'file'), '');
  const state = join(place.folder, 'home', 'file', 'state');
  for (const command of ['run', 'status']) {
    await expectRefusal([command, '--state-dir', state], /cannot be made: .*file is no folder/);
  }
});

// Root may write everywhere.
test.skipIf(process.getuid?.() === 0)(
  'a state directory that cannot be written is refused with its cause',
  async () => {
    const state = join(place.folder, 'home', 'locked');
    await mkdir(state, { mode: 0o555 });
    await expectRefusal(['run', '--state-dir', state], /cannot be written: .*EACCES/);
  },
);

test('a state directory elsewhere holds everything, and the root gets no file', async () => {
  const state = join(place.folder, 'home', 'elsewhere');
  const tree = fingerprintOf(place.root);
  const { code } = await place.run('run', '--state-dir', state);
  expect(code).toBe(0);
  expect(fingerprintOf(place.root)).toBe(tree);
  expect(readdirSync(state)).toContain('audits');
  expect((await place.run('status', '--state-dir', state)).stdout).toMatch(/state +complete/);
  expect((await place.run('verify', '--state-dir', state)).code).toBe(0);
  expect((await place.run('status')).code).toBe(2);
});

test('a state directory below the root under any name is no part of what is audited', async () => {
  const state = join(place.root, 'kept');
  const first = await place.run('run', '--state-dir', 'kept', '--json');
  const second = await place.run('run', '--state-dir', 'kept', '--json');
  expect([first.code, second.code]).toEqual([0, 0]);
  expect(second.stdout).toBe(first.stdout);
  expect(readdirSync(join(state, 'audits'))).toHaveLength(1);
  expect(existsSync(join(state, '.gitignore'))).toBe(true);
});
