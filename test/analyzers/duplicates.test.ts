import { expect, test } from 'vitest';
import { findDuplicates } from '../../src/analyzers/duplicates.ts';
import { takeInventory } from '../../src/analyzers/take-inventory.ts';
import { createSimulatedSourceTree } from '../helpers/simulated-source-tree.ts';

const body = (name: string, lines = 30): string =>
  Array.from(
    { length: lines },
    (_, index) => `  ${name}.set('key${index}', read(${index}, ${name}));`,
  ).join('\n');

const duplicatesOf = async (files: Readonly<Record<string, string>>) => {
  const tree = createSimulatedSourceTree(files);
  const { files: listed } = await takeInventory(tree);
  return findDuplicates({ tree, files: listed });
};

test('equal stretches are found with their exact lines, comments and white space aside', async () => {
  const spaced = body('store').replaceAll('\n', '\n\n  // said here only\n');
  const { duplicates, run } = await duplicatesOf({
    'a.js': `import a from 'a';\n\n${body('store')}\nlast(1);\n`,
    'b.js': `const other = 5;\n${spaced}\nnext(2);\n`,
    'c.js': 'const alone = 1;\n',
  });
  expect(duplicates).toMatchObject([
    { first: { path: 'a.js', line: 3, endLine: 32 }, second: { path: 'b.js', line: 2 } },
  ]);
  expect(run).toMatchObject({ name: 'jscpd', files: 3, status: 'done', unchecked: [] });
});

test('of a stretch that goes on like two files in turn, each pair is told as far as it goes', async () => {
  const [one, two] = [body('one', 15), body('two', 15)];
  const { duplicates } = await duplicatesOf({
    'a.js': `${one}\nfirst(1);\n`,
    'b.js': `${two}\nsecond(2);\n`,
    'c.js': `${one}\n${two}\n`,
  });
  expect(
    duplicates
      .map(
        ({ first, second }) =>
          `${first.path}:${first.line}-${first.endLine} ${second.path}:${second.line}-${second.endLine}`,
      )
      .toSorted(),
  ).toEqual(['a.js:1-15 c.js:1-15', 'b.js:1-15 c.js:16-30']);
});

test('tests, examples and short stretches are not told', async () => {
  const { duplicates } = await duplicatesOf({
    'a.test.js': body('store'),
    'b.test.js': body('store'),
    'examples/a.js': body('store'),
    'examples/b.js': body('store'),
    'c.js': body('short', 8),
    'd.js': body('short', 8),
  });
  expect(duplicates).toEqual([]);
});

test('the order of the files changes nothing', async () => {
  const files = {
    'a.js': body('x'),
    'b.js': body('x'),
    'c.js': body('x'),
    'd.js': `${body('y')}\n`,
  };
  const there = await duplicatesOf(files);
  const back = await duplicatesOf(Object.fromEntries(Object.entries(files).toReversed()));
  expect(back).toEqual(there);
  expect(there.duplicates.length).toBeGreaterThan(0);
});

test('what is too large is left out and named', async () => {
  const { run } = await duplicatesOf({ 'a.js': body('x', 6000), 'b.js': 'y;\n' });
  expect(run).toMatchObject({ status: 'partial', files: 1, unchecked: ['a.js'] });
});
