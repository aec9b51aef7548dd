import type { FileFacts, ImportFact } from '../file-facts.ts';
import { chooseFile, declaredNames } from './jvm.ts';
import {
  ELSEWHERE,
  toFiles,
  type NameUse,
  type Resolve,
  type ResolveNames,
  type TreeIndex,
} from './resolution.ts';
import { folderOf, foldersUp } from '../tree-paths.ts';

/**
 * A `using` opens a namespace, which any number of files share: its edges go to those files that
 * declare a type of the namespace that is used here. A partial type is in all of its files.
 */
export const createCsharpResolver = (
  index: TreeIndex,
): { readonly resolve: Resolve; readonly resolveNames: ResolveNames } => {
  const declared = declaredNames(index, 'dotnet');
  const globals = globalUsings(index);

  const filesOf = (from: string, name: string): readonly string[] => {
    const files = declared.get(name) ?? [];
    if (files.length <= PARTS_MAX) return files;
    const chosen = chooseFile(from, files);
    return chosen === undefined ? [] : [chosen.path];
  };

  /** Types of a namespace that the file mentions; an attribute's name may leave out its end. */
  const usedOf = (from: string, namespace: string, facts: FileFacts): readonly NameUse[] => {
    const prefix = namespace === '' ? '' : `${namespace}.`;
    return facts.mentions.flatMap(({ name, line }) => {
      const exact = filesOf(from, prefix + name);
      const files = exact.length > 0 ? exact : filesOf(from, `${prefix}${name}Attribute`);
      return files.length === 0 ? [] : [{ line, targets: files.map((path) => ({ path })) }];
    });
  };

  const resolve: Resolve = (from, fact) => {
    const facts = index.facts.get(from);
    if (facts === undefined) return ELSEWHERE;
    const type = filesOf(from, fact.specifier);
    if (type.length > 0) return toFiles(type, { source: 'declared-name' });
    if (fact.names !== undefined) return ELSEWHERE;
    const used = usedOf(from, fact.specifier, facts).flatMap(({ targets }) => targets);
    return toFiles([...new Set(used.map(({ path }) => path))], {
      confidence: 0.9,
      source: 'package-names',
    });
  };

  const resolveNames: ResolveNames = (from, facts) => {
    const open = new Set(facts.packages.flatMap(namespacesAround));
    const same = [...open].flatMap((namespace) => usedOf(from, namespace, facts));
    const folders = foldersUp(folderOf(from));
    const everywhere = globals.filter(({ folder }) => folders.includes(folder));
    const global = [...new Set(everywhere.map(({ namespace }) => namespace))].flatMap(
      (namespace) => (open.has(namespace) ? [] : usedOf(from, namespace, facts)),
    );
    return [...withSource(same, 'same-package', 0.9), ...withSource(global, 'global-using', 0.8)];
  };
  return { resolve, resolveNames };
};

/** A type in more files than this is a common name of several projects, not a partial type. */
const PARTS_MAX = 6;

const withSource = (
  uses: readonly NameUse[],
  source: 'same-package' | 'global-using',
  confidence: number,
): readonly NameUse[] =>
  uses.map(({ line, targets }) => ({
    line,
    targets: targets.map(({ path }) => ({ path, confidence, source })),
  }));

/** `A.B.C` sees what is in `A.B.C`, `A.B`, `A` and outside of any. */
const namespacesAround = (namespace: string): readonly string[] => {
  const around: string[] = [];
  for (let at = namespace; at !== ''; at = at.slice(0, Math.max(at.lastIndexOf('.'), 0))) {
    around.push(at);
  }
  return [...around, ''];
};

/** They hold in the project of their file: the nearest folder with a project file. */
const globalUsings = (
  index: TreeIndex,
): readonly { readonly folder: string; readonly namespace: string }[] => {
  const projects = new Set<string>();
  for (const path of index.files) if (path.endsWith('.csproj')) projects.add(folderOf(path));
  const isGlobal = ({ form, names }: ImportFact) => form === 'global' && names === undefined;
  return [...index.facts].flatMap(([path, { family, imports }]) => {
    if (family !== 'dotnet') return [];
    const found = imports.filter(isGlobal);
    if (found.length === 0) return [];
    const folder = foldersUp(folderOf(path)).find((up) => projects.has(up)) ?? folderOf(path);
    return found.map(({ specifier }) => ({ folder, namespace: specifier }));
  });
};
