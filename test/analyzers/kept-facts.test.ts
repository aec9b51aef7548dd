import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeptFacts } from '../../src/analyzers/kept-facts.ts';
import { findDuplicates } from '../../src/analyzers/duplicates.ts';
import { readModules } from '../../src/analyzers/read-tree.ts';
import { takeInventory } from '../../src/analyzers/take-inventory.ts';
import { readPlanSources } from '../../src/engine/plan-sources.ts';
import type { Digest } from '../../src/domain/ids.ts';
import { deriveDisposition } from '../../src/pipeline/disposition.ts';
import { deriveStructure } from '../../src/pipeline/structure.ts';
import {
  createContentCache,
  NO_CACHE,
  type ContentCache,
} from '../../src/platform/content-cache.ts';
import { createSimulatedSourceTree } from '../helpers/simulated-source-tree.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Real forms of several languages, and bytes that are none. */
const TEXTS = [
  'import a from "./a";\nexport const b = () => a();\napp.get("/x", (req) => req);\n',
  'export type A = { b: string };\nexport default class C<T> { m(): T { return this as never; } }\n',
  'import os\nfrom .x import y\n\nclass A:\n    def m(self):\n        return os.environ\n',
  'package main\n\nimport "fmt"\n\nfunc Main() { fmt.Println(1) }\n',
  'use crate::a::b;\npub fn f() {}\n',
  '{"name": "x", "main": "b.js", "workspaces": ["lib/*"]}\n',
  'function (((\n',
  '\u0000\u0001',
  '',
] as const;
const treeArbitrary = fc.dictionary(
  fc.constantFrom(
    ...['a.js', 'b.ts', 'c.d.ts', 'd.py', 'e.go', 'f.rs', 'lib/a.tsx', 'lib/package.json'],
    ...['package.json', 'lib/deep/x.mjs', 'lib/deep/y.py', 'noending'],
  ),
  fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'binary', maxLength: 30 })),
  { minKeys: 1 },
);

/** Everything that is derived with a cache, as bytes. */
const derivedFrom = async (
  files: Readonly<Record<string, string>>,
  cache: ContentCache,
): Promise<string> => {
  const source = createSimulatedSourceTree(files);
  const inventory = await takeInventory(source);
  const disposition = deriveDisposition(inventory, { include: [], exclude: [] });
  const { modules } = await readModules(source, inventory, disposition, cache);
  const sources = await readPlanSources(source, [], inventory.files, cache);
  return JSON.stringify([
    [...modules],
    deriveStructure({ inventory, disposition, modules }),
    inventory.files.map(({ path }) => sources.definitionsOf(path)),
    await findDuplicates({ tree: source, files: inventory.files, cache }),
  ]);
};

test('a plan from kept facts is the one from none, to the byte, whatever else was kept before', async () => {
  const folder = join(await temporaryFolder(), 'facts');
  await fc.assert(
    fc.asyncProperty(treeArbitrary, async (files) => {
      const cold = await derivedFrom(files, NO_CACHE);
      expect(await derivedFrom(files, createContentCache(folder))).toBe(cold);
      expect(await derivedFrom(files, createContentCache(folder))).toBe(cold);
    }),
    { numRuns: 60 },
  );
});

test('what another program left under our names is derived anew', async () => {
  const folder = join(await temporaryFolder(), 'facts');
  const files = { 'a.js': TEXTS[0], 'd.py': TEXTS[2] };
  const cold = await derivedFrom(files, NO_CACHE);
  const foreign: ContentCache = {
    get: async () => Buffer.from('{"family":"python","imports":7}'),
    put: () => undefined,
    save: async () => undefined,
  };
  expect(await derivedFrom(files, foreign)).toBe(cold);
  await derivedFrom(files, createContentCache(folder));
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), 'not a pack');
  expect(await derivedFrom(files, createContentCache(folder))).toBe(cold);
});

/** Long enough to be compared with others. */
const LONG = 'f();\n'.repeat(20);

test('a second look at the same contents parses nothing again', async () => {
  const folder = join(await temporaryFolder(), 'facts');
  const files = { 'a.js': TEXTS[0], 'lib/a.tsx': TEXTS[1], 'd.py': TEXTS[2], 'f.js': LONG };
  await derivedFrom(files, createContentCache(folder));
  const kept = createContentCache(folder);
  const put: unknown[] = [];
  const watched: ContentCache = { ...kept, put: (key) => void put.push(key) };
  await derivedFrom({ ...files, 'e.go': `${TEXTS[3]}\n${'// more\n'.repeat(12)}` }, watched);
  // Facts and definitions of the new file, and a comparison of other files than before.
  expect(put).toHaveLength(3);
});

test('definitions that are among the facts of a file are not derived a second time', async () => {
  const entries = new Map<Digest, Uint8Array>();
  const cache: ContentCache = {
    get: async (key) => entries.get(key),
    put: (key, bytes) => void entries.set(key, bytes),
    save: async () => undefined,
  };
  const kept = createKeptFacts(cache);
  const file = {
    path: 'a.py',
    language: 'Python',
    digest: '0'.repeat(64) as Digest,
    text: () => 'class A:\n    pass\n',
  };
  await kept.facts(file);
  const text = (): string => expect.unreachable('it was read before');
  expect(await kept.definitions({ ...file, text })).toMatchObject([{ name: 'A' }]);
  expect(entries.size).toBe(1);
});
