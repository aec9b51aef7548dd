import type { ImportFact } from '../file-facts.ts';
import { STANDARD_MODULES } from './python-standard-library.ts';
import {
  ELSEWHERE,
  MISSING,
  toFiles,
  type Resolution,
  type Resolve,
  type Target,
  type TreeIndex,
} from './resolution.ts';
import {
  depthOf,
  folderOf,
  isWithin,
  joinPath,
  nameOf,
  sharedDepth,
  within,
} from '../tree-paths.ts';

/**
 * Finds modules as an interpreter would whose path holds every folder that modules of this tree can
 * start from: where a manifest says so, above each outermost package, `src`, the root, and the
 * script's own folder. The index is made once; an import asks only the few folders that have
 * something of its first name.
 *
 * `import a.b` leads to `b` alone, `from a import b` to the module `b` where there is one, else to
 * `a`, as readers follow it. Namespace packages have no file of their own.
 */
export const createPythonResolver = (index: TreeIndex): Resolve => {
  const { files, folders } = modulesOf(index);
  const roots = rootsByName(index, folders);

  const moduleFile = (path: string): string | undefined =>
    SUFFIXES.map((suffix) => path + suffix).find((file) => files.has(file));

  /** The files for a module in a place, and for names taken from it. */
  const filesFor = (place: string, names: readonly string[] | undefined): readonly string[] => {
    const own = moduleFile(place);
    if (names === undefined) return own === undefined ? [] : [own];
    const isPackage = own === undefined || nameOf(own).startsWith('__init__.');
    const found = new Set<string>();
    for (const name of names) {
      const inner = isPackage && name !== '*' ? moduleFile(within(place, name)) : undefined;
      const file = inner ?? own;
      if (file !== undefined) found.add(file);
    }
    return [...found];
  };

  const relative = (from: string, specifier: string, fact: ImportFact): Resolution => {
    const dots = /^\.+/.exec(specifier)?.[0].length ?? 1;
    const place = joinPath(
      folderOf(from),
      [...Array<string>(dots - 1).fill('..'), ...specifier.slice(dots).split('.')].join('/'),
    );
    if (place === undefined) return MISSING;
    const found = filesFor(place, fact.names);
    return found.length > 0 ? toFiles(found, {}) : folders.has(place) ? ELSEWHERE : MISSING;
  };

  const isPackage = (folder: string): boolean => files.has(within(folder, '__init__.py'));

  /** The folders to ask, in order: the script's own, then the nearest. */
  const rootsFor = (own: string, top: string): readonly string[] => {
    const isStandard = STANDARD_MODULES.has(top);
    const isScript =
      !isPackage(own) && (files.has(within(own, `${top}.py`)) || folders.has(within(own, top)));
    const others = (roots.get(top) ?? []).filter(
      (root) => root !== own && (!isStandard || isWithin(root, own)),
    );
    const isOwnRoot = roots.get(top)?.includes(own) ?? false;
    return [...(isScript || isOwnRoot ? [own] : []), ...nearestFirst(own, others)];
  };
  const remembered = new Map<string, readonly string[]>();

  const absolute = (from: string, fact: ImportFact): Resolution => {
    const parts = fact.specifier.split('.');
    const own = folderOf(from);
    const key = `${own}\0${parts[0]}`;
    let asked = remembered.get(key);
    if (asked === undefined) remembered.set(key, (asked = rootsFor(own, parts[0] ?? '')));
    const found: Target[][] = [];
    for (const root of asked) {
      const targets = filesFor(within(root, parts.join('/')), fact.names);
      if (targets.length === 0) continue;
      found.push(
        targets.map((path) => ({ path, ...(root !== '' && { source: 'source-root' as const }) })),
      );
      if (found.length === 2) break;
    }
    const [first, second] = found;
    if (first === undefined) return ELSEWHERE;
    return {
      kind: 'files',
      targets:
        second === undefined ? first : first.map((target) => ({ ...target, confidence: 0.8 })),
    };
  };

  return (from, fact) =>
    fact.specifier.startsWith('.') ? relative(from, fact.specifier, fact) : absolute(from, fact);
};

const nearestFirst = (own: string, roots: readonly string[]): readonly string[] =>
  roots.toSorted(
    (left, right) =>
      sharedDepth(`${right}/`, `${own}/`) - sharedDepth(`${left}/`, `${own}/`) ||
      depthOf(left) - depthOf(right) ||
      (left < right ? -1 : 1),
  );

const SUFFIXES = ['/__init__.py', '.py', '/__init__.pyi', '.pyi'];
const MODULE = /\.pyi?$/;

/** Python files, and the folders that hold some at any depth: packages of either kind. */
const modulesOf = ({ files }: TreeIndex) => {
  const modules = new Set<string>();
  const folders = new Set<string>(['']);
  for (const path of files) {
    if (!MODULE.test(path)) continue;
    modules.add(path);
    for (let at = folderOf(path); !folders.has(at); at = folderOf(at)) folders.add(at);
  }
  return { files: modules, folders };
};

/** For each first name of a module the folders that it may start from. */
const rootsByName = (
  index: TreeIndex,
  folders: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> => {
  const plain = new Set<string>(['']);
  for (const folder of folders) {
    if (USUAL_ROOTS.has(nameOf(folder))) plain.add(folder);
    // Above the outermost package of a chain.
    const parent = folderOf(folder);
    const hasInit = index.files.has(within(folder, '__init__.py'));
    if (folder !== '' && hasInit && !index.files.has(within(parent, '__init__.py'))) {
      plain.add(parent);
    }
  }
  for (const path of index.files) if (nameOf(path) === 'setup.py') plain.add(folderOf(path));
  for (const [path, { manifest }] of index.facts) {
    if (manifest?.kind !== 'python') continue;
    plain.add(folderOf(path));
    for (const root of manifest.roots) {
      const folder = joinPath(folderOf(path), root);
      if (folder !== undefined) plain.add(folder);
    }
  }
  const byName = new Map<string, Set<string>>();
  const add = (root: string, name: string): void => {
    if (!plain.has(root)) return;
    const known = byName.get(name);
    if (known === undefined) byName.set(name, new Set([root]));
    else known.add(root);
  };
  for (const path of index.files) {
    if (MODULE.test(path)) add(folderOf(path), nameOf(path).replace(MODULE, ''));
  }
  for (const folder of folders) if (folder !== '') add(folderOf(folder), nameOf(folder));
  return new Map([...byName].map(([name, found]) => [name, [...found]]));
};

const USUAL_ROOTS: ReadonlySet<string> = new Set(['src']);
