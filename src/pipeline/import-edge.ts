import { z } from 'zod';

/**
 * How one file needs the other. `import` and `require` load it with the file; `type` imports are
 * gone at run time; `dynamic` ones run later than the module; `module` makes the other file a part
 * of this one (Rust's `mod`); a `reference` uses a name without any import, as in one package.
 */
export const importKind = z.enum(['import', 'type', 'dynamic', 'require', 'module', 'reference']);
export type ImportKind = z.infer<typeof importKind>;

/** Which rule led to the file, for people who doubt an edge. */
export const edgeSource = z.enum([
  /** Rules of JavaScript and TypeScript. */
  'tsconfig-paths',
  'base-url',
  'root-dirs',
  'imports-field',
  'workspace',
  /** A package's entry is built; this is the source it is most likely built from. */
  'built-from',
  'self-reference',
  /** `@/` or `~/`, which bundlers are told to read as the package's `src`. */
  'usual-alias',
  /** A folder that module names start from. */
  'source-root',
  /** The files of a package that declare the names taken from it. */
  'package-names',
  /** All files of a package, since no name tells them apart. */
  'whole-package',
  /** A name that exactly these files declare. */
  'declared-name',
  'same-package',
  'global-using',
  'module-tree',
  'crate',
  'load-path',
  'composer',
  'include-folder',
  /** Several files fit, and this is the nearest. */
  'nearest',
]);
export type EdgeSource = z.infer<typeof edgeSource>;

/**
 * One import that leads to another file of the inventory, once for each kind. `line` is where it
 * stands first, from 1. Graphs have many edges, so what most of them share is left out.
 */
export const importEdge = z.object({
  from: z.string(),
  to: z.string(),
  kind: importKind,
  line: z.int().positive(),
  /** Below 1 where a rule chose; absent where syntax and path leave no choice. */
  confidence: z.number().min(0).max(1).optional(),
  /** Absent where the import itself names the file by its path. */
  source: edgeSource.optional(),
});
export type ImportEdge = z.infer<typeof importEdge>;
