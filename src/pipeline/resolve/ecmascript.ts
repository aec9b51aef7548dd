import type { EdgeSource } from '../import-edge.ts';
import type { ImportKind } from '../import-edge.ts';
import type { ManifestOf } from '../manifest-facts.ts';
import { askerOf, entriesOf, fileAt, sourcesOfBuilt, type Asker } from './ecmascript-file.ts';
import { packageTargets } from './package-map.ts';
import { bestPattern } from './patterns.ts';
import {
  ELSEWHERE,
  MISSING,
  toFile,
  type Resolution,
  type Resolve,
  type Target,
  type TreeIndex,
} from './resolution.ts';
import { createCompilerOptions, type CompilerOptions } from './tsconfig.ts';
import { folderOf, joinPath, nearest, within } from '../tree-paths.ts';
import { workspacePackages } from './workspaces.ts';

/**
 * Resolves imports of JavaScript, TypeScript, Vue and Svelte files over the paths of the inventory:
 * relative ones, `#imports`, paths and base of a tsconfig, packages of the same repository. What no
 * rule finds is a package that is installed, or a built-in.
 *
 * A resolver of our own, since those there are read the file system, and a stage may not: what they
 * would find there (installed packages, links) is no part of the audit. Tests hold it against theirs.
 */
export const createEcmascriptResolver = (index: TreeIndex): Resolve => {
  const packages = new Map<string, ManifestOf<'package'>>();
  for (const [path, { manifest }] of index.facts) {
    if (manifest?.kind === 'package') packages.set(folderOf(path), manifest);
  }
  const optionsFor = createCompilerOptions(index);
  const workspaces = workspacePackages(index, packages);
  const packageOf = createPackageFinder(packages);

  const at = (place: string | undefined, asker: Asker): string | undefined =>
    place === undefined ? undefined : fileAt(index.files, packages, place, asker);

  /** A target of a manifest: there, or as the source that it is built from. */
  const builtTarget = (
    folder: string,
    target: string,
    asker: Asker,
    source: EdgeSource,
  ): Target | undefined => {
    const place = joinPath(folder, target);
    if (place === undefined) return undefined;
    const file = at(place, asker);
    if (file !== undefined) return { path: file, source };
    const [options] = optionsFor(folder);
    const folders = { outDir: options?.outDir, rootDir: options?.rootDir };
    for (const candidate of sourcesOfBuilt(place, folders, folder)) {
      const path = fileAt(index.files, packages, candidate, asker);
      if (path !== undefined) return { path, source: 'built-from', confidence: 0.8 };
    }
    return undefined;
  };

  const firstTarget = (
    folder: string,
    targets: readonly string[],
    asker: Asker,
    source: EdgeSource,
  ): Target | undefined => {
    for (const target of targets) {
      if (!target.startsWith('.')) continue;
      const found = builtTarget(folder, target, asker, source);
      if (found !== undefined) return found;
    }
    return undefined;
  };

  const inPackage = (
    folder: string,
    rest: string,
    asker: Asker,
    kind: ImportKind,
    source: EdgeSource,
  ): Target | undefined => {
    const manifest = packages.get(folder);
    if (manifest?.exports !== undefined) {
      const name = rest === '' ? '.' : `./${rest}`;
      for (const takes of [usualConditions(asker, kind), () => true]) {
        const targets = packageTargets(manifest.exports, name, takes);
        const found = firstTarget(folder, targets, asker, source);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    if (rest !== '') return builtTarget(folder, rest, asker, source);
    const entries = manifest === undefined ? [] : entriesOf(manifest, asker);
    const written = [...entries, './index'].map((entry) => `./${entry.replace(/^\.\//, '')}`);
    return firstTarget(folder, written, asker, source);
  };

  const relative = (from: string, specifier: string, asker: Asker): Resolution => {
    const written = [specifier, specifier.replace(/[?#].*$/, '')];
    for (const path of new Set(written)) {
      const file = at(joinPath(folderOf(from), path), asker);
      if (file !== undefined) return toFile(file);
    }
    const place = joinPath(folderOf(from), written[1] ?? '');
    const moved = place === undefined ? undefined : inRootDirs(place, from, asker);
    return moved === undefined ? MISSING : toFile(moved, { source: 'root-dirs' });
  };

  /** Folders that become one when they are built. */
  const inRootDirs = (place: string, from: string, asker: Asker): string | undefined => {
    for (const { rootDirs } of optionsFor(folderOf(from))) {
      const root = rootDirs.find((folder) => place.startsWith(folder === '' ? '' : `${folder}/`));
      if (root === undefined) continue;
      const rest = root === '' ? place : place.slice(root.length + 1);
      for (const other of rootDirs) {
        const file = at(within(other, rest), asker);
        if (file !== undefined) return file;
      }
    }
    return undefined;
  };

  const byPaths = (specifier: string, options: CompilerOptions, asker: Asker) => {
    const best = bestPattern(options.paths, specifier);
    for (const target of best?.rule ?? []) {
      const path = at(
        target.replace('*', () => best?.star ?? ''),
        asker,
      );
      if (path !== undefined) return toFile(path, { source: 'tsconfig-paths' });
    }
    const base = options.baseUrl;
    const path = base === undefined ? undefined : at(within(base, specifier), asker);
    return path === undefined ? undefined : toFile(path, { source: 'base-url' });
  };

  const ownImports = (
    from: string,
    specifier: string,
    asker: Asker,
    kind: ImportKind,
  ): Resolution | undefined => {
    const folder = packageOf(folderOf(from));
    const field = folder === undefined ? undefined : packages.get(folder)?.imports;
    if (folder === undefined || field === undefined) return undefined;
    for (const takes of [usualConditions(asker, kind), () => true]) {
      const targets = packageTargets(field, specifier, takes);
      const found = firstTarget(folder, targets, asker, 'imports-field');
      if (found !== undefined) return toFile(found.path, found);
      const other = targets.find((target) => !/^[./#]/.test(target));
      if (other !== undefined) return bare(from, other, asker, kind);
    }
    return undefined;
  };

  const bare = (from: string, specifier: string, asker: Asker, kind: ImportKind): Resolution => {
    const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0];
    if (name === undefined) return ELSEWHERE;
    const rest = specifier.slice(name.length + 1);
    const own = packageOf(folderOf(from));
    const isSelf = own !== undefined && packages.get(own)?.name === name;
    const members = workspaces.get(name) ?? [];
    const folder = isSelf
      ? own
      : members.length > 1
        ? nearest(
            from,
            members.map((member) => within(member, 'x')),
          )?.replace(/\/?x$/, '')
        : members[0];
    if (folder === undefined) return ELSEWHERE;
    const source = isSelf ? 'self-reference' : 'workspace';
    const found = inPackage(folder, rest, asker, kind, source);
    return found === undefined ? ELSEWHERE : toFile(found.path, found);
  };

  return (from, { specifier, kind, form }) => {
    const asker = kind === 'type' ? 'types' : askerOf(from);
    if (form === 'relative' || /^\.\.?(?:\/|$)/.test(specifier)) {
      return relative(from, specifier, asker);
    }
    if (specifier.startsWith('#')) {
      const found = ownImports(from, specifier, asker, kind);
      if (found !== undefined) return found;
    }
    for (const options of optionsFor(folderOf(from))) {
      const found = byPaths(specifier, options, asker);
      if (found !== undefined) return found;
    }
    const alias = /^[@~]\/(.+)$/.exec(specifier)?.[1];
    if (alias !== undefined) {
      const folder = packageOf(folderOf(from)) ?? '';
      const path = at(within(folder, `src/${alias}`), asker);
      return path === undefined
        ? ELSEWHERE
        : toFile(path, { source: 'usual-alias', confidence: 0.7 });
    }
    return specifier.startsWith('/') || /^[a-z]+:/i.test(specifier)
      ? ELSEWHERE
      : bare(from, specifier, asker, kind);
  };
};

const usualConditions = (asker: Asker, kind: ImportKind): ((condition: string) => boolean) => {
  const taken = new Set([
    'default',
    'node',
    'module',
    kind === 'require' ? 'require' : 'import',
    ...(asker === 'types' ? ['types'] : []),
  ]);
  return (condition) => taken.has(condition);
};

/** The nearest folder with a package.json, remembered by folder. */
const createPackageFinder = (
  packages: ReadonlyMap<string, unknown>,
): ((folder: string) => string | undefined) => {
  const known = new Map<string, string | undefined>();
  const find = (folder: string): string | undefined => {
    if (known.has(folder)) return known.get(folder);
    const found = packages.has(folder)
      ? folder
      : folder === ''
        ? undefined
        : find(folderOf(folder));
    known.set(folder, found);
    return found;
  };
  return find;
};
