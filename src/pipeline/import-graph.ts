import { compareText } from '../std/canonical-json.ts';
import type { FileFacts } from './file-facts.ts';
import type { ImportEdge, ImportKind } from './import-edge.ts';
import { createModuleResolver } from './module-resolver.ts';
import type { Target } from './resolve/resolution.ts';

export type ImportGraph = {
  /** Sorted by from, line, to. */
  readonly edges: readonly ImportEdge[];
  /** Imports that name a file of the tree that is not there. */
  readonly unresolved: readonly {
    readonly path: string;
    readonly line: number;
    readonly specifier: string;
  }[];
};

/**
 * The imports of all files as edges between them. Neither the order of the paths nor of the facts
 * changes anything.
 */
export const deriveImportGraph = (
  paths: readonly string[],
  facts: ReadonlyMap<string, FileFacts>,
): ImportGraph => {
  const sorted = new Map([...facts].toSorted(([left], [right]) => compareText(left, right)));
  const index = { files: new Set(paths.toSorted(compareText)), facts: sorted };
  const resolver = createModuleResolver(index);
  const edges: ImportEdge[] = [];
  const unresolved: ImportGraph['unresolved'][number][] = [];
  for (const [path, file] of sorted) {
    const own = new Map<string, ImportEdge>();
    const add = (target: Target, kind: ImportKind, line: number): void => {
      if (target.path === path) return;
      const key = `${kind} ${target.path}`;
      const known = own.get(key);
      if (known !== undefined && known.line <= line) return;
      own.set(key, edgeOf(path, target, kind, line));
    };
    for (const fact of file.imports) {
      const found = resolver.resolve(path, file.family, fact);
      switch (found.kind) {
        case 'files':
          for (const target of found.targets) add(target, fact.kind, fact.line);
          break;
        case 'missing':
          unresolved.push({ path, line: fact.line, specifier: fact.specifier });
          break;
        case 'elsewhere':
          break;
      }
    }
    // What is imported need not be told again as used.
    const imported = new Set([...own.values()].map(({ to }) => to));
    for (const { line, targets } of resolver.resolveNames(path, file)) {
      for (const target of targets) {
        if (!imported.has(target.path)) add(target, 'reference', line);
      }
    }
    edges.push(...[...own.values()].toSorted(byPlace));
  }
  return { edges, unresolved };
};

const edgeOf = (from: string, target: Target, kind: ImportKind, line: number): ImportEdge => ({
  from,
  to: target.path,
  kind,
  line,
  ...(target.confidence !== undefined && { confidence: target.confidence }),
  ...(target.source !== undefined && { source: target.source }),
});

const byPlace = (left: ImportEdge, right: ImportEdge): number =>
  left.line - right.line || compareText(left.to, right.to) || compareText(left.kind, right.kind);
