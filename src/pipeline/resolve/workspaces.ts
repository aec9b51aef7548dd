import picomatch from 'picomatch';
import type { ManifestOf } from '../manifest-facts.ts';
import type { TreeIndex } from './resolution.ts';
import { folderOf, isWithin, joinPath } from '../tree-paths.ts';

/**
 * Packages of the repository that its others import by name, as folders by name: members of a
 * workspace, and folders that a dependency points to. Other manifests may bear any name (fixtures are
 * called like what they stand for), so they are not asked.
 */
export const workspacePackages = (
  index: TreeIndex,
  packages: ReadonlyMap<string, ManifestOf<'package'>>,
): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, Set<string>>();
  const add = (name: string | undefined, folder: string): void => {
    if (name === undefined) return;
    const known = found.get(name);
    if (known === undefined) found.set(name, new Set([folder]));
    else known.add(folder);
  };
  for (const { folder: root, patterns } of declaredIn(index)) {
    const isMember = memberMatcher(patterns);
    for (const [folder, { name }] of packages) {
      if (folder === root || !isWithin(root, folder)) continue;
      if (isMember(root === '' ? folder : folder.slice(root.length + 1))) add(name, folder);
    }
  }
  for (const [folder, { local }] of packages) {
    for (const [name, path] of local) {
      const target = path === '' ? undefined : joinPath(folder, path);
      if (target !== undefined && packages.has(target)) add(name, target);
    }
  }
  return new Map([...found].map(([name, folders]) => [name, [...folders]]));
};

const declaredIn = (
  index: TreeIndex,
): readonly { readonly folder: string; readonly patterns: readonly string[] }[] =>
  [...index.facts].flatMap(([path, { manifest }]) => {
    if (manifest?.kind !== 'package' && manifest?.kind !== 'workspaces') return [];
    const patterns = manifest.workspaces;
    return patterns.length === 0 ? [] : [{ folder: folderOf(path), patterns }];
  });

/** Patterns in the order they are written: a later `!x` takes out of what earlier ones took in. */
const memberMatcher = (patterns: readonly string[]): ((folder: string) => boolean) => {
  const rules = patterns.map((pattern) => {
    const isNegative = pattern.startsWith('!');
    const path = pattern
      .slice(isNegative ? 1 : 0)
      .replace(/^\.\//, '')
      .replace(/\/+$/, '');
    return { isNegative, matches: path === '' ? () => false : picomatch(path, { dot: true }) };
  });
  return (folder) =>
    rules.reduce(
      (isMember, { isNegative, matches }) => (matches(folder) ? !isNegative : isMember),
      false,
    );
};
