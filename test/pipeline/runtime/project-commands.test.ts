import { expect, test } from 'vitest';
import { projectCommands } from '../../../src/pipeline/runtime/project-commands.ts';

const linesFor = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const commands = await projectCommands(Object.keys(files), async (path) => files[path]);
  return commands.map(({ kind, folder, command }) => `${kind} ${folder}: ${command.join(' ')}`);
};
const scripts = (given: Readonly<Record<string, string>>): string =>
  JSON.stringify({ scripts: given });

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  ['none', { 'README.md': '' }, []],
  [
    'scripts of a package, by what they are for',
    {
      'package.json': scripts({ build: 'tsc', 'check:types': 'tsc', test: 'vitest', deploy: 'x' }),
    },
    ['test : npm run test', 'typecheck : npm run check:types', 'build : npm run build'],
  ],
  [
    'not what npm writes into a new package',
    { 'package.json': scripts({ test: 'echo "Error: no test specified" && exit 1' }) },
    [],
  ],
  ['no scripts in what is no JSON', { 'package.json': '{"scripts": {' }, []],
  [
    'the package manager of the lock file',
    { 'package.json': scripts({ test: 'x' }), 'pnpm-lock.yaml': '' },
    ['test : pnpm run test'],
  ],
  [
    'of manifests of a kind the highest ones',
    {
      'package.json': scripts({ test: 'x' }),
      'packages/a/package.json': scripts({ test: 'y' }),
      'api/go.mod': '',
      'tools/go.mod': '',
      'api/deep/go.mod': '',
    },
    [
      'test : npm run test',
      'test api: go test ./...',
      'test tools: go test ./...',
      'lint api: go vet ./...',
      'lint tools: go vet ./...',
    ],
  ],
  ['none of manifests that lie deep', { 'a/b/c/go.mod': '' }, []],
  [
    'one for several manifests of one project',
    { 'setup.py': '', 'pyproject.toml': '' },
    ['test : python3 -m pytest -q -p no:cacheprovider'],
  ],
])('commands of a project: %s', async (_, files, expected) => {
  expect(await linesFor(files)).toEqual(expected);
});

test('the order of the files says nothing, and a dozen commands are enough', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`part${index}/go.mod`, '']),
  );
  const reversed = Object.fromEntries(Object.entries(files).toReversed());
  expect(await linesFor(files)).toHaveLength(12);
  expect(await linesFor(files)).toEqual(await linesFor(reversed));
});
