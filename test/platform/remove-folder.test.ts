import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NotRemovableError, removeFolder } from '../../src/platform/remove-folder.ts';
import { temporaryFolder, writeFiles } from '../helpers/temporary-folder.ts';

const place = async (): Promise<{ readonly within: string; readonly outside: string }> => {
  const folder = await realpath(await temporaryFolder());
  const [within, outside] = [join(folder, 'within'), join(folder, 'outside')];
  await writeFiles(within, { 'old/deep/file': 'x', 'new/file': 'x' });
  await writeFiles(outside, { 'kept/file': 'x' });
  return { within, outside };
};

test('a folder goes with all that is in it, and nothing beside it', async () => {
  const { within } = await place();
  expect(await removeFolder(join(within, 'old'), within)).toBe(true);
  expect(readdirSync(within)).toEqual(['new']);
  expect(await removeFolder(join(within, 'old'), within)).toBe(false);
});

test('what links in it point to stays (R34)', async () => {
  const { within, outside } = await place();
  symlinkSync(outside, join(within, 'old', 'deep', 'link'));
  symlinkSync(join(outside, 'kept', 'file'), join(within, 'old', 'link'));
  await removeFolder(join(within, 'old'), within);
  expect(readdirSync(within)).toEqual(['new']);
  expect(existsSync(join(outside, 'kept', 'file'))).toBe(true);
});

test('what does not lie strictly in its place is refused and stays, by whatever name (R34)', async () => {
  const { within, outside } = await place();
  symlinkSync(outside, join(within, 'link'));
  symlinkSync(join(within, 'old'), join(within, 'alias'));
  await writeFile(join(within, 'file'), 'x');
  await mkdir(join(within, '..', 'within-too'));
  for (const folder of [
    within,
    join(within, '..'),
    '/',
    outside,
    join(within, '..', 'outside', 'kept'),
    join(within, '..', 'within-too'),
    join(within, 'link'),
    `${within}/link/kept`,
    `${within}/alias/deep`,
    `${within}/new/../../outside/kept`,
    join(within, 'file'),
  ]) {
    await expect(removeFolder(folder, within), folder).rejects.toThrow(NotRemovableError);
  }
  expect(existsSync(join(outside, 'kept', 'file'))).toBe(true);
  expect(readdirSync(within)).toEqual(['alias', 'file', 'link', 'new', 'old']);
  expect(existsSync(join(within, 'old', 'deep', 'file'))).toBe(true);
});
