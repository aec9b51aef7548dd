import { describe, expect, test } from 'vitest';
import { deriveFlows } from '../../../src/pipeline/shape/flows.ts';
import { deriveHistory } from '../../../src/pipeline/shape/history.ts';
import { createOwners } from '../../../src/pipeline/shape/owners.ts';
import { shape as shapeSchema } from '../../../src/pipeline/shape/shape.ts';
import { deriveTestLinks } from '../../../src/pipeline/shape/test-links.ts';
import { shaped } from '../../helpers/shaped.ts';

const json = (value: unknown): string => `${JSON.stringify(value)}\n`;

const SHOP = {
  'package.json': json({
    name: 'shop',
    main: './dist/index.js',
    bin: { shop: './bin/shop.js' },
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './x': './src/x.ts',
    },
    scripts: { seed: 'tsx scripts/seed.ts --all', test: 'vitest run' },
    dependencies: { express: '1' },
  }),
  'bin/shop.js': "#!/usr/bin/env node\nrequire('../src/server');\n",
  'scripts/seed.ts': 'export {};\n',
  'src/index.ts': "export * from './server';\n",
  'src/x.ts': 'export const x = 1;\n',
  'src/server.ts': [
    "import express from 'express';",
    "import { show } from './orders/show';",
    'export const app = express();',
    "app.get('/orders/:id', show);",
    '',
  ].join('\n'),
  'src/orders/show.ts': "import { find } from './store';\nexport const show = () => find();\n",
  'src/orders/store.ts': "import pg from 'pg';\nexport const find = () => pg.query('');\n",
  'src/orders/store.test.ts': "import { find } from './store';\nfind();\n",
  'test/server.test.ts': [
    "import express from 'express';",
    'const app = express();',
    "app.get('/only-in-a-test', () => {});",
    '',
  ].join('\n'),
  'src/api/plain.ts': 'export const GET = () => 1;\n',
} as const;

describe('the shape of a small shop', () => {
  test('manifests lead to the files that their entries are built from', async () => {
    const { shape } = await shaped(SHOP);
    expect(
      shape.manifestEdges.map(({ path, kind, confidence }) => `${kind} ${path} ${confidence}`),
    ).toEqual([
      'bin bin/shop.js 1',
      'script scripts/seed.ts 1',
      'export src/index.ts 0.7',
      'main src/index.ts 0.7',
      'export src/x.ts 1',
    ]);
  });

  test('tests are never entrances, and a folder called api is no route (W29, W36)', async () => {
    const { shape } = await shaped(SHOP);
    expect(
      shape.surfaces.map(({ kind, path, line, name }) => `${kind} ${path}:${line} ${name}`),
    ).toEqual([
      'command bin/shop.js:1 shop',
      'api src/index.ts:1 .',
      'route src/server.ts:4 GET /orders/:id',
      'api src/x.ts:1 ./x',
    ]);
  });

  test('a route of Next counts only where a package needs Next', async () => {
    const route = { 'app/users/[id]/route.ts': 'export async function GET() {}\n' };
    expect((await shaped(route)).shape.surfaces).toEqual([]);
    const { shape } = await shaped({
      ...route,
      'pages/api/mail.ts': 'export default function handler() {}\n',
      'package.json': json({ dependencies: { next: '1' } }),
    });
    expect(shape.surfaces.map(({ name }) => name)).toEqual(['GET /users/[id]', 'ANY /api/mail']);
  });

  test('flows go from entrances along imports to what matters, and say why (W37)', async () => {
    const { shape } = await shaped(SHOP);
    const flow = shape.flows.find(({ surface }) => surface.path === 'src/server.ts');
    expect(flow).toEqual({
      surface: { kind: 'route', path: 'src/server.ts', line: 4, name: 'GET /orders/:id' },
      sink: {
        kind: 'persistence',
        path: 'src/orders/store.ts',
        line: 1,
        name: 'pg',
        confidence: 0.9,
      },
      path: ['src/server.ts', 'src/orders/show.ts', 'src/orders/store.ts'],
      confidence: 0.729,
    });
  });

  test('tests are linked by name and by import', async () => {
    const { shape } = await shaped(SHOP);
    expect(shape.tests.map(({ test: from, source, by }) => `${from} ${source} ${by}`)).toEqual([
      'src/orders/store.test.ts src/orders/store.ts name',
      'test/server.test.ts src/server.ts name',
    ]);
    expect(shape.untested).toEqual([
      'bin/shop.js',
      'scripts/seed.ts',
      'src/api/plain.ts',
      'src/index.ts',
      'src/x.ts',
    ]);
  });

  test('what is entered and reaches data is riskier than what is not (W43)', async () => {
    const { shape } = await shaped(SHOP);
    const score = new Map(shape.risk.files.map((file) => [file.path, file.score]));
    const of = (path: string): number => score.get(path) ?? -1;
    expect(of('src/orders/store.ts')).toBeGreaterThan(of('src/api/plain.ts'));
    expect(of('src/server.ts')).toBeGreaterThan(of('src/x.ts'));
    expect(of('src/x.ts')).toBeGreaterThan(of('test/server.test.ts'));
  });

  test('the same tree has the same shape in any order of its files, and is what the log can hold', async () => {
    const { shape, structure, design } = await shaped(SHOP);
    const again = await shaped(Object.fromEntries(Object.entries(SHOP).toReversed()));
    expect(again).toEqual({ shape, structure, design });
    expect(shapeSchema.parse(JSON.parse(JSON.stringify(shape)))).toEqual(shape);
  });

  test('other files change nothing about these', async () => {
    const before = await shaped(SHOP);
    const after = await shaped({ ...SHOP, 'docs/more.md': '# More\n' });
    expect(after.shape.flows).toEqual(before.shape.flows);
    expect(after.shape.risk.files.filter(({ path }) => path !== 'docs/more.md')).toEqual(
      before.shape.risk.files,
    );
  });
});

