import type { FileFacts } from '../file-facts.ts';
import {
  ELSEWHERE,
  toFile,
  toFiles,
  type Resolve,
  type ResolveNames,
  type Target,
  type TreeIndex,
} from './resolution.ts';
import { nearest } from '../tree-paths.ts';

/**
 * Java and Kotlin files say which package they are in and what they declare, so names are looked up
 * there, not in folders. A wildcard leads to those files of the package whose types are used.
 */
export const createJvmResolver = (
  index: TreeIndex,
): { readonly resolve: Resolve; readonly resolveNames: ResolveNames } => {
  const declared = declaredNames(index, 'jvm');
  const targetOf = (from: string, name: string): Target | undefined =>
    chooseFile(from, declared.get(name) ?? []);

  const resolve: Resolve = (from, { specifier }) => {
    const isWildcard = specifier.endsWith('.*');
    const name = isWildcard ? specifier.slice(0, -2) : specifier;
    // Members and inner classes stand behind the outer one.
    for (let at = name; at !== ''; at = at.slice(0, Math.max(at.lastIndexOf('.'), 0))) {
      const target = targetOf(from, at);
      if (target !== undefined) return toFile(target.path, target);
    }
    if (!isWildcard) return ELSEWHERE;
    const facts = index.facts.get(from);
    // A name that is imported by itself is not the wildcard's.
    const imported = new Set(facts?.imports.map((other) => lastName(other.specifier)));
    const used = (facts?.mentions ?? []).flatMap((mention) =>
      imported.has(mention.name) ? [] : (targetOf(from, `${name}.${mention.name}`)?.path ?? []),
    );
    return toFiles([...new Set(used)], { confidence: 0.9, source: 'package-names' });
  };

  const resolveNames: ResolveNames = (from, facts) => {
    const imported = new Set(facts.imports.map(({ specifier }) => lastName(specifier)));
    const own = new Set(facts.declares.map(lastName));
    return facts.packages.flatMap((name) =>
      facts.mentions.flatMap((mention) => {
        if (imported.has(mention.name) || own.has(mention.name)) return [];
        const target = targetOf(from, name === '' ? mention.name : `${name}.${mention.name}`);
        if (target === undefined) return [];
        return [
          {
            line: mention.line,
            targets: [{ path: target.path, confidence: 0.9, source: 'same-package' as const }],
          },
        ];
      }),
    );
  };
  return { resolve, resolveNames };
};

const lastName = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** Files of a family by the whole names that they declare. */
export const declaredNames = (
  { facts }: TreeIndex,
  family: FileFacts['family'],
): ReadonlyMap<string, readonly string[]> => {
  const declared = new Map<string, string[]>();
  for (const [path, file] of facts) {
    if (file.family !== family) continue;
    for (const name of file.declares) {
      const known = declared.get(name);
      if (known === undefined) declared.set(name, [path]);
      else known.push(path);
    }
  }
  return declared;
};

/** One file is sure, of several the nearest is likely; two as near are none. */
export const chooseFile = (from: string, files: readonly string[]): Target | undefined => {
  const [first] = files;
  if (first === undefined) return undefined;
  if (files.length === 1) return { path: first, source: 'declared-name' };
  const path = files.includes(from) ? from : nearest(from, files);
  return path === undefined ? undefined : { path, confidence: 0.7, source: 'nearest' };
};
