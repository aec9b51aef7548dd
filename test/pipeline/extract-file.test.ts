import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textOf } from '../../src/pipeline/content.ts';
import { extractDefinitions, extractFile } from '../../src/pipeline/extract-file.ts';
import { fileFacts } from '../../src/pipeline/file-facts.ts';
import { deriveImportGraph } from '../../src/pipeline/import-graph.ts';
import { factsOf } from '../helpers/import-graph-of.ts';
import { readFolder } from '../helpers/graph-oracle.ts';

const LANGUAGES: readonly (readonly [language: string, path: string])[] = [
  ['C', 'x.c'],
  ['C++', 'x.cpp'],
  ['C#', 'x.cs'],
  ['Go', 'x.go'],
  ['Java', 'x.java'],
  ['JavaScript', 'x.js'],
  ['Kotlin', 'x.kt'],
  ['PHP', 'x.php'],
  ['Python', 'x.py'],
  ['Ruby', 'x.rb'],
  ['Rust', 'x.rs'],
  ['Svelte', 'x.svelte'],
  ['TSX', 'x.tsx'],
  ['TypeScript', 'x.d.ts'],
  ['TypeScript', 'x.ts'],
  ['Vue', 'x.vue'],
  ['JSON', 'package.json'],
  ['JSON', 'tsconfig.json'],
  ['JSON', 'composer.json'],
  ['TOML', 'Cargo.toml'],
  ['TOML', 'pyproject.toml'],
  ['INI', 'setup.cfg'],
  ['YAML', 'pnpm-workspace.yaml'],
  ['Go Module', 'go.mod'],
];

/** Pieces that mean something to some parser, in no order, among any bytes. */
const pieces = fc.constantFrom(
  ...[
    'import ',
    'from ',
    '"./a"',
    "'b'",
    '`',
    'require(',
    '{',
    '}',
    '(',
    ')',
    '*',
    ';',
    '\n',
    '\r\n',
  ],
  ...[
    'use ',
    'mod ',
    '::',
    'super',
    '#include <',
    '>',
    'namespace ',
    '\\',
    'class A',
    'def f',
    ':',
  ],
  ...[
    '<script',
    '</script>',
    '<!--',
    '-->',
    '<?php ',
    '?>',
    'export ',
    'type ',
    '[',
    ']',
    '=',
    '//',
  ],
  ...[
    '"""',
    '/*',
    '*/',
    '\ufeff',
    '\0',
    'é',
    '😀',
    'package ',
    '.',
    '@',
    '#',
    '\t',
    '---',
    ': - &a *a',
  ],
);
const texts = fc.oneof(
  fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
  fc.uint8Array({ maxLength: 200 }).map(textOf),
);

