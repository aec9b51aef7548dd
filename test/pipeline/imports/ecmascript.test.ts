import { describe, expect, test } from 'vitest';
import { readEcmascript } from '../../../src/pipeline/imports/ecmascript.ts';

const read = (path: string, text: string) => readEcmascript({ path, text, withDefinitions: false });

const imports = (path: string, text: string): readonly string[] =>
  read(path, text).imports.map(({ kind, specifier, line }) => `${kind} ${specifier} ${line}`);

describe('imports', () => {
  test('every form is found, in order, with its line', () => {
    const text = [
      "import { a } from './a.ts';",
      "import type { T } from './types.ts';",
      "import { type U } from './more-types.ts';",
      "import './effect.ts';",
      "export * from './all.ts';",
      "export { b } from './b.ts';",
      "export type { V } from './v.ts';",
      "const lazy = () => import('./lazy.ts');",
      'const unknown = (name: string) => import(`./${name}.ts`);',
    ].join('\n');
    expect(imports('x.ts', text)).toEqual([
      'import ./a.ts 1',
      'type ./types.ts 2',
      'type ./more-types.ts 3',
      'import ./effect.ts 4',
      'import ./all.ts 5',
      'import ./b.ts 6',
      'type ./v.ts 7',
      'dynamic ./lazy.ts 8',
    ]);
  });

  test('require calls count, commented ones and methods do not', () => {
    const text = [
      "const a = require('./é');",
      "// require('./comment');",
      '/* require(\'./block\') */ const b = require("./b");',
      "proxy.require('./method'); my_require('./other'); require(name);",
    ].join('\n');
    expect(imports('x.js', text)).toEqual(['require ./é 1', 'require ./b 3']);
  });

  test('what looks like a require in text, templates or markup is none', () => {
    const text = [
      'const a = "require(\'./a\')", b = `require("./b") ${require(\'./c\')}`;',
      'const d = <p>require("./d")</p>, e = /require("e")/;',
      'const f = { ...require("./f") }, g = new (require("./g"))(require.resolve("./h"));',
    ].join('\n');
    expect(imports('x.js', text)).toEqual([
      'require ./c 1',
      'require ./f 3',
      'require ./g 3',
      'require ./h 3',
    ]);
  });

  test('a file that makes its own require still tells what it requires', () => {
    const text =
      'function require(name) { return name; }\nnew require("./a");\nrequire("./b", 1, 2);';
    expect(imports('x.js', text)).toEqual(['require ./b 3']);
  });

  test('TypeScript has forms of its own', () => {
    const text = [
      "import a = require('./a.cjs');",
      "import type b = require('./b.cjs');",
      "export import c = require('./c.cjs');",
      'import d = a.inner;',
      "let e: import('./e').E, f: typeof import('./f');",
      "declare module './g' { interface G {} }",
    ].join('\n');
    expect(imports('x.ts', text)).toEqual([
      'require ./a.cjs 1',
      'type ./b.cjs 2',
      'require ./c.cjs 3',
      'type ./e 5',
      'type ./f 5',
      'type ./g 6',
    ]);
  });

  test('a module that is declared tells what it imports inside, and only in a module whom it adds to', () => {
    const declared = [
      "declare module 'virtual:x' {",
      "  import type { A } from './a';",
      "  export { B } from './b';",
      "  export * from './c';",
      '  export const d: A;',
      '}',
    ].join('\n');
    const inside = ['type ./a 2', 'type ./b 3', 'type ./c 4'];
    expect(imports('x.d.ts', declared)).toEqual(inside);
    expect(imports('x.ts', `${declared}\nexport {};\n`)).toEqual(['type virtual:x 1', ...inside]);
  });

  test('references of a declaration file are relative to it', () => {
    const text = '/// <reference path="other.d.ts" />\n/// <reference types="node" />\n';
    expect(imports('x.d.ts', text)).toEqual(['type other.d.ts 1']);
  });

  test('a file that does not parse still tells what stands before the error', () => {
    expect(imports('x.ts', "import './a';\nconst = ;\n").slice(0, 1)).toEqual(['import ./a 1']);
  });
});

describe('syntax errors', () => {
  test.each([
    ['a CommonJS script that returns', 'x.js', "if (done) return;\nconst a = require('./a');"],
    ['a sloppy script', 'x.js', 'with (o) { f(); }'],
    ['JSX in a .js file', 'x.js', 'const a = <b>{c}</b>;'],
    ['top-level await', 'x.mjs', 'await f();'],
    ['types', 'x.ts', 'const a = <T,>(b: T): T => b satisfies T;'],
    ['declarations', 'x.d.ts', 'export const a: number;\ndeclare module "x" {}'],
    ['Flow types, which are none of ours', 'x.js', '/* @flow */\ntype A = {| +a: ?string |};'],
    ['a shebang', 'x.js', '#!/usr/bin/env node\nf();'],
  ])('%s parses', (_, path, text) => {
    expect(read(path, text).syntaxErrors).toEqual([]);
  });

  test('an error stands at its line', () => {
    const [error] = read('x.ts', 'const a = 1;\nconst ü = ;\n').syntaxErrors;
    expect(error).toMatchObject({ line: 2, message: expect.any(String) });
  });
});