test.each([
  ['pkg/cart.py', 'tests/test_cart.py'],
  ['src/pkg/cart.py', 'tests/unit/pkg/test_cart.py'],
  ['src/main/java/a/Cart.java', 'src/test/java/a/CartTest.java'],
  ['a/cart.go', 'a/cart_test.go'],
  ['lib/cart.rb', 'spec/cart_spec.rb'],
  ['src/Cart.cs', 'test/CartTests.cs'],
  ['src/Cart.php', 'tests/CartTest.php'],
  ['src/cart.vue', 'src/__tests__/cart.spec.ts'],
  ['lib/cart.js', 'test/cart.js'],
])('%s is what %s tests, by name', (source, from) => {
  const files = new Map([
    [source, { isTest: false }],
    [from, { isTest: true }],
  ]);
  expect(deriveTestLinks(files, [])).toMatchObject([{ test: from, source, by: 'name' }]);
});

test('a name that fits several files links to the one beside it, or to none', () => {
  const files = new Map([
    ['a/index.ts', { isTest: false }],
    ['b/index.ts', { isTest: false }],
    ['a/index.test.ts', { isTest: true }],
    ['test/index.test.ts', { isTest: true }],
  ]);
  expect(deriveTestLinks(files, [])).toMatchObject([
    { test: 'a/index.test.ts', source: 'a/index.ts' },
  ]);
});

test('two mirrors are one too many, and the bare name of a source says nothing elsewhere', () => {
  const files = new Map([
    ['src/a/x.ts', { isTest: false }],
    ['lib/a/x.ts', { isTest: false }],
    ['src/b/cart.ts', { isTest: false }],
    ['test/a/x.test.ts', { isTest: true }],
    ['test/c/cart.ts', { isTest: true }],
  ]);
  expect(deriveTestLinks(files, [])).toEqual([]);
});

test('flows are bounded by entrances and kinds of sinks, never by pairs of files (W37)', () => {
  const surfaces = Array.from({ length: 300 }, (_, index) => ({
    path: `s${index}`,
    kind: 'route' as const,
    line: 1,
    name: 'GET /',
    framework: 'x',
    confidence: 1,
  }));
  const sinks = new Map(
    Array.from({ length: 300 }, (_, index) => [
      `k${index}`,
      [{ kind: 'persistence' as const, line: 1, name: 'pg', confidence: 0.9 }],
    ]),
  );
  const edges = surfaces.flatMap(({ path }) =>
    [...sinks.keys()].map((to) => ({ from: path, to, kind: 'import' as const, line: 1 })),
  );
  const { flows, leftOut } = deriveFlows({ surfaces, sinks, edges, isOutside: () => false });
  expect(flows).toHaveLength(300);
  expect(leftOut).toBe(0);
});

describe('history', () => {
  const commit = (author: string, ...paths: readonly string[]) => ({ author, paths });
  const files = new Set(['a.js', 'b.js', 'c.js']);

  test('counts commits and people of files that are still there', () => {
    const { files: found } = deriveHistory({
      state: 'whole',
      isCut: false,
      files,
      commits: [commit('x', 'a.js', 'gone.js'), commit('y', 'a.js'), commit('x', 'b.js')],
    });
    expect(found).toEqual([
      { path: 'a.js', commits: 2, authors: 2 },
      { path: 'b.js', commits: 1, authors: 1 },
    ]);
  });

  test('files that mostly change together are told, those of bulk commits are not', () => {
    const many = Array.from({ length: 30 }, (_, index) => `m${index}.js`);
    const { together } = deriveHistory({
      state: 'whole',
      isCut: false,
      files: new Set([...files, ...many]),
      commits: [
        ...Array.from({ length: 5 }, () => commit('x', 'a.js', 'b.js')),
        commit('x', 'a.js'),
        ...Array.from({ length: 5 }, () => commit('x', 'c.js', ...many)),
      ],
    });
    expect(together).toEqual([{ paths: ['a.js', 'b.js'], commits: 5, share: 1 }]);
  });
});

test('the last pattern that fits says who owns a file', () => {
  const owners = createOwners('# all\n* @all\n/src/ @src @two # why\n/src/secret/\n*.md\n');
  expect(owners('a.js')).toEqual(['@all']);
  expect(owners('src/a.js')).toEqual(['@src', '@two']);
  expect(owners('src/secret/a.js')).toEqual([]);
  expect(createOwners('')('a.js')).toBeUndefined();
});
