import type { ImportFact } from '../file-facts.ts';
import type { ManifestOf } from '../manifest-facts.ts';
import { ELSEWHERE, MISSING, toFile, type Resolve, type TreeIndex } from './resolution.ts';
import { folderOf, foldersUp, joinPath, nameOf, within } from '../tree-paths.ts';

/**
 * Modules are a tree from each crate's root file, made by `mod`, so a path is followed through that
 * tree and not through folders. A path leads to the file of its longest part that is a module: what
 * follows is an item in it.
 */
export const createRustResolver = (index: TreeIndex): Resolve => {
  const crates = cratesOf(index);
  const places = new Map<string, Place>();
  const modules = new Map<string, string>();
  for (const crate of crates) {
    for (const root of crate.roots) growTree(index, root, crate, places, modules);
  }
  const libraries = new Map<string, string>();
  for (const { library, name } of crates) if (library !== undefined) libraries.set(name, library);

  const follow = (root: string, path: readonly string[]): string => {
    for (let length = path.length; length > 0; length -= 1) {
      const file = modules.get(keyOf(root, path.slice(0, length)));
      if (file !== undefined) return file;
    }
    return root;
  };

  const resolveUse = (place: Place, parts: readonly string[]): string | undefined => {
    const [first = '', ...rest] = parts;
    const here = place.path;
    if (first === 'crate' || first === '$crate') return follow(place.root, rest);
    if (first === 'self') return follow(place.root, [...here, ...rest]);
    if (first === 'super') {
      const up = parts.findIndex((part) => part !== 'super');
      const steps = up === -1 ? parts.length : up;
      if (steps > here.length) return undefined;
      return follow(place.root, [...here.slice(0, here.length - steps), ...parts.slice(steps)]);
    }
    // Before a crate of that name comes a module beside or, in the first edition, at the root.
    if (first !== '') {
      if (modules.has(keyOf(place.root, [...here, first]))) {
        return follow(place.root, [...here, ...parts]);
      }
    }
    const [name = '', ...inner] = first === '' ? rest : parts;
    const library = libraries.get(place.crate.renamed.get(name) ?? name);
    if (library !== undefined) return follow(library, inner);
    return first !== '' && modules.has(keyOf(place.root, [first])) && place.crate.isFirstEdition
      ? follow(place.root, parts)
      : undefined;
  };

  return (from, fact) => {
    if (fact.form === 'mod') {
      const file = moduleFile(index.files, from, isRootFile(places, from), fact);
      return file === undefined ? MISSING : toFile(file, { source: 'module-tree' });
    }
    if (fact.form === 'relative') {
      const path = joinPath(folderOf(from), fact.specifier);
      return path !== undefined && index.files.has(path) ? toFile(path) : MISSING;
    }
    const place = places.get(from);
    if (place === undefined) return ELSEWHERE;
    const parts = fact.specifier.replace(/::\*$/, '').split('::');
    const file = resolveUse(place, parts);
    if (file === undefined || file === from) return ELSEWHERE;
    const isOwn = places.get(file)?.root === place.root;
    return toFile(file, { source: isOwn ? 'module-tree' : 'crate' });
  };
};

type Crate = {
  /** As it is written in code. */
  readonly name: string;
  readonly roots: readonly string[];
  readonly library: string | undefined;
  readonly renamed: ReadonlyMap<string, string>;
  readonly isFirstEdition: boolean;
};

/** Where a file is in the module tree of a crate's root. */
type Place = { readonly crate: Crate; readonly root: string; readonly path: readonly string[] };

const keyOf = (root: string, path: readonly string[]): string => `${root}\0${path.join('::')}`;

const isRootFile = (places: ReadonlyMap<string, Place>, file: string): boolean =>
  places.get(file)?.root === file;

const nameInCode = (name: string): string => name.replaceAll('-', '_');

const cratesOf = (index: TreeIndex): readonly Crate[] => {
  const manifests = [...index.facts].flatMap(([path, { manifest }]) =>
    manifest?.kind === 'cargo' ? [{ folder: folderOf(path), manifest }] : [],
  );
  const folders = new Set(manifests.map(({ folder }) => folder));
  const targets = usualTargets(index.files, folders);
  const shared = manifests.flatMap(({ folder, manifest }) =>
    manifest.name === undefined ? [{ folder, renamed: manifest.renamed }] : [],
  );
  return manifests.flatMap(({ folder, manifest }) =>
    manifest.name === undefined ? [] : [crateOf(index, folder, manifest, targets, shared)],
  );
};

