import { describe, expect, test } from 'vitest';
import { readModules } from '../../src/analyzers/read-tree.ts';
import { takeInventory } from '../../src/analyzers/take-inventory.ts';
import { deriveDisposition } from '../../src/pipeline/disposition.ts';
import { deriveStructure, type Structure } from '../../src/pipeline/structure.ts';
import { createSimulatedSourceTree, type SimulatedFile } from '../helpers/simulated-source-tree.ts';

const structureOf = async (files: Readonly<Record<string, SimulatedFile>>): Promise<Structure> => {
  const source = createSimulatedSourceTree(files);
  const inventory = await takeInventory(source);
  const disposition = deriveDisposition(inventory, { include: [], exclude: [] });
  const { modules } = await readModules(source, inventory, disposition);
  return deriveStructure({ inventory, disposition, modules });
};

describe('units', () => {
  test('each included file is in exactly one, by folder and package', async () => {
    const { units } = await structureOf({
      'package.json': '{}\n',
      'src/a.ts': 'x;\n',
      'src/store/b.ts': 'x;\n',
      'src/store/deep/c.ts': 'x;\n',
      'packages/one/package.json': '{}\n',
      'packages/one/src/inner/deep/d.ts': 'x;\n',
      'yarn.lock': 'skipped\n',
    });
    expect(units).toEqual([
      { id: '.', files: ['package.json'] },
      { id: 'packages/one', files: ['packages/one/package.json'] },
      { id: 'packages/one/src/inner', files: ['packages/one/src/inner/deep/d.ts'] },
      { id: 'src', files: ['src/a.ts'] },
      { id: 'src/store', files: ['src/store/b.ts', 'src/store/deep/c.ts'] },
    ]);
  });
});

describe('edges', () => {
  test('relative imports lead to files as Node, TypeScript and bundlers find them', async () => {
    const { edges, unresolved } = await structureOf({
      'src/main.ts': [
        "import './exact.ts';",
        "import './written-as-js.js';",
        "import './no-extension';",
        "import './folder';",
        "import '../data.json';",
        "import './style.css?inline';",
        "import 'package';",
        "import '#alias';",
        "import './missing.ts';",
        "import '../../outside.ts';",
      ].join('\n'),
      'src/exact.ts': 'x;\n',
      'src/written-as-js.ts': 'x;\n',
      'src/no-extension.tsx': 'x;\n',
      'src/folder/index.js': "require('..');require('../packed');\n",
      'src/packed/package.json': '{}\n',
      'src/style.css': 'a{}\n',
      'data.json': '{}\n',
    });
    expect(edges.map(({ from, to, line }) => `${from}:${line} ${to}`)).toEqual([
      'src/main.ts:1 src/exact.ts',
      'src/main.ts:2 src/written-as-js.ts',
      'src/main.ts:3 src/no-extension.tsx',
      'src/main.ts:4 src/folder/index.js',
      'src/main.ts:5 data.json',
      'src/main.ts:6 src/style.css',
    ]);
    expect(unresolved.map(({ path, specifier }) => `${path} ${specifier}`)).toEqual([
      'src/folder/index.js ..',
      'src/folder/index.js ../packed',
      'src/main.ts ./missing.ts',
      'src/main.ts ../../outside.ts',
    ]);
  });
});

test('syntax errors are facts of the structure', async () => {
  const { syntaxErrors, parsed } = await structureOf({ 'a.ts': 'let x = ;\n', 'b.ts': 'x;\n' });
  expect(syntaxErrors).toMatchObject([{ path: 'a.ts', line: 1 }]);
  expect(parsed).toEqual(['a.ts', 'b.ts']);
});