describe('extraction', () => {
  test('takes any bytes, and all of its lines are lines of the file', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...LANGUAGES), texts, async ([language, path], text) => {
        const facts = fileFacts.parse(await extractFile({ path, language, text }));
        const definitions = (await extractDefinitions({ path, language, text })) ?? [];
        const last = Math.max(text.replace(/\n$/, '').split('\n').length, 1);
        const lines = [
          ...[...facts.imports, ...facts.mentions, ...facts.syntaxErrors].map(({ line }) => line),
          ...definitions.flatMap(({ line, endLine }) => [line, endLine]),
        ];
        expect(Math.max(1, ...lines)).toBeLessThanOrEqual(last);
        for (const { line, endLine } of definitions) expect(endLine).toBeGreaterThanOrEqual(line);
      }),
      { numRuns: 1500 },
    );
  });

  test('says nothing of other languages', async () => {
    expect(await extractFile({ path: 'a.css', language: 'CSS', text: '@import "b";' })).toBe(
      undefined,
    );
  });

  test('a file that ends too early has its error in its last line', async () => {
    for (const [language, path] of [
      ['JavaScript', 'x.js'],
      ['Python', 'x.py'],
    ] as const) {
      const facts = await extractFile({ path, language, text: 'a = 1\nb = (\n' });
      expect(facts?.syntaxErrors.at(-1)?.line).toBe(2);
    }
  });

  test('nesting that no person writes ends in no facts, and not in the end of the process', async () => {
    const text = `a = ${'['.repeat(200_000)}`;
    expect(await extractFile({ path: 'x.js', language: 'JavaScript', text })).toBe(undefined);
    expect(await extractFile({ path: 'x.c', language: 'C', text })).toMatchObject({ imports: [] });
  });

  test('facts come back from JSON as they were', async () => {
    const facts = await factsOf(readFolder('fixtures/repos/imports-typescript', /./));
    for (const fact of facts.values()) {
      expect(fileFacts.parse(JSON.parse(JSON.stringify(fact)))).toEqual(
        JSON.parse(JSON.stringify(fact)),
      );
    }
  });

  test('neither the order of paths nor of facts changes the graph', async () => {
    const files = {
      ...readFolder('fixtures/repos/imports-python', /./),
      ...readFolder('fixtures/repos/imports-java', /./),
      ...readFolder('fixtures/repos/imports-c', /./),
    };
    const facts = await factsOf(files);
    const expected = deriveImportGraph(Object.keys(files), facts);
    const entries = fc.shuffledSubarray([...facts], { minLength: facts.size });
    const paths = fc.shuffledSubarray(Object.keys(files), {
      minLength: Object.keys(files).length,
    });
    fc.assert(
      fc.property(entries, paths, (shuffled, listed) => {
        expect(deriveImportGraph(listed, new Map(shuffled))).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });
});

const shown = async (path: string, language: string, text: string): Promise<readonly string[]> =>
  ((await extractDefinitions({ path, language, text })) ?? []).map(
    ({ name, kind, line, endLine, depth }) =>
      `${'  '.repeat(depth)}${kind} ${name} ${line}-${endLine}`,
  );

describe('definitions', () => {
  test.each([
    [
      'TypeScript',
      'x.ts',
      [
        '@marked',
        'export class Store {',
        '  size = 0;',
        '  save(): void {',
        '    const inner = 1;',
        '  }',
        '  load = () => 1;',
        '}',
        'export const top = 1, run = async () => {',
        '  function deep() {}',
        '};',
        'interface Shape { area: number }',
        'export default function () {}',
        'namespace Space { export type Id = string; }',
        'exports.named = function () {};',
      ],
      [
        'class Store 1-8',
        '  constant size 3-3',
        '  method save 4-6',
        '  method load 7-7',
        'constant top 9-9',
        'function run 9-11',
        '  function deep 10-10',
        'interface Shape 12-12',
        'function default 13-13',
        'module Space 14-14',
        '  type Id 14-14',
        'function named 15-15',
      ],
    ],
    [
      'Python',
      'x.py',
      [
        '@marked',
        'class Store:',
        '    def save(self):',
        '        def deep(): pass',
        '',
        'async def run():',
        '    pass',
      ],
      ['class Store 1-4', '  method save 3-4', '    function deep 4-4', 'function run 6-7'],
    ],
    [
      'Go',
      'x.go',
      [
        'package a',
        'type Store struct {',
        '}',
        'func (s *Store) Save() {',
        '\tconst inner = 1',
        '}',
        'const A, B = 1, 2',
      ],
      ['type Store 2-3', 'method Save 4-6', 'constant A 7-7', 'constant B 7-7'],
    ],
    [
      'Rust',
      'x.rs',
      [
        'mod inner {',
        '    pub struct Store;',
        '    impl Saves for Store {',
        '        fn save(&self) {}',
        '    }',
        '}',
      ],
      [
        'module inner 1-6',
        '  class Store 2-2',
        '  class Saves for Store 3-5',
        '    method save 4-4',
      ],
    ],
    [
      'C++',
      'x.cpp',
      [
        'namespace a {',
        'class Store : public Base {',
        '  int size() { return 1; }',
        '};',
        '}',
        'int *(*a::Store::run)(int x) {',
        '}',
        'struct used *other(void) { }',
      ],
      [
        'module a 1-5',
        '  class Store 2-4',
        '    method size 3-3',
        'function a::Store::run 6-7',
        'function other 8-8',
      ],
    ],
    [
      'Ruby',
      'x.rb',
      [
        'module Shop',
        '  class Store < Base',
        '    def save; end',
        '    def self.open',
        '    end',
        '  end',
        'end',
      ],
      ['module Shop 1-7', '  class Store 2-6', '    method save 3-3', '    method open 4-5'],
    ],
    [
      'Kotlin',
      'x.kt',
      [
        'package a',
        'interface Shape',
        'class Store {',
        '    val size = 1',
        '    fun save() {}',
        '}',
        'enum class Kind { A }',
      ],
      [
        'interface Shape 2-2',
        'class Store 3-6',
        '  constant size 4-4',
        '  method save 5-5',
        'enum Kind 7-7',
      ],
    ],
  ])('of %s are named, nested and in their lines', async (language, path, text, expected) => {
    expect(await shown(path, language, text.join('\n'))).toEqual(expected);
  });
});

test.each(['a.js', 'a.ts', 'a.vue'])(
  'a long script says with its facts what it defines, the same as when it is asked for that alone: %s',
  async (path) => {
    const body = Array.from({ length: 2500 }, (_, at) => `function f${at}() {\n  return 1;\n}\n`);
    const text = path.endsWith('.vue') ? `<script>\n${body.join('')}</script>\n` : body.join('');
    const language = { js: 'JavaScript', ts: 'TypeScript', vue: 'Vue' }[path.slice(2)] ?? '';
    const facts = await extractFile({ path, language, text });
    const asked = await extractDefinitions({ path, language, text });
    expect(asked).toHaveLength(2500);
    // A component's facts leave them out, however long it is.
    expect(facts?.definitions).toEqual(path.endsWith('.vue') ? undefined : asked);
  },
);

test('a script that is larger than any person keeps is not given to the parser', async () => {
  const text = `// ${'x'.repeat(4_000_000)}`;
  expect(await extractFile({ path: 'a.js', language: 'JavaScript', text })).toBe(undefined);
});

test.each([
  ['a.cs', 'C#', `using A.B;\n${'#if A\n'.repeat(8000)}`],
  ['a.go', 'Go', `package a\nimport "b"\nvar x = a${'.b()'.repeat(8000)}`],
  ['a.go', 'Go', `package a\nimport "b"\nfunc f() {\n${'if (a) { '.repeat(8000)}`],
  ['a.php', 'PHP', `<?php use B; ${'if ($a) { A::b(); '.repeat(4000)}`],
])('a tree that is deep as a list is read all the same: %s (%s)', async (path, language, text) => {
  expect((await extractFile({ path, language, text }))?.imports).toHaveLength(1);
});
