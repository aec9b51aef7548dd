import { describe, expect, test } from 'vitest';
import { designAssessment } from '../../src/pipeline/design-assessment.ts';
import {
  EVIDENCE_MAX,
  PER_RULE_MAX,
  type Assessment,
} from '../../src/pipeline/design/assessment.ts';
import { assessCycles } from '../../src/pipeline/design/cycles.ts';
import { assessHubs } from '../../src/pipeline/design/hubs.ts';
import type { ImportEdge } from '../../src/pipeline/import-edge.ts';
import { shaped } from '../helpers/shaped.ts';

type Files = Parameters<typeof shaped>[0];

const rulesIn = async (files: Files, more?: Parameters<typeof shaped>[1]) =>
  (await shaped(files, more)).design.assessments;

const shown = ({ rule, paths, evidence }: Assessment): string =>
  `${rule} ${paths.join(' ')}: ${evidence.map(({ path, line }) => `${path}:${line}`).join(' ')}`;

const json = (value: unknown): string => `${JSON.stringify(value)}\n`;

const edge = (from: string, to: string, kind: ImportEdge['kind'] = 'import'): ImportEdge => ({
  from,
  to,
  kind,
  line: 1,
});

describe('cycles', () => {
  test('of files that import each other while they load, with the lines that do it (W48)', async () => {
    const found = await rulesIn({
      'a.js': "\nrequire('./b');\n",
      'b.js': "require('./c');\n",
      'c.js': "\n\nrequire('./a');\n",
      'd.js': "require('./a');\n",
    });
    expect(found.map(shown)).toEqual(['loading-cycle a.js b.js c.js: a.js:2 b.js:1 c.js:3']);
  });

  test('are not made by types, declarations or the file itself', async () => {
    const found = await rulesIn({
      'a.ts':
        "import { b } from './b';\nimport type { A } from './a';\nexport type A = typeof b;\n",
      'b.ts': "import type { A } from './a';\nexport const b: A | 1 = 1;\n",
      'c.d.ts': "import { D } from './d';\nexport type C = D;\n",
      'd.d.ts': "import { C } from './c';\nexport type D = C;\n",
    });
    expect(found).toEqual([]);
  });

  test('through an import that runs later are told apart', async () => {
    const found = await rulesIn({
      'a.ts': "import './b';\n",
      'b.ts': "export const late = () => import('./a');\n",
    });
    expect(found.map(shown)).toEqual(['deferred-cycle b.ts a.ts: b.ts:1 a.ts:1']);
  });

  test('in languages with packages are those of packages, not of their files', () => {
    const java = [edge('p/A.java', 'p/B.java'), edge('p/B.java', 'p/A.java')];
    expect(assessCycles(java)).toEqual([]);
    const between = [edge('p/A.java', 'q/B.java'), edge('q/C.java', 'p/D.java')];
    expect(assessCycles(between)).toMatchObject([
      { rule: 'package-cycle', paths: ['p/A.java', 'q/C.java'], figures: { packages: 2 } },
    ]);
  });
});

describe('hubs', () => {
  const star = (many: number): readonly ImportEdge[] => [
    ...Array.from({ length: many }, (_, index) => edge(`in${index}.js`, 'hub.js')),
    ...Array.from({ length: many }, (_, index) => edge('hub.js', `out${index}.js`)),
  ];

  test('are needed by many and need many; figures say how many', () => {
    expect(assessHubs(star(20), () => 500)).toMatchObject([
      { rule: 'hub', paths: ['hub.js'], figures: { fanIn: 20, fanOut: 20 } },
    ]);
    expect(assessHubs(star(5), () => 500)).toEqual([]);
  });

  test('are no lists of exports', () => {
    expect(assessHubs(star(20), () => 21)).toEqual([]);
  });

  test('are found in large repositories too, where many others are as tangled', () => {
    const tangled = Array.from({ length: 400 }, (_, index) =>
      Array.from({ length: 60 }, (__, step) =>
        edge(`f${index}.js`, `f${(index + step + 1) % 400}.js`),
      ),
    ).flat();
    // A tenth of the files need so many that none of the others is unusual beside them.
    const more = Array.from({ length: 40 }, (_, index) =>
      Array.from({ length: 150 }, (__, step) =>
        edge(`f${index * 10}.js`, `f${(index * 10 + 61 + 2 * step) % 400}.js`),
      ),
    ).flat();
    expect(assessHubs([...tangled, ...more], () => 2000).length).toBe(400);
  });
});

