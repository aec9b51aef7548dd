import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/platform/disk.ts';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
const bytesOf = (content: string): Uint8Array => Buffer.from(content);

/** What every disk promises while nothing fails. What it loses when something does is not here. */
export const diskContract = (
  name: string,
  create: () => Promise<{ readonly disk: Disk; readonly directory: string }>,
): void => {
  describe(`${name} keeps the disk's contract`, () => {
    const write = async (disk: Disk, path: string, content: string): Promise<void> => {
      const file = await disk.open(path, 'create');
      await file.write(bytesOf(content), 0);
      await file.datasync();
      await file.close();
    };

    test('a file reads as it was written, truncated and written over', async () => {
      const { disk, directory } = await create();
      const path = `${directory}/file`;
      const file = await disk.open(path, 'create');
      await file.write(bytesOf('hello world'), 0);
      await file.write(bytesOf('W'), 6);
      await file.truncate(8);
      await file.datasync();
      expect(await file.size()).toBe(8);
      await file.close();
      expect(text(await disk.readFile(path))).toBe('hello Wo');
      expect(await disk.sizeOf(path)).toBe(8);
    });

    test('what is written behind the end leaves zeros between', async () => {
      const { disk, directory } = await create();
      const file = await disk.open(`${directory}/file`, 'create');
      await file.write(bytesOf('a'), 0);
      await file.write(bytesOf('b'), 3);
      await file.close();
      expect([...(await disk.readFile(`${directory}/file`))]).toEqual([97, 0, 0, 98]);
    });

    test('creating needs a free name, and opening needs a file', async () => {
      const { disk, directory } = await create();
      const path = `${directory}/file`;
      await expect(disk.open(path, 'existing')).rejects.toMatchObject({ code: 'ENOENT' });
      await expect(disk.readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
      expect(await disk.sizeOf(path)).toBeUndefined();
      await write(disk, path, 'first');
      await expect(disk.open(path, 'create')).rejects.toMatchObject({ code: 'EEXIST' });
      const again = await disk.open(path, 'existing');
      await again.write(bytesOf('F'), 0);
      await again.close();
      expect(text(await disk.readFile(path))).toBe('First');
    });

    test('a link needs a free name and is a second name of the same bytes', async () => {
      const { disk, directory } = await create();
      await write(disk, `${directory}/one`, 'bytes');
      await disk.link(`${directory}/one`, `${directory}/two`);
      await expect(disk.link(`${directory}/one`, `${directory}/two`)).rejects.toMatchObject({
        code: 'EEXIST',
      });
      await disk.remove(`${directory}/one`);
      expect(text(await disk.readFile(`${directory}/two`))).toBe('bytes');
      await expect(disk.link(`${directory}/one`, `${directory}/three`)).rejects.toMatchObject({
        code: 'ENOENT',
      });
    });

    test('a rename takes the place of what was there', async () => {
      const { disk, directory } = await create();
      await write(disk, `${directory}/old`, 'old');
      await write(disk, `${directory}/new`, 'new');
      await disk.rename(`${directory}/new`, `${directory}/old`);
      await disk.syncDirectory(directory);
      expect(text(await disk.readFile(`${directory}/old`))).toBe('new');
      expect(await disk.list(directory)).toEqual(['old']);
    });

    test('a directory is made with its parents, twice without harm, and lists by code units', async () => {
      const { disk, directory } = await create();
      await disk.makeDirectory(`${directory}/a/b/c`);
      await disk.makeDirectory(`${directory}/a/b/c`);
      for (const name of ['b', 'B', '10', '9', 'ä']) {
        await write(disk, `${directory}/a/b/c/${name}`, name);
      }
      expect(await disk.list(`${directory}/a/b/c`)).toEqual(['10', '9', 'B', 'b', 'ä']);
      expect(await disk.list(`${directory}/a`)).toEqual(['b']);
      await expect(disk.list(`${directory}/none`)).rejects.toMatchObject({ code: 'ENOENT' });
    });

    test('a directory cannot be made where a file is', async () => {
      const { disk, directory } = await create();
      await write(disk, `${directory}/file`, '');
      await expect(disk.makeDirectory(`${directory}/file`)).rejects.toThrow();
      await expect(disk.makeDirectory(`${directory}/file/below`)).rejects.toThrow();
    });
  });
};
