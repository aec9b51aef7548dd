import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createNodeDisk } from '../../src/platform/node-disk.ts';
import { diskContract } from '../contracts/disk.contract.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

diskContract('the disk of this machine', async () => ({
  disk: createNodeDisk(),
  directory: await temporaryFolder(),
}));

test('a writer that was passed over while it slept adds at the end and overwrites nothing', async () => {
  const file = join(await temporaryFolder(), 'log');
  const disk = createNodeDisk();
  writeFileSync(file, 'first\n');
  const sleeper = await disk.open(file, 'append');
  const successor = await disk.open(file, 'append');
  await successor.write(Buffer.from('second\n'), 6);
  await sleeper.write(Buffer.from('late\n'), 6);
  expect(readFileSync(file, 'utf8')).toBe('first\nsecond\nlate\n');
  await Promise.all([sleeper.close(), successor.close()]);
});

test('no link is followed at the end of a path', async () => {
  const folder = await temporaryFolder();
  const disk = createNodeDisk();
  writeFileSync(join(folder, 'victim'), 'of somebody else');
  symlinkSync(join(folder, 'victim'), join(folder, 'link'));
  for (const mode of ['existing', 'append'] as const) {
    await expect(disk.open(join(folder, 'link'), mode)).rejects.toMatchObject({ code: 'ELOOP' });
  }
  await expect(disk.open(join(folder, 'link'), 'create')).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(disk.readFile(join(folder, 'link'))).rejects.toMatchObject({ code: 'ELOOP' });
  expect(readFileSync(join(folder, 'victim'), 'utf8')).toBe('of somebody else');
});
