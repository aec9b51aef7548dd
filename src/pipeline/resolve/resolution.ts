import type { EdgeSource } from '../import-edge.ts';
import type { FileFacts, ImportFact } from '../file-facts.ts';

/** A file that an import leads to. Without a source the import names it by its path. */
export type Target = {
  readonly path: string;
  /** Absent: 1. */
  readonly confidence?: number;
  readonly source?: EdgeSource;
};

export type Resolution =
  | { readonly kind: 'files'; readonly targets: readonly Target[] }
  /** It ought to be a file of the tree and is not there. */
  | { readonly kind: 'missing' }
  /** A package, a built-in, or something that the tree alone cannot answer. */
  | { readonly kind: 'elsewhere' };

export const MISSING: Resolution = { kind: 'missing' };
export const ELSEWHERE: Resolution = { kind: 'elsewhere' };

export const toFile = (path: string, how: Omit<Target, 'path'> = {}): Resolution => ({
  kind: 'files',
  targets: [{ path, ...how }],
});

export const toFiles = (paths: readonly string[], how: Omit<Target, 'path'>): Resolution =>
  paths.length === 0
    ? ELSEWHERE
    : { kind: 'files', targets: paths.map((path) => ({ path, ...how })) };

/** The tree as resolvers see it: all paths, and what the parsers said of the files they read. */
export type TreeIndex = {
  readonly files: ReadonlySet<string>;
  /** Sorted by path. */
  readonly facts: ReadonlyMap<string, FileFacts>;
};

/** Resolves one import of a file; built once for a tree, from an index of its own. */
export type Resolve = (from: string, fact: ImportFact) => Resolution;

/** A use of a name without an import of its own, and the files that declare it. */
export type NameUse = { readonly line: number; readonly targets: readonly Target[] };
export type ResolveNames = (from: string, facts: FileFacts) => readonly NameUse[];
