import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROJECT } from '../helpers/built-paths.ts';
import { folderOf, roomTable, roomsOfRule } from './room-table.ts';

/** A seeded fault: the file that holds it, and the rules that must report it (none: allowed). */
type Seed = { readonly file: string; readonly text: string; readonly rules: readonly string[] };

const pure = [...roomsOfRule('browser-rooms-know-no-node'), ...roomsOfRule('pure-rooms-do-no-io')];
const shell = [...roomTable().keys()].filter((room) => !pure.includes(room));

const BANNED_GLOBALS = {
  Date: 'Date.now()',
  performance: 'performance.now()',
  setTimeout: 'setTimeout(() => undefined, 1)',
  setInterval: 'setInterval(() => undefined, 1)',
  setImmediate: 'setImmediate(() => undefined)',
  queueMicrotask: 'queueMicrotask(() => undefined)',
  process: 'process.pid',
  fetch: 'typeof fetch',
  crypto: 'crypto.randomUUID()',
  console: 'typeof console',
  Buffer: 'Buffer.alloc(1)',
  Intl: 'Intl.Collator',
  globalThis: 'globalThis',
  require: 'typeof require',
};

const inPureRooms = (room: string): readonly Seed[] => [
  ...Object.entries(BANNED_GLOBALS).map(([name, text]) => ({
    file: `${folderOf(room)}/uses-${name}.ts`,
    text: `export const use = () => ${text};\n`,
    rules: pure.includes(room) ? ['eslint(no-restricted-globals)'] : [],
  })),
  {
    file: `${folderOf(room)}/draws.ts`,
    text: `export const use = () => Math.random();\n`,
    rules: pure.includes(room) ? ['eslint(no-restricted-properties)'] : [],
  },
  {
    file: `${folderOf(room)}/makes-ids.ts`,
    text: `import { randomUUID } from 'node:crypto';\nexport const use = () => randomUUID();\n`,
    rules: pure.includes(room) ? ['eslint(no-restricted-imports)'] : [],
  },
  {
    file: `${folderOf(room)}/digests.ts`,
    text: `import { createHash } from 'node:crypto';\nexport const use = () => createHash('sha256');\n`,
    rules: [],
  },
];

const everywhere = (room: string): readonly Seed[] => [
  ...['localeCompare', 'toLocaleString', 'toLocaleLowerCase', 'toLocaleUpperCase'].map(
    (property) => ({
      file: `${folderOf(room)}/asks-${property}.ts`,
      text: `export const use = (text: string) => text.${property}('x');\n`,
      rules: ['eslint(no-restricted-properties)'],
    }),
  ),
  {
    file: `${folderOf(room)}/prints.ts`,
    text: `export const use = () => console.log('x');\n`,
    rules:
      room === 'cli'
        ? []
        : [...(pure.includes(room) ? ['eslint(no-restricted-globals)'] : []), 'eslint(no-console)'],
  },
];