describe('layering', () => {
  test('code that ships does not load tests', async () => {
    const found = await rulesIn({
      'src/a.js': "\nrequire('../test/helper');\n",
      'test/helper.js': 'x;\n',
      'test/b.test.js': "require('./helper');\n",
      'examples/c.js': "require('../test/helper');\n",
    });
    expect(found.map(shown)).toEqual(['source-needs-test src/a.js test/helper.js: src/a.js:2']);
  });

  test('packages name what they use of each other, and do not reach inside', async () => {
    const found = await rulesIn({
      'package.json': json({ name: 'root', workspaces: ['packages/*'] }),
      'packages/a/package.json': json({ name: '@x/a', dependencies: { '@x/b': '*' } }),
      'packages/a/src/a.ts': "import '@x/b';\nimport '@x/c';\nimport '../../b/src/inner';\n",
      'packages/b/package.json': json({ name: '@x/b', main: './src/b.ts' }),
      'packages/b/src/b.ts': 'export {};\n',
      'packages/b/src/inner.ts': 'export {};\n',
      'packages/c/package.json': json({ name: '@x/c', main: './src/c.ts' }),
      'packages/c/src/c.ts': 'export {};\n',
    });
    expect(found.map(shown)).toEqual([
      'undeclared-package packages/a/src/a.ts packages/c/src/c.ts: packages/a/src/a.ts:2',
      'reaches-into-package packages/a/src/a.ts packages/b/src/inner.ts: packages/a/src/a.ts:3',
    ]);
  });

  test('packages that need each other are told', async () => {
    const found = await rulesIn({
      'package.json': json({ name: 'root', workspaces: ['packages/*'] }),
      'packages/a/package.json': json({ name: 'a', main: 'x.js', dependencies: { b: '*' } }),
      'packages/a/x.js': "require('b');\n",
      'packages/a/y.js': 'x;\n',
      'packages/b/package.json': json({ name: 'b', main: 'x.js', dependencies: { a: '*' } }),
      'packages/b/x.js': 'x;\n',
      'packages/b/y.js': "require('a');\n",
    });
    expect(found.map(shown)).toEqual([
      'package-cycle packages/a/x.js packages/b/y.js: packages/a/x.js:1 packages/b/y.js:1',
    ]);
  });

  test("the user's boundaries hold for types too", async () => {
    const files = {
      'src/domain/a.ts': "import type { B } from '../web/b';\nexport type A = B;\n",
      'src/web/b.ts': "import '../domain/a';\nexport type B = 1;\n",
    };
    const found = await rulesIn(files, { boundaries: [{ from: 'src/domain/', to: 'src/web/' }] });
    expect(found.map(shown)).toEqual([
      'forbidden-dependency src/domain/a.ts src/web/b.ts: src/domain/a.ts:1',
    ]);
  });
});

const route = (file: string): string =>
  `const app = require('express')();\nconst s = require('./${file}');\napp.get('/x', s);\n`;

describe('untested flows', () => {
  test('are entrances that lead to data with no test near; tested ones are not told (W49)', async () => {
    const found = await rulesIn({
      'one.js': route('one-store'),
      'one-store.js': "require('pg');\n",
      'two.js': route('two-store'),
      'two-store.js': "require('pg');\n",
      'three.js': route('three-store'),
      'three-store.js': "require('pg');\n",
      'test/two.test.js': "require('../two');\n",
      'test/three-store.test.js': 'x;\n',
    });
    expect(found.map(shown)).toEqual([
      'untested-flow one.js one-store.js: one.js:3 one-store.js:1',
    ]);
  });

  test('are one sentence where there is no test at all', async () => {
    const found = await rulesIn({
      'one.js': route('store'),
      'two.js': route('store'),
      'store.js': "require('pg');\n",
    });
    expect(found).toMatchObject([{ rule: 'no-tests', figures: { flows: 2 } }]);
  });
});

test('a file that is far larger than its like and needed by many is told with the bounds', async () => {
  const others = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `f${index}.js`,
      index < 12 ? "require('./god');\n" : 'x;\n',
    ]),
  );
  const god = `require('fs');require('child_process');require('pg');\n${'x;\n'.repeat(900)}`;
  const found = await rulesIn({ ...others, 'god.js': god, 'long.js': 'x;\n'.repeat(950) });
  expect(found).toMatchObject([
    {
      rule: 'god-file',
      paths: ['god.js'],
      figures: { lines: 901, fanIn: 12, sinkKinds: 3 },
    },
  ]);
});

test('equal stretches are told by pairs of files with all their lines', async () => {
  const at = (path: string, line: number) => ({ path, line, endLine: line + 19 });
  const duplicates = [
    { first: at('a.js', 1), second: at('b.js', 5), tokens: 150 },
    { first: at('a.js', 40), second: at('b.js', 50), tokens: 120 },
  ];
  const found = await rulesIn({ 'a.js': 'x;\n', 'b.js': 'y;\n' }, { duplicates });
  expect(found).toMatchObject([
    {
      rule: 'duplication',
      paths: ['a.js', 'b.js'],
      figures: { lines: 40, stretches: 2, tokens: 270 },
    },
  ]);
});

test('files that change together without an import between them are told', async () => {
  const together = [
    { paths: ['a/x.js', 'b/y.js'] as [string, string], commits: 9, share: 0.9 },
    { paths: ['a/x.js', 'c/z.js'] as [string, string], commits: 9, share: 0.9 },
  ];
  const history = { state: 'whole' as const, commits: 50, isCut: false, files: [], together };
  const found = await rulesIn(
    { 'a/x.js': "require('../c/z');\n", 'b/y.js': 'x;\n', 'c/z.js': 'x;\n' },
    { history },
  );
  expect(found.map(shown)).toEqual(['changes-together a/x.js b/y.js: ']);
});

test('of many of one rule the strongest stay and the others are counted; each can be checked', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 15 }, (_, index) => [
      [`g${index}/a.js`, "require('./b');\n"],
      [`g${index}/b.js`, "require('./a');\n"],
    ]).flat(),
  );
  const { design } = await shaped(files);
  expect(design.assessments).toHaveLength(PER_RULE_MAX);
  expect(design.leftOut).toEqual([{ rule: 'loading-cycle', count: 5 }]);
  for (const { evidence, figures } of design.assessments) {
    expect(evidence.length).toBeGreaterThan(0);
    expect(evidence.length).toBeLessThanOrEqual(EVIDENCE_MAX);
    expect(Object.keys(figures).length).toBeGreaterThan(0);
  }
  expect(designAssessment.parse(JSON.parse(JSON.stringify(design)))).toEqual(design);
});

test('an assessment of an earlier version still reads', () => {
  expect(designAssessment.parse({ cycles: [], hubs: [] })).toEqual({
    assessments: [],
    leftOut: [],
  });
});
