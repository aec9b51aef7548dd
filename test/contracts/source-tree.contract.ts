import { describe, expect, test } from 'vitest';
import { compareText } from '../../src/std/canonical-json.ts';
import type { SourceTree } from '../../src/platform/source-tree.ts';

/** What the maker puts into the tree, besides whatever it needs itself (`.gitignore`, ...). */
export const CONTRACT_FILES: Readonly<Record<string, string>> = {
  'README.md': '# Read me\n',
  'src/a.ts': 'export const a = 1;\n',
  'src/inner/b.ts': "import { a } from '../a.ts';\nexport const b = a;\n",
  'src-sorts-before-slash.ts': '',
  'name with blanks, "quotes" and ünicode.txt': 'text\n',
  '.casefile/audits/state.json': '{}',
};

/** The law book of every maker of source trees. `create` gives a tree with the contract's files. */
export const sourceTreeContract = (
  name: string,
  create: () => Promise<{
    readonly tree: SourceTree;
    /** A path at which the maker has put a link to `README.md`. */
    readonly link: string;
  }>,
): void => {
  describe(`${name} keeps the source tree contract`, () => {
    test('every file is listed once, sorted by code units', async () => {
      const { tree } = await create();
      const paths = (await tree.list()).entries.map(({ path }) => path);
      expect(paths).toEqual([...new Set(paths)].toSorted(compareText));
      const wanted = Object.keys(CONTRACT_FILES).filter((path) => !path.startsWith('.casefile'));
      expect(paths).toEqual(expect.arrayContaining(wanted));
    });

    test('our own state is never a part of the tree', async () => {
      const { tree } = await create();
      const { entries } = await tree.list();
      expect(entries.filter(({ path }) => path.startsWith('.casefile'))).toEqual([]);
    });

    test('reading gives the bytes that were written', async () => {
      const { tree } = await create();
      for (const { path, kind } of (await tree.list()).entries) {
        const text = CONTRACT_FILES[path];
        if (kind !== 'file' || text === undefined) continue;
        expect(new TextDecoder().decode(await tree.read(path))).toBe(text);
      }
    });

    test('a link is told with its target and cannot be read through', async () => {
      const { tree, link } = await create();
      const entry = (await tree.list()).entries.find(({ path }) => path === link);
      expect(entry).toMatchObject({ kind: 'link', target: 'README.md' });
      await expect(tree.read(link)).rejects.toMatchObject({ code: 'ELOOP' });
    });

    test('reading what is not there rejects with the code of the error', async () => {
      const { tree } = await create();
      await expect(tree.read('no/such/file')).rejects.toMatchObject({ code: 'ENOENT' });
    });

    test('listing twice gives the same', async () => {
      const { tree } = await create();
      expect(await tree.list()).toEqual(await tree.list());
    });
  });
};