const UNION = `type Kind = { readonly type: 'a' } | { readonly type: 'b' };\n`;
const typed: readonly Seed[] = [
  {
    file: 'src/engine/forgets-a-promise.ts',
    text: `const work = async (): Promise<number> => 1;\nexport const use = (): void => {\n  work();\n};\n`,
    rules: ['typescript(no-floating-promises)'],
  },
  {
    file: 'src/engine/says-that-it-does-not-wait.ts',
    text: `const work = async (): Promise<number> => 1;\nexport const use = (): void => {\n  void work();\n};\n`,
    rules: [],
  },
  {
    file: 'src/engine/asks-a-promise.ts',
    text: `const work = async (): Promise<boolean> => true;\nexport const use = (): number => (work() ? 1 : 2);\n`,
    rules: ['typescript(no-misused-promises)'],
  },
  {
    file: 'src/domain/forgets-a-case.ts',
    text: `${UNION}export const use = (kind: Kind): number => {\n  switch (kind.type) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n};\n`,
    rules: ['typescript(switch-exhaustiveness-check)'],
  },
  {
    file: 'src/domain/hides-cases.ts',
    text: `${UNION}export const use = (kind: Kind): number => {\n  switch (kind.type) {\n    case 'a':\n      return 1;\n    default:\n      return 2;\n  }\n};\n`,
    rules: ['typescript(switch-exhaustiveness-check)'],
  },
  {
    file: 'src/domain/names-all-cases.ts',
    text: `${UNION}export const use = (kind: Kind): number => {\n  switch (kind.type) {\n    case 'a':\n      return 1;\n    case 'b':\n      return 2;\n  }\n};\n`,
    rules: [],
  },
  {
    file: 'src/domain/is-an-interface.ts',
    text: 'export interface Thing {\n  readonly size: number;\n}\n',
    rules: ['typescript(consistent-type-definitions)'],
  },
  {
    file: 'src/domain/is-a-barrel.ts',
    text: `export * from './names-all-cases.ts';\n`,
    rules: ['oxc(no-barrel-file)'],
  },
  {
    file: 'src/domain/is-nameless.ts',
    text: 'export default 1;\n',
    rules: ['import(no-default-export)'],
  },
  {
    file: 'src/engine/throws-text.ts',
    text: `export const use = (): never => {\n  throw 'x';\n};\n`,
    rules: ['typescript(only-throw-error)'],
  },
  {
    file: 'src/engine/takes-anything.ts',
    text: 'export const use = (x: any): number => Number(x);\n',
    rules: ['typescript(no-explicit-any)'],
  },
  {
    file: 'src/engine/trusts-blindly.ts',
    text: 'export const use = (x?: number): number => x!;\n',
    rules: ['typescript(no-non-null-assertion)'],
  },
];

const seeds = [...pure, ...shell].flatMap((room) => [...inPureRooms(room), ...everywhere(room)]);
const folder = mkdtempSync(join(tmpdir(), 'casefile-lint-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Diagnostic = {
  readonly filename: string;
  readonly code: string;
  readonly message: string;
  readonly help: string;
};
let diagnostics: readonly Diagnostic[] = [];

beforeAll(() => {
  for (const name of ['.oxlintrc.json', 'tsconfig.json', 'package.json'])
    cpSync(join(PROJECT, name), join(folder, name));
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  for (const { file, text } of [...seeds, ...typed]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const { stdout, stderr } = spawnSync(
    join(PROJECT, 'node_modules/.bin/oxlint'),
    ['--format', 'json', 'src', 'machines'],
    { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (!stdout.startsWith('{')) throw new Error(stdout + stderr);
  diagnostics = (JSON.parse(stdout) as { diagnostics: Diagnostic[] }).diagnostics;
});

const rulesFor = (seeded: readonly Seed[]): readonly unknown[] =>
  seeded.map(({ file }) => [
    file,
    diagnostics
      .filter(({ filename }) => filename === file)
      .map(({ code }) => code)
      .toSorted(),
  ]);
const expected = (seeded: readonly Seed[]): readonly unknown[] =>
  seeded.map(({ file, rules }) => [file, rules.toSorted()]);

test('a clock, chance, I/O or the locale in a pure room is reported, and in the shell allowed', () => {
  expect(rulesFor(seeds)).toEqual(expected(seeds));
});

test('a forgotten promise, a forgotten case and a default that hides cases are reported', () => {
  expect(rulesFor(typed)).toEqual(expected(typed));
});

test('each ban says what to do instead', () => {
  const banned = diagnostics.filter(({ code }) => code.startsWith('eslint(no-restricted-'));
  const silent = banned.filter(
    ({ message, help }) => !/[.:] .+[a-z]\.$|: .+\.$/.test(`${message} ${help}`),
  );
  expect(banned.length).toBeGreaterThan(100);
  expect(silent).toEqual([]);
});

test('every global that the linter bans has a seeded use here', () => {
  const text = readFileSync(join(PROJECT, '.oxlintrc.json'), 'utf8');
  const names = [...text.matchAll(/"name": "(\w+)"/g)].map(([, name]) => name);
  expect(names).toEqual(Object.keys(BANNED_GLOBALS));
});
