import type { ManifestOf } from '../manifest-facts.ts';
import { joinPath, nameOf, within } from '../tree-paths.ts';

/** Who asks: TypeScript looks for types where a program looks for code. */
export type Asker = 'types' | 'code';

/** Declarations and TypeScript files ask for types; what runs as it is written asks for code. */
export const askerOf = (path: string): Asker => (/\.[cm]?tsx?$/i.test(path) ? 'types' : 'code');

/**
 * The file that a place stands for, as Node, TypeScript and bundlers together find it: the exact file,
 * the TypeScript source of a written `.js`, an added extension, what a folder's manifest names, an
 * index.
 *
 * @param place a path of the tree, without its extension perhaps; the root is the empty string.
 */
export const fileAt = (
  files: ReadonlySet<string>,
  packages: ReadonlyMap<string, ManifestOf<'package'>>,
  place: string,
  asker: Asker,
): string | undefined => {
  const exact = asFile(files, place, asker);
  if (exact !== undefined) return exact;
  const manifest = packages.get(place);
  for (const entry of manifest === undefined ? [] : entriesOf(manifest, asker)) {
    const inner = joinPath(place, entry);
    if (inner === undefined || inner === place) continue;
    const found = asFile(files, inner, asker) ?? asIndex(files, inner, asker);
    if (found !== undefined) return found;
  }
  return asIndex(files, place, asker);
};

/** Fields of a manifest that name its entry. */
export const entriesOf = (
  { types, main, module }: ManifestOf<'package'>,
  asker: Asker,
): readonly string[] =>
  (asker === 'types' ? [types, main, module] : [main, module, types]).filter(
    (entry) => entry !== undefined,
  );

const ADDED: Readonly<Record<Asker, readonly string[]>> = {
  types: [
    '.ts',
    '.tsx',
    '.d.ts',
    '.js',
    '.jsx',
    '.mts',
    '.cts',
    '.mjs',
    '.cjs',
    '.json',
    '.vue',
    '.svelte',
    '.d.mts',
    '.d.cts',
  ],
  code: [
    '.js',
    '.jsx',
    '.mjs',
    '.cjs',
    '.json',
    '.ts',
    '.tsx',
    '.mts',
    '.cts',
    '.vue',
    '.svelte',
    '.d.ts',
  ],
};

/** What a written extension may stand for in TypeScript. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts'],
  '.jsx': ['.tsx', '.d.ts'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts', '.d.cts'],
};

/** Declarations are published without the sources that they name. */
const DECLARATIONS: Readonly<Record<string, readonly string[]>> = {
  '.ts': ['.d.ts', '.tsx'],
  '.tsx': ['.d.ts', '.ts'],
  '.mts': ['.d.mts'],
  '.cts': ['.d.cts'],
};

const asFile = (files: ReadonlySet<string>, place: string, asker: Asker): string | undefined => {
  if (place === '') return undefined;
  const extension = /\.[cm]?[jt]sx?$/.exec(place)?.[0] ?? '';
  const stem = place.slice(0, place.length - extension.length);
  const has = (path: string): boolean => files.has(path);
  const first = (endings: readonly string[] | undefined, base: string): string | undefined =>
    endings?.map((ending) => base + ending).find(has);
  const source = first(SOURCES[extension], stem);
  if (asker === 'types' && source !== undefined) return source;
  if (has(place)) return place;
  return (
    source ??
    (extension === '.js' ? first(['.jsx'], stem) : undefined) ??
    first(ADDED[asker], place) ??
    first(DECLARATIONS[extension], stem)
  );
};

const asIndex = (files: ReadonlySet<string>, place: string, asker: Asker): string | undefined =>
  ADDED[asker].map((added) => within(place, `index${added}`)).find((path) => files.has(path));

/** `dist/x.js` is built from `src/x.ts`, nearly always: the places to look for a missing target. */
export const sourcesOfBuilt = (
  target: string,
  folders: { readonly outDir: string | undefined; readonly rootDir: string | undefined },
  packageFolder: string,
): readonly string[] => {
  const inner = packageFolder === '' ? target : target.slice(packageFolder.length + 1);
  const stem = inner.replace(/\.d\.[cm]?ts$|\.[cm]?[jt]sx?$/, '');
  const parts = stem.split('/');
  const places: string[] = [];
  const { outDir, rootDir } = folders;
  if (outDir !== undefined && outDir !== '' && target.startsWith(`${outDir}/`)) {
    const rest = target.slice(outDir.length + 1).replace(/\.d\.[cm]?ts$|\.[cm]?[jt]sx?$/, '');
    if (rootDir !== undefined) places.push(within(rootDir, rest));
    places.push(within(within(packageFolder, 'src'), rest), within(packageFolder, rest));
  }
  // One folder less at a time: `dist/esm/x` and `dist/x` are both `src/x`.
  for (let at = 1; at < parts.length && BUILT_FOLDER.test(parts[at - 1] ?? ''); at += 1) {
    const rest = parts.slice(at).join('/');
    places.push(within(packageFolder, `src/${rest}`), within(packageFolder, rest));
  }
  if (nameOf(stem) === 'index' || parts.length === 1) {
    places.push(within(packageFolder, 'src/index'), within(packageFolder, 'index'));
  }
  return places;
};

const BUILT_FOLDER =
  /^(?:dist|lib|build|out|output|esm|cjs|es|mjs|umd|types|typings|module|commonjs|node|browser|\.?dist-[\w-]+)$/;
