import { describe, expect, test } from 'vitest';
import { extractModule } from '../../src/pipeline/modules.ts';

const imports = (path: string, text: string): readonly string[] =>
  extractModule(path, text).imports.map(
    ({ kind, specifier, line }) => `${kind} ${specifier} ${line}`,
  );

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
    expect(extractModule(path, text).syntaxErrors).toEqual([]);
  });

  test('an error stands at its line', () => {
    const [error] = extractModule('x.ts', 'const a = 1;\nconst ü = ;\n').syntaxErrors;
    expect(error).toMatchObject({ line: 2, message: expect.any(String) });
  });
});
