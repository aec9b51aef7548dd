import type { ManifestFacts } from './manifest-facts.ts';
import {
  readCargo,
  readComposer,
  readGoModule,
  readLerna,
  readPackage,
  readPnpmWorkspace,
  readPyproject,
  readSetupCfg,
  readTsconfig,
  type ManifestReader,
} from './manifest-readers.ts';

export const isManifest = (path: string): boolean => readerOf(path) !== undefined;

/** @returns `broken` for a text that is not what its name says. */
export const readManifest = (path: string, text: string): ManifestFacts => {
  try {
    return readerOf(path)?.(text) ?? { kind: 'broken' };
  } catch (error) {
    // The parsers throw on what they cannot read; whatever it was, there are no facts.
    if (error instanceof Error) return { kind: 'broken' };
    throw error;
  }
};

const readerOf = (path: string): ManifestReader | undefined => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/^(?:ts|js)config(?:\.[\w.-]+)?\.json$/.test(name)) return readTsconfig;
  return READERS.get(name);
};

const READERS: ReadonlyMap<string, ManifestReader> = new Map([
  ['package.json', readPackage],
  ['pnpm-workspace.yaml', readPnpmWorkspace],
  ['lerna.json', readLerna],
  ['go.mod', readGoModule],
  ['go.work', readGoModule],
  ['Cargo.toml', readCargo],
  ['composer.json', readComposer],
  ['pyproject.toml', readPyproject],
  ['setup.cfg', readSetupCfg],
]);
