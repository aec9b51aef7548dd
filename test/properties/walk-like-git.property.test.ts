import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSourceTree } from '../../src/platform/git-source-tree.ts';
import type { RunProgram } from '../../src/platform/subprocess.ts';
import { git } from '../helpers/git-repository.ts';
import { temporaryFolder, writeFiles } from '../helpers/temporary-folder.ts';

const noGit: RunProgram = async () => ({ kind: 'missing', message: 'git is not there' });

const piece = fc.constantFrom('a', 'b', 'c', '*', '?', '[ab]', '[!a]');
const segment = fc.array(piece, { minLength: 1, maxLength: 2 }).map((pieces) => pieces.join(''));
const pattern = fc
  .tuple(
    fc.constantFrom('', '!', '/', '!/', '**/'),
    fc.array(fc.oneof(segment, fc.constant('**')), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '/'),
  )
  .map(([start, segments, end]) => start + segments.join('/') + end)
  .filter((form) => !/[^/!]\*\*|\*\*[^/]/.test(form));
const rules = fc.array(pattern, { maxLength: 4 }).map((lines) => `${lines.join('\n')}\n`);

const FILES = ['a', 'b/a', 'b/b', 'b/c/a', 'b/c/b', 'c/a/b', 'c/b', 'ab', 'c/ab/a'];

test('a tree without git has the files that git would list, whatever is ignored (W13)', async () => {
  const root = await temporaryFolder();
  git(root, 'init', '--quiet');
  await writeFiles(root, Object.fromEntries(FILES.map((path) => [path, ''])));
  await fc.assert(
    fc.asyncProperty(rules, rules, async (top, inner) => {
      await writeFiles(root, { '.gitignore': top, 'b/.gitignore': inner });
      const [known, walked] = await Promise.all(
        [undefined, noGit].map(async (run) => {
          const { entries } = await createSourceTree(root, run).list();
          return entries.filter(({ kind }) => kind === 'file').map(({ path }) => path);
        }),
      );
      expect(walked).toEqual(known);
    }),
    {
      numRuns: 40,
      examples: [
        ['c\n', '!/c\n'],
        ['*\n', '!b/\n!c\n'],
      ],
    },
  );
  await rm(join(root, '.gitignore'));
});
