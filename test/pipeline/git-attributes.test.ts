import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAttributePattern } from '../../src/pipeline/attribute-pattern.ts';
import { createAttributeTable } from '../../src/pipeline/git-attributes.ts';
import { git } from '../helpers/git-repository.ts';
import { temporaryFolder, writeFiles } from '../helpers/temporary-folder.ts';

const ASKED = {
  'linguist-generated': 'generated',
  'linguist-vendored': 'vendored',
  'linguist-language': 'language',
  binary: 'binary',
  eol: 'eol',
} as const;

/** What git itself says, in our words. */
const saidByGit = (root: string, paths: readonly string[]): unknown[] => {
  const names = Object.keys(ASKED);
  const output = execFileSync('git', ['check-attr', '-z', '--stdin', ...names], {
    cwd: root,
    input: paths.join('\0'),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const fields = output.split('\0');
  return paths.map((_, index) => {
    const said: Record<string, unknown> = {};
    for (const [at, name] of names.entries()) {
      const value = fields[(index * names.length + at) * 3 + 2];
      const key = ASKED[name as keyof typeof ASKED];
      const isWord = key === 'language' || key === 'eol';
      if (value === undefined || value === 'unspecified' || value === '') continue;
      if (isWord && (value === 'set' || value === 'unset')) continue;
      said[key] = isWord ? value : value !== 'unset' && value !== 'false';
    }
    return Object.keys(said).length === 0 ? undefined : said;
  });
};

const piece = fc.constantFrom(
  'a',
  'b',
  'ab',
  '*',
  '**',
  '?',
  '[ab]',
  '[!a]',
  '[a-c]',
  '.js',
  '\\a',
);
const segment = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(''));
const pattern = fc
  .tuple(
    fc.constantFrom('', '/', '**/'),
    fc.array(fc.oneof(segment, fc.constant('**')), { minLength: 1, maxLength: 3 }),
  )
  .map(([start, segments]) => start + segments.join('/'))
  // Two stars beside other characters mean this or that to git, depending on what stands before.
  .filter((form) => !/[^/]\*\*|\*\*[^/]/.test(form));
const attribute = fc.constantFrom(
  ...['linguist-generated', '-linguist-generated', '!linguist-generated'],
  ...['linguist-generated=false', 'linguist-vendored=true', 'linguist-language=Ruby', 'own'],
  ...['binary', '-binary', '!binary', 'eol=crlf', '-text', 'linguist-language=C++', '-own'],
);
const line = fc
  .tuple(pattern, fc.array(attribute, { minLength: 1, maxLength: 3 }))
  .map(([form, attributes]) => `${form} ${attributes.join(' ')}`);
const file = fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n'));

const PATHS = [
  ...['a', 'b', 'ab', 'a.js', 'b.js', 'a/a', 'a/b.js', 'a/b/a.js', 'b/a/ab', 'a/b/a/b', 'ab/a.js'],
  ...['c', 'a/c', 'b/.js', 'a/ab.js', 'b/b/b/a'],
];

describe('attributes of the tree', () => {
  test('are what git says of the same files', async () => {
    const root = await temporaryFolder();
    git(root, 'init', '--quiet');
    await fc.assert(
      fc.asyncProperty(file, file, file, async (top, inner, innermost) => {
        const macro = '[attr]own linguist-vendored eol=lf\n';
        const texts = { '': macro + top, a: inner, 'a/b': innermost };
        await writeFiles(
          root,
          Object.fromEntries(
            Object.entries(texts).map(([folder, text]) => [join(folder, '.gitattributes'), text]),
          ),
        );
        const attributesOf = createAttributeTable(
          Object.entries(texts).map(([folder, text]) => ({ folder, text })),
        );
        expect(PATHS.map(attributesOf)).toEqual(saidByGit(root, PATHS));
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ['"with blank.js" linguist-generated', 'with blank.js'],
    ['\ufeff*.js linguist-generated\r', 'a.js'],
    ['  \t*.js\tlinguist-generated', 'x/y.js'],
    ['"t\\303\\244b.js" linguist-generated', 'täb.js'],
    ['[[:upper:]]*.js linguist-generated', 'Ab.js'],
  ])('%j speaks of %s', (text, path) => {
    expect(createAttributeTable([{ folder: '', text }])(path)).toEqual({ generated: true });
  });

  test.each([
    ['vendor linguist-vendored', 'vendor/a.js'],
    ['vendor/ linguist-vendored', 'vendor/a.js'],
    ['!*.js linguist-generated', 'a.js'],
    ['# *.js linguist-generated', 'a.js'],
    ['*.js text=auto', 'a.js'],
    ['[a linguist-generated', 'a'],
  ])('%j does not speak of %s', (text, path) => {
    expect(createAttributeTable([{ folder: '', text }])(path)).toBeUndefined();
  });

  test('a pattern costs its length times that of the path, however it is made', () => {
    const path = `${'a'.repeat(250)}/${'a/'.repeat(100)}x`;
    let steps = 0;
    for (const form of [`${'*a'.repeat(100)}b`, `/${'**/a*/'.repeat(100)}b`, '*'.repeat(2000)]) {
      const matches = createAttributePattern(form);
      for (let time = 0; time < 10; time += 1) steps += matches(path) ? 1 : 0;
    }
    expect(steps).toBe(10);
  });
});
