import { ELSEWHERE, MISSING, toFile, type Resolve, type TreeIndex } from './resolution.ts';
import { folderOf, joinPath, nameOf, nearest, within } from '../tree-paths.ts';

/** Folders whose files are required by their path in them: on load paths by convention. */
const LOAD_FOLDERS: ReadonlySet<string> = new Set(['lib', 'app', 'test', 'spec', 'ext']);

/**
 * `require_relative` names a file; `require` looks through load paths, which are the `lib`, `test`
 * and `spec` folders of the tree and its root. Of several the nearest is meant. What is in none is a
 * gem or part of Ruby.
 */
export const createRubyResolver = (index: TreeIndex): Resolve => {
  const byName = new Map<string, string[]>();
  const add = (name: string, path: string): void => {
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [path]);
    else known.push(path);
  };
  for (const path of index.files) {
    if (!path.endsWith('.rb')) continue;
    const folders = path.split('/');
    for (let at = 0; at < folders.length - 1; at += 1) {
      if (LOAD_FOLDERS.has(folders[at] ?? '')) add(folders.slice(at + 1).join('/'), path);
    }
  }
  return (from, fact) => {
    const file = (path: string): string | undefined =>
      [path, `${path}.rb`].find((candidate) => index.files.has(candidate) && candidate !== '');
    if (fact.form === 'relative' || /^\.\.?\//.test(fact.specifier)) {
      const path = joinPath(folderOf(from), fact.specifier);
      const found = path === undefined ? undefined : file(path);
      return found === undefined ? MISSING : toFile(found);
    }
    const written = fact.specifier.endsWith('.rb') ? fact.specifier : `${fact.specifier}.rb`;
    const found = byName.get(written) ?? [];
    const [only] = found;
    if (found.length === 1 && only !== undefined) return toFile(only, { source: 'load-path' });
    if (found.length > 1) {
      const path = found.find((candidate) => candidate === within(rootOf(from), written));
      const chosen = path ?? nearest(from, found);
      return chosen === undefined
        ? ELSEWHERE
        : toFile(chosen, { source: 'nearest', confidence: 0.8 });
    }
    // From the root of the project: scripts are started there.
    const atRoot = fact.specifier.includes('/') ? file(fact.specifier) : undefined;
    return atRoot === undefined || nameOf(atRoot) === ''
      ? ELSEWHERE
      : toFile(atRoot, { source: 'load-path', confidence: 0.8 });
  };
};

/** The load folder that a file is in. */
const rootOf = (path: string): string => {
  const folders = path.split('/').slice(0, -1);
  const at = folders.findLastIndex((folder) => LOAD_FOLDERS.has(folder));
  return folders.slice(0, at + 1).join('/');
};
