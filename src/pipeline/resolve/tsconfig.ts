import type { ManifestOf } from '../manifest-facts.ts';
import type { TreeIndex } from './resolution.ts';
import { folderOf, joinPath, nameOf, within } from '../tree-paths.ts';

type Written = ManifestOf<'tsconfig'>;

/** What a configuration comes to, after what it extends; folders are those of the tree. */
export type CompilerOptions = {
  readonly baseUrl: string | undefined;
  /** Patterns, and where each may lead, in order. */
  readonly paths: readonly (readonly [pattern: string, targets: readonly string[]])[];
  readonly rootDirs: readonly string[];
  readonly outDir: string | undefined;
  readonly rootDir: string | undefined;
};

/**
 * The options that hold for files of a folder: of the nearest tsconfig or jsconfig, then of those it
 * refers to, since one that only refers says nothing itself. Empty without any.
 */
export const createCompilerOptions = (
  index: TreeIndex,
): ((folder: string) => readonly CompilerOptions[]) => {
  const written = new Map<string, Written>();
  for (const [path, { manifest }] of index.facts) {
    if (manifest?.kind === 'tsconfig') written.set(path, manifest);
  }
  const known = new Map<string, Effective>();
  const effective = (path: string): Effective => {
    const before = known.get(path);
    if (before !== undefined) return before;
    known.set(path, NOTHING);
    const found = mergeChain(path, written, effective);
    known.set(path, found);
    return found;
  };

  const optionsOf = (path: string): readonly CompilerOptions[] => {
    const paths = [path, ...referencesOf(path, written)];
    return paths.map((at) => resolved(effective(at), folderOf(at)));
  };

  const byFolder = new Map<string, readonly CompilerOptions[]>();
  const optionsFor = (folder: string): readonly CompilerOptions[] => {
    const before = byFolder.get(folder);
    if (before !== undefined) return before;
    const own = NAMES.map((name) => within(folder, name)).find((path) => written.has(path));
    const found =
      own !== undefined ? optionsOf(own) : folder === '' ? [] : optionsFor(folderOf(folder));
    byFolder.set(folder, found);
    return found;
  };
  return optionsFor;
};

const NAMES = ['tsconfig.json', 'jsconfig.json'];

/** Values with the folder that they are relative to: that of the file that wrote them. */
type Located<Value> = { readonly value: Value; readonly folder: string };
type Effective = {
  readonly [Key in 'baseUrl' | 'paths' | 'rootDirs' | 'outDir' | 'rootDir']?:
    Located<NonNullable<Written[Key]>> | undefined;
};
const NOTHING: Effective = {};

const mergeChain = (
  path: string,
  written: ReadonlyMap<string, Written>,
  effective: (path: string) => Effective,
): Effective => {
  const own = written.get(path);
  if (own === undefined) return NOTHING;
  const folder = folderOf(path);
  const located = <Value>(value: Value | undefined): Located<Value> | undefined =>
    value === undefined ? undefined : { value, folder };
  const values: Effective = {
    baseUrl: located(own.baseUrl),
    paths: located(own.paths),
    rootDirs: located(own.rootDirs),
    outDir: located(own.outDir),
    rootDir: located(own.rootDir),
  };
  const bases = own.extends.flatMap((specifier) => configAt(folder, specifier, written) ?? []);
  // Later ones win over earlier ones, the file itself over all.
  return [...bases.map(effective), values].reduce(
    (merged, next) => ({
      baseUrl: next.baseUrl ?? merged.baseUrl,
      paths: next.paths ?? merged.paths,
      rootDirs: next.rootDirs ?? merged.rootDirs,
      outDir: next.outDir ?? merged.outDir,
      rootDir: next.rootDir ?? merged.rootDir,
    }),
    NOTHING,
  );
};

/** Configurations of packages are not in the tree. */
const configAt = (
  folder: string,
  specifier: string,
  written: ReadonlyMap<string, Written>,
): string | undefined => {
  if (!/^\.\.?(?:\/|$)/.test(specifier)) return undefined;
  const path = joinPath(folder, specifier);
  if (path === undefined) return undefined;
  return [path, `${path}.json`, within(path, 'tsconfig.json')].find((at) => written.has(at));
};

const referencesOf = (path: string, written: ReadonlyMap<string, Written>): readonly string[] => {
  const folder = folderOf(path);
  return (written.get(path)?.references ?? []).flatMap((reference) => {
    const found = configAt(
      folder,
      /^\.\.?\//.test(reference) ? reference : `./${reference}`,
      written,
    );
    // Projects elsewhere have files of their own; one beside this is about the same files.
    return found !== undefined && folderOf(found) === folder && nameOf(found) !== nameOf(path)
      ? [found]
      : [];
  });
};

const resolved = (given: Effective, configFolder: string): CompilerOptions => {
  const place = (at: Located<string> | undefined): string | undefined =>
    at === undefined ? undefined : placeOf(at.folder, at.value, configFolder);
  const baseUrl = place(given.baseUrl);
  const pathsFolder = baseUrl ?? given.paths?.folder ?? configFolder;
  return {
    baseUrl,
    paths: (given.paths?.value ?? []).map(([pattern, targets]) => [
      pattern,
      targets.flatMap((target) => placeOf(pathsFolder, target, configFolder) ?? []),
    ]),
    rootDirs: (given.rootDirs?.value ?? []).flatMap(
      (folder) => placeOf(given.rootDirs?.folder ?? '', folder, configFolder) ?? [],
    ),
    outDir: place(given.outDir),
    rootDir: place(given.rootDir),
  };
};

const placeOf = (folder: string, path: string, configFolder: string): string | undefined => {
  const template = /^\$\{configDir\}/;
  return template.test(path)
    ? joinPath(configFolder, path.replace(template, '.'))
    : joinPath(folder, path);
};
