import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { agreementOf, readFolder, sayFigures } from '../../helpers/graph-oracle.ts';
import { graphOf } from '../../helpers/import-graph-of.ts';
import { typescriptGraph } from '../../helpers/typescript-oracle.ts';

const MODULES = /\.(?:[cm]?[jt]sx?|json)$/;

describe('on published packages, the graph is the one that the TypeScript compiler sees', () => {
  test.each(['zod', 'xstate', 'commander', 'execa', 'yaml'])('%s', async (name) => {
    const folder = realpathSync(`node_modules/${name}`);
    const files = readFolder(folder, MODULES);
    const { edges } = await graphOf(files);
    const found = new Set(edges.map(({ from, to }) => `${from} ${to}`));
    const agreement = agreementOf(found, typescriptGraph(folder, files));
    const { invented, missed, ...figures } = agreement;
    sayFigures(name, Object.keys(files).length, figures);
    expect({
      invented: invented.slice(0, 20),
      missed: missed.slice(0, 20),
      ...figures,
    }).toMatchObject({
      precision: expect.toSatisfy((value: number) => value >= 0.98),
      recall: expect.toSatisfy((value: number) => value >= 0.98),
    });
  });
});

/** What the compiler is not asked, or cannot know without what is built and installed. */
const OURS_ALONE: ReadonlySet<string | undefined> = new Set(['built-from', 'usual-alias']);

test('paths, bases, root folders, own imports and workspaces lead where the compiler goes', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'casefile-oracle-')));
  try {
    cpSync('fixtures/repos/imports-typescript', folder, { recursive: true });
    mkdirSync(join(folder, 'node_modules'));
    for (const name of ['core', 'built']) {
      symlinkSync(join(folder, 'packages', name), join(folder, 'node_modules', name));
    }
    const config = ts.getParsedCommandLineOfConfigFile(
      join(folder, 'packages/app/tsconfig.json'),
      {},
      { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
    );
    const files = readFolder(folder, MODULES);
    const inApp = Object.fromEntries(
      Object.entries(files).filter(([path]) => /^packages\/(?:app|core)\//.test(path)),
    );
    const expected = [...typescriptGraph(folder, { ...files }, config?.options ?? {})].filter(
      (pair) => (pair.split(' ')[0] ?? '') in inApp,
    );
    const { edges } = await graphOf(files);
    const found = edges
      .filter(({ from, source }) => from in inApp && !OURS_ALONE.has(source))
      // What `require.resolve` names is loaded by nobody yet, for the compiler.
      .filter(({ to }) => !to.endsWith('/resolved.js'))
      .map(({ from, to }) => `${from} ${to}`);
    expect(found.length).toBeGreaterThan(12);
    expect(new Set(found)).toEqual(new Set(expected));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
