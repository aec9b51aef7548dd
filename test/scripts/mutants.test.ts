import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROJECT } from '../helpers/built-paths.ts';

const folder = mkdtempSync(join(tmpdir(), 'casefile-mutants-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SUM = 'export const sum = (a, b) => a + b;\nexport const half = (a) => a / 2;\n';

const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};

beforeAll(() => {
  write('package.json', '{ "type": "module" }');
  write('vitest.config.ts', `export default { test: { include: ['test/*.test.js'] } };\n`);
  write('src/sum.js', SUM);
  write(
    'test/sum.test.js',
    `import { expect, test } from 'vitest';\nimport { sum } from '../src/sum.js';\n` +
      `test('two and three are five', () => expect(sum(2, 3)).toBe(5));\n`,
  );
  write(
    'test/wrong.test.js',
    `import { expect, test } from 'vitest';\ntest('one is two', () => expect(1).toBe(2));\n`,
  );
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
});

type Mutant = {
  readonly name: string;
  readonly find: string;
  readonly replace: string;
  readonly tests?: readonly string[];
};

const mutate = (mutants: readonly Mutant[]): { status: number | null; output: string } => {
  const complete = mutants.map((mutant) => ({
    file: 'src/sum.js',
    tests: ['test/sum.test.js'],
    ...mutant,
  }));
  write('mutants.json', JSON.stringify(complete));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(PROJECT, 'scripts/mutants.mjs'),
      '--root',
      folder,
      '--list',
      join(folder, 'mutants.json'),
    ],
    { encoding: 'utf8' },
  );
  return { status, output: stdout + stderr };
};

test('a mutant that no test notices, or that does not load, is reported and fails the run', () => {
  const { status, output } = mutate([
    { name: 'difference', find: 'a + b', replace: 'a - b' },
    { name: 'quarter', find: 'a / 2', replace: 'a / 4' },
    { name: 'nonsense', find: 'a + b', replace: 'a +' },
  ]);
  expect(output).toMatch(/^difference +killed +two and three are five$/m);
  expect(output).toMatch(/^quarter +SURVIVED/m);
  expect(output).toMatch(/^nonsense +REFUSED/m);
  expect(output).toContain('1 of 3 mutants killed');
  expect(status).toBe(1);
  expect(readFileSync(join(folder, 'src/sum.js'), 'utf8')).toBe(SUM);
});

test('a text that does not stand exactly once is refused before anything runs', () => {
  const lost = mutate([{ name: 'lost', find: 'no such text', replace: '' }]);
  expect(lost.output).toContain('lost: its text stands 0 times in src/sum.js, not once');
  const twice = mutate([{ name: 'twice', find: 'export', replace: '' }]);
  expect(twice.output).toContain('twice: its text stands 2 times in src/sum.js, not once');
  expect([lost.status, twice.status]).toEqual([2, 2]);
});

test('tests that fail without a mutant prove nothing, and are refused', () => {
  const { status, output } = mutate([
    { name: 'difference', find: 'a + b', replace: 'a - b', tests: ['test/wrong.test.js'] },
  ]);
  expect(output).toContain('fail already:\n  one is two');
  expect(status).toBe(2);
});