const crateOf = (
  index: TreeIndex,
  folder: string,
  manifest: ManifestOf<'cargo'>,
  targets: ReadonlyMap<string, readonly string[]>,
  shared: readonly { readonly folder: string; readonly renamed: readonly [string, string][] }[],
): Crate => {
  const at = (path: string): string | undefined => {
    const file = joinPath(folder, path);
    return file !== undefined && index.files.has(file) ? file : undefined;
  };
  const library = at(manifest.library.path ?? 'src/lib.rs');
  const named = manifest.targets.flatMap((path) => at(path) ?? []);
  const around = foldersUp(folder);
  const renamed = [
    ...shared
      .filter((workspace) => around.includes(workspace.folder))
      .flatMap(({ renamed: r }) => r),
    ...manifest.renamed,
  ];
  return {
    name: nameInCode(manifest.library.name ?? manifest.name ?? ''),
    roots: [
      ...new Set([
        ...(library === undefined ? [] : [library]),
        ...named,
        ...(targets.get(folder) ?? []),
      ]),
    ],
    library,
    renamed: new Map(renamed.map(([name, itself]) => [nameInCode(name), nameInCode(itself)])),
    isFirstEdition: manifest.edition === undefined || manifest.edition === '2015',
  };
};

const TARGET_FILE =
  /^(?:build|src\/main|(?:src\/bin|examples|tests|benches)\/(?:[^/]+|[^/]+\/main))\.rs$/;

/** By each crate's folder the files that are roots by their place. */
const usualTargets = (
  files: ReadonlySet<string>,
  folders: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> => {
  const targets = new Map<string, string[]>();
  for (const path of files) {
    if (!path.endsWith('.rs')) continue;
    const folder = foldersUp(folderOf(path)).find((up) => folders.has(up));
    if (folder === undefined) continue;
    if (!TARGET_FILE.test(folder === '' ? path : path.slice(folder.length + 1))) continue;
    const known = targets.get(folder);
    if (known === undefined) targets.set(folder, [path]);
    else known.push(path);
  }
  return targets;
};

/** Follows `mod` from the root. A file that two trees share belongs to the first. */
const growTree = (
  index: TreeIndex,
  root: string,
  crate: Crate,
  places: Map<string, Place>,
  modules: Map<string, string>,
): void => {
  const open: { readonly file: string; readonly path: readonly string[] }[] = [
    { file: root, path: [] },
  ];
  const seen = new Set<string>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { file, path } = next;
    if (seen.has(file)) continue;
    seen.add(file);
    if (!places.has(file)) places.set(file, { crate, root, path });
    for (const fact of index.facts.get(file)?.imports ?? []) {
      if (fact.form !== 'mod') continue;
      const inner = moduleFile(index.files, file, file === root, fact);
      if (inner === undefined) continue;
      const innerPath = [...path, ...fact.specifier.split('::')];
      modules.set(keyOf(root, innerPath), inner);
      open.push({ file: inner, path: innerPath });
    }
  }
};

/** `mod a;` is `a.rs` or `a/mod.rs`, beside a root or `mod.rs`, else in the file's own folder. */
const moduleFile = (
  files: ReadonlySet<string>,
  from: string,
  isRoot: boolean,
  { specifier, names }: ImportFact,
): string | undefined => {
  const folder = folderOf(from);
  const blocks = specifier.split('::');
  const name = blocks.pop() ?? '';
  const isBeside = isRoot || nameOf(from) === 'mod.rs';
  const base = isBeside ? folder : within(folder, nameOf(from).replace(/\.rs$/, ''));
  const place = [base, ...blocks].filter((part) => part !== '').join('/');
  const [elsewhere] = names ?? [];
  if (elsewhere !== undefined) {
    // In the file itself the path starts at its folder, in a block of it at the block's.
    const path = joinPath(blocks.length === 0 ? folder : place, elsewhere);
    return path !== undefined && files.has(path) ? path : undefined;
  }
  const clean = name.replace(/^r#/, '');
  return [within(place, `${clean}.rs`), within(place, `${clean}/mod.rs`)].find((path) =>
    files.has(path),
  );
};
