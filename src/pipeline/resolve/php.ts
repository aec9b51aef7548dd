import type { FileFacts } from '../file-facts.ts';
import { chooseFile, declaredNames } from './jvm.ts';
import {
  ELSEWHERE,
  MISSING,
  toFile,
  type Resolve,
  type ResolveNames,
  type Target,
  type TreeIndex,
} from './resolution.ts';
import { folderOf, foldersUp, joinPath } from '../tree-paths.ts';

/**
 * Names lead to files as composer's autoloader would find them, else to the file that declares them,
 * as its class map would. Includes are looked for beside the file, then from each folder above.
 */
export const createPhpResolver = (
  index: TreeIndex,
): { readonly resolve: Resolve; readonly resolveNames: ResolveNames } => {
  const declared = declaredNames(index, 'php');
  const autoload = autoloadRules(index);

  const targetOf = (from: string, name: string): Target | undefined => {
    const loaded = autoload(name, index.files);
    // A file in the right place that declares something else is not it.
    if (loaded !== undefined && (index.facts.get(loaded)?.declares.includes(name) ?? true)) {
      return { path: loaded, source: 'composer' };
    }
    return chooseFile(from, declared.get(name) ?? []);
  };

  const include = (from: string, specifier: string, isRelative: boolean) => {
    const folders = isRelative ? [folderOf(from)] : foldersUp(folderOf(from));
    for (const [at, folder] of folders.entries()) {
      const path = joinPath(folder, specifier);
      if (path === undefined || !index.files.has(path)) continue;
      return at === 0 ? toFile(path) : toFile(path, { source: 'load-path', confidence: 0.7 });
    }
    return isRelative ? MISSING : ELSEWHERE;
  };

  const resolve: Resolve = (from, fact) => {
    if (fact.kind === 'require') return include(from, fact.specifier, fact.form === 'relative');
    const facts = index.facts.get(from);
    const names = fact.form === 'partial' ? wholeNames(fact.specifier, facts) : [fact.specifier];
    for (const name of names) {
      const target = targetOf(from, name);
      if (target !== undefined) return toFile(target.path, target);
    }
    return ELSEWHERE;
  };

  const resolveNames: ResolveNames = (from, facts) => {
    const imported = new Set(facts.imports.map(({ specifier }) => lastName(specifier)));
    const own = new Set(facts.declares.map(lastName));
    return facts.packages.flatMap((space) =>
      facts.mentions.flatMap(({ name, line }) => {
        if (imported.has(name) || own.has(name)) return [];
        const target = targetOf(from, space === '' ? name : `${space}\\${name}`);
        if (target === undefined) return [];
        const path = target.path;
        return [{ line, targets: [{ path, confidence: 0.9, source: 'same-package' as const }] }];
      }),
    );
  };
  return { resolve, resolveNames };
};

const lastName = (name: string): string => name.slice(name.lastIndexOf('\\') + 1);

/** `A\B` may start at an imported `A` or in the file's own namespace. */
const wholeNames = (name: string, facts: FileFacts | undefined): readonly string[] => {
  const first = name.split('\\', 1)[0] ?? '';
  const rest = name.slice(first.length);
  const imported = (facts?.imports ?? []).filter(
    ({ specifier, form }) => form === undefined && lastName(specifier) === first,
  );
  return [
    ...imported.map(({ specifier }) => specifier + rest),
    ...(facts?.packages ?? []).map((space) => (space === '' ? name : `${space}\\${name}`)),
  ];
};

type Rule = { readonly prefix: string; readonly folder: string; readonly isPsr0: boolean };

const autoloadRules = (
  index: TreeIndex,
): ((name: string, files: ReadonlySet<string>) => string | undefined) => {
  const rules: Rule[] = [];
  for (const [path, { manifest }] of index.facts) {
    if (manifest?.kind !== 'composer') continue;
    const add = (isPsr0: boolean) => {
      return ([prefix, target]: readonly [string, string]): void => {
        const folder = joinPath(folderOf(path), target);
        if (folder !== undefined) rules.push({ prefix, folder, isPsr0 });
      };
    };
    manifest.psr4.forEach(add(false));
    manifest.psr0.forEach(add(true));
  }
  // The longest prefix first, as composer asks them.
  const ordered = rules.toSorted((left, right) => right.prefix.length - left.prefix.length);
  const byFirst = new Map<string, Rule[]>();
  for (const rule of ordered) {
    const first = rule.prefix.split('\\', 1)[0] ?? '';
    const known = byFirst.get(first);
    if (known === undefined) byFirst.set(first, [rule]);
    else known.push(rule);
  }
  return (name, files) => {
    const first = name.split('\\', 1)[0] ?? '';
    for (const rule of [...(byFirst.get(first) ?? []), ...(byFirst.get('') ?? [])]) {
      if (!name.startsWith(rule.prefix)) continue;
      const path = joinPath(rule.folder, fileOf(rule, name));
      if (path !== undefined && files.has(path)) return path;
    }
    return undefined;
  };
};

/** PSR-0 keeps the whole name as folders and reads underscores of the class as more of them. */
const fileOf = ({ prefix, isPsr0 }: Rule, name: string): string => {
  if (!isPsr0) return `${name.slice(prefix.length).replaceAll('\\', '/')}.php`;
  const last = lastName(name);
  const space = name.slice(0, name.length - last.length).replaceAll('\\', '/');
  return `${space}${last.replaceAll('_', '/')}.php`;
};
