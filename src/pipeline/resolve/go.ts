import {
  ELSEWHERE,
  MISSING,
  toFiles,
  type Resolve,
  type ResolveNames,
  type TreeIndex,
} from './resolution.ts';
import { folderOf, foldersUp, joinPath, within } from '../tree-paths.ts';

/**
 * A Go import names a package, which is a folder. Its edges go to the files of the folder that
 * declare the names taken from it; to all of them but tests when no name tells (blank and dot
 * imports, methods alone).
 */
export const createGoResolver = (
  index: TreeIndex,
): { readonly resolve: Resolve; readonly resolveNames: ResolveNames } => {
  const modules = modulesOf(index);
  const packages = packagesOf(index);
  const declaredIn = createDeclarations(index, packages);

  const resolve: Resolve = (from, fact) => {
    const folder = folderFor(modules, from, fact.specifier);
    if (folder === undefined) return ELSEWHERE;
    const files = packages.get(folder) ?? [];
    if (files.length === 0) return MISSING;
    const declared = declaredIn(folder);
    const declaring = new Set((fact.names ?? []).flatMap((name) => declared.get(name) ?? []));
    if (declaring.size > 0) return toFiles([...declaring], { source: 'package-names' });
    const isOne = files.length === 1;
    return toFiles(files, { source: 'whole-package', ...(!isOne && { confidence: 0.5 }) });
  };

  /** Files of a package see each other's names; tests see those of what they test. */
  const resolveNames: ResolveNames = (from, facts) => {
    const declared = declaredIn(folderOf(from));
    const own = new Set(facts.declares);
    return facts.mentions.flatMap(({ name, line }) => {
      const files = own.has(name) ? [] : (declared.get(name) ?? []);
      const inPackage = files.filter((file) =>
        index.facts.get(file)?.packages.some((space) => facts.packages.includes(space)),
      );
      if (inPackage.length === 0) return [];
      const how = { confidence: 0.9, source: 'same-package' as const };
      return [{ line, targets: inPackage.map((path) => ({ path, ...how })) }];
    });
  };
  return { resolve, resolveNames };
};

/** By folder, when it is first asked for: the files that declare each name. */
const createDeclarations = (
  { facts }: TreeIndex,
  packages: ReadonlyMap<string, readonly string[]>,
): ((folder: string) => ReadonlyMap<string, readonly string[]>) => {
  const known = new Map<string, ReadonlyMap<string, readonly string[]>>();
  return (folder) => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const declared = new Map<string, string[]>();
    for (const file of packages.get(folder) ?? []) {
      for (const name of facts.get(file)?.declares ?? []) {
        const files = declared.get(name);
        if (files === undefined) declared.set(name, [file]);
        else files.push(file);
      }
    }
    known.set(folder, declared);
    return declared;
  };
};

type GoModule = { readonly path: string; readonly folder: string };

const modulesOf = (index: TreeIndex): readonly GoModule[] => {
  const modules: GoModule[] = [];
  for (const [path, { manifest }] of index.facts) {
    if (manifest?.kind !== 'go-module') continue;
    const folder = folderOf(path);
    if (manifest.module !== '') modules.push({ path: manifest.module, folder });
    for (const [replaced, target] of manifest.replaced) {
      const at = joinPath(folder, target);
      if (at !== undefined) modules.push({ path: replaced, folder: at });
    }
  }
  // The longest path first: a module within a module is its own.
  return modules.toSorted(
    (left, right) => right.path.length - left.path.length || (left.folder < right.folder ? -1 : 1),
  );
};

const folderFor = (
  modules: readonly GoModule[],
  from: string,
  specifier: string,
): string | undefined => {
  if (/^\.\.?(?:\/|$)/.test(specifier)) return joinPath(folderOf(from), specifier);
  const fitting = modules.filter(
    ({ path }) => specifier === path || specifier.startsWith(`${path}/`),
  );
  const longest = fitting.filter(({ path }) => path.length === fitting[0]?.path.length);
  // Copies of one module: examples and tests bring their own.
  const up = longest.length > 1 ? foldersUp(folderOf(from)) : [];
  const chosen = longest.find(({ folder }) => up.includes(folder)) ?? longest[0];
  if (chosen === undefined) return undefined;
  const rest = specifier.slice(chosen.path.length + 1);
  return rest === '' ? chosen.folder : within(chosen.folder, rest);
};

/** Files without facts count too: generated ones are in packages like others. */
const packagesOf = ({ files }: TreeIndex): ReadonlyMap<string, readonly string[]> => {
  const packages = new Map<string, string[]>();
  for (const path of files) {
    if (!path.endsWith('.go') || path.endsWith('_test.go')) continue;
    const folder = folderOf(path);
    const known = packages.get(folder);
    if (known === undefined) packages.set(folder, [path]);
    else known.push(path);
  }
  return packages;
};
