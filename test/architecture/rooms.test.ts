import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { PROJECT } from '../helpers/built-paths.ts';
import { folderOf, roomRules, roomTable, roomsOfRule } from './room-table.ts';

const rooms = roomTable();
const names = [...rooms.keys()];

test('every folder of src has a row in the table of rooms', () => {
  const folders = readdirSync(join(PROJECT, 'src'), { withFileTypes: true });
  expect(folders.filter((entry) => !entry.isDirectory()).map(({ name }) => name)).toEqual([]);
  expect(folders.map(({ name }) => name).filter((name) => !rooms.has(name))).toEqual([]);
});

test('a room names only rooms above its own row, so that the order has no circle', () => {
  for (const [room, allowed] of rooms) {
    const above = names.slice(0, names.indexOf(room));
    expect(
      allowed.filter((other) => !above.includes(other)),
      room,
    ).toEqual([]);
  }
});

test('ARCHITECTURE.md shows people the table that the tool checks', () => {
  const text = readFileSync(join(PROJECT, 'ARCHITECTURE.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` +\| ([^|]*?) +\|/gm)].map(([, room, allowed]) => [
    room,
    allowed === '–' ? [] : allowed!.split(', '),
  ]);
  // Everybody may import std and domain; the page says so once.
  const expected = [...rooms].map(([room, allowed]) => [
    room,
    allowed.filter((other) => other !== 'std' && other !== 'domain').toSorted(),
  ]);
  expect(rows.map(([room, allowed]) => [room, (allowed as string[]).toSorted()])).toEqual(expected);
});

test('every rule says what to do instead', () => {
  expect(roomRules().filter(({ comment }) => comment.length < 20)).toEqual([]);
});

/** A seeded import: the file that holds it, and the rules that must report it (none: allowed). */
type Seed = { readonly file: string; readonly text: string; readonly rules: readonly string[] };

const importOf = (from: string, to: string): string =>
  `import '${'../'.repeat(from.split('/').length - 1)}${to}';\n`;

const everyPair: readonly Seed[] = names.flatMap((room) =>
  names.map((other) => {
    const file = `${folderOf(room)}/imports-${other}.ts`;
    const allowed = other === room || rooms.get(room)?.includes(other) === true;
    return {
      file,
      text: importOf(file, `${folderOf(other)}/target.ts`),
      rules: allowed ? [] : [`${room}-looks-only-down`],
    };
  }),
);

const browser = ['std', 'domain', 'machines', 'scheduler', 'decider', 'projections'];
const pure = [...browser, 'pipeline', 'rules', 'reporters'];

const everyRoom: readonly Seed[] = names.flatMap((room) => {
  const seed = (name: string, specifier: string, rules: readonly string[]): Seed => ({
    file: `${folderOf(room)}/${name}.ts`,
    text: `import '${specifier}';\n`,
    rules,
  });
  const noNode = browser.includes(room)
    ? ['browser-rooms-know-no-node']
    : pure.includes(room)
      ? ['pure-rooms-do-no-io']
      : [];
  return [
    seed('reads-files', 'node:fs', noNode),
    seed('reads-files-old-name', 'fs', noNode),
    seed('digests', 'node:crypto', browser.includes(room) ? ['browser-rooms-know-no-node'] : []),
    seed('starts-processes', 'node:child_process', [...noNode, 'one-file-starts-processes']),
    seed('uses-execa', 'execa', ['one-file-starts-processes']),
    seed(
      'uses-xstate',
      'xstate',
      room === 'machines' ? [] : ['only-machines-and-lifecycle-know-xstate'],
    ),
    seed('uses-a-tool', 'vitest', ['source-runs-without-tools']),
    seed('imports-a-test', `${room === 'machines' ? '..' : '../..'}/test/target.ts`, [
      'source-never-imports-tests',
    ]),
    seed('imports-nothing', './nowhere.ts', ['every-import-resolves']),
  ];
});

const single: readonly Seed[] = [
  { file: 'src/decider/lifecycle.ts', text: `import 'xstate';\n`, rules: [] },
  {
    file: 'src/platform/subprocess.ts',
    text: `import 'execa';\nimport 'node:child_process';\n`,
    rules: [],
  },
  {
    file: 'src/domain/type-only.ts',
    text: `import type { T } from '../engine/target.ts';\nexport type U = T;\n`,
    rules: ['domain-looks-only-down'],
  },
  {
    file: 'src/engine/left.ts',
    text: `import type { R } from './right.ts';\nexport type L = R;\n`,
    rules: ['no-cycles'],
  },
  {
    file: 'src/engine/right.ts',
    text: `import type { L } from './left.ts';\nexport type R = L;\n`,
    // A cycle is reported once, at the first of its files.
    rules: [],
  },
];

describe('the tool that keeps the order of the rooms', () => {
  const seeds = [...everyPair, ...everyRoom, ...single];
  const folder = mkdtempSync(join(tmpdir(), 'casefile-rooms-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };

  test('reports every forbidden import by its rule, and is silent on every allowed one', () => {
    write('tsconfig.json', readFileSync(join(PROJECT, 'tsconfig.json'), 'utf8'));
    write(
      'package.json',
      JSON.stringify({
        name: 'seeded',
        type: 'module',
        dependencies: { xstate: '1', execa: '1' },
        devDependencies: { vitest: '1' },
      }),
    );
    for (const name of ['xstate', 'execa', 'vitest']) {
      write(
        `node_modules/${name}/package.json`,
        JSON.stringify({ name, version: '1.0.0', exports: './index.js' }),
      );
      write(`node_modules/${name}/index.js`, 'export {};\n');
    }
    write('test/target.ts', 'export {};\n');
    for (const room of names) write(`${folderOf(room)}/target.ts`, 'export type T = 1;\n');
    for (const seed of seeds) write(seed.file, seed.text);

    const reported = new Map<string, Set<string>>();
    for (const { from, rule } of cruise(folder)) {
      reported.set(from, (reported.get(from) ?? new Set()).add(rule.name));
    }
    const expected = seeds.map(({ file, rules }) => [file, rules.toSorted()]);
    const found = seeds.map(({ file }) => [file, [...(reported.get(file) ?? [])].toSorted()]);
    expect(found).toEqual(expected);
    // No rule without a seeded fault: a new rule needs one here. (The top may import everything.)
    const seeded = new Set(seeds.flatMap(({ rules }) => rules));
    expect(
      roomRules()
        .map(({ name }) => name)
        .filter((name) => !seeded.has(name) && name !== 'cli-looks-only-down'),
    ).toEqual([]);
  });

  test('counts the same rooms as pure that the linter and this page do', () => {
    const digesting = roomsOfRule('pure-rooms-do-no-io');
    expect(roomsOfRule('browser-rooms-know-no-node')).toEqual(browser);
    expect([...browser, ...digesting]).toEqual(pure);
  });
});

type Violation = { readonly from: string; readonly rule: { readonly name: string } };

const cruise = (folder: string): readonly Violation[] => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(PROJECT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
      '--config',
      join(PROJECT, '.dependency-cruiser.cjs'),
      '--output-type',
      'json',
      'src',
      'machines',
    ],
    { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (stdout === '') throw new Error(stderr);
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations;
};
