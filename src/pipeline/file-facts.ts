import { z } from 'zod';
import { importKind } from './import-edge.ts';
import { manifestFacts } from './manifest-facts.ts';
import { packageFacts } from './shape/package-facts.ts';
import { fileSignals } from './signals/file-signals.ts';

/** Languages that resolve names by the same rules. */
export const languageFamily = z.enum([
  'ecmascript',
  'python',
  'go',
  'jvm',
  'dotnet',
  'rust',
  'ruby',
  'php',
  'c',
  'manifest',
]);
export type LanguageFamily = z.infer<typeof languageFamily>;

/**
 * What the syntax of an import says beyond its specifier. `relative` starts at the file's own folder,
 * `angle` is C's `<x>`, `mod` is Rust's `mod x;`, `global` holds for the whole project, `partial` may
 * be a name in the file's own namespace.
 */
const importForm = z.enum(['relative', 'angle', 'mod', 'global', 'partial']);

export const importFact = z.object({
  /** As it is written, or as its language spells a whole name (`a.b.C`, `crate::a`, `A\B`). */
  specifier: z.string(),
  kind: importKind,
  line: z.int().positive(),
  form: importForm.optional(),
  /** What is taken from it, where the syntax tells; `*` for everything. */
  names: z.array(z.string()).optional(),
});
export type ImportFact = z.infer<typeof importFact>;

/** One thing a file defines. Sorted by start, outer before inner: `depth` makes a tree of them. */
export const definitionFact = z.object({
  name: z.string(),
  kind: z.enum(['function', 'method', 'class', 'interface', 'enum', 'type', 'module', 'constant']),
  line: z.int().positive(),
  endLine: z.int().positive(),
  /** Definitions around it. */
  depth: z.int().nonnegative(),
});
export type DefinitionFact = z.infer<typeof definitionFact>;

export const syntaxErrorFact = z.object({ line: z.int().positive(), message: z.string() });

/**
 * What one file says about itself: a function of its content, its extension and its language, so
 * that it can be kept under them. All lines are lines of the file, from 1.
 */
export const fileFacts = z.object({
  family: languageFamily,
  imports: z.array(importFact),
  /** Packages or namespaces that the file is in. */
  packages: z.array(z.string()),
  /** Whole names that others may reach in it, sorted; of those languages that find files by name. */
  declares: z.array(z.string()),
  /** Names of types used in it, by their first line; where a name alone may lead to a file. */
  mentions: z.array(z.object({ name: z.string(), line: z.int().positive() })),
  /** Absent for most JavaScript and TypeScript, where they are dear: `extractDefinitions` gives them. */
  definitions: z.array(definitionFact).optional(),
  /** Only of parsers that are sure; none when at least one way to read the file is free of errors. */
  syntaxErrors: z.array(syntaxErrorFact),
  manifest: manifestFacts.optional(),
  /** What a manifest says of its package as a whole. */
  packageFacts: packageFacts.optional(),
  /** Of source files that a parser read. */
  signals: fileSignals.optional(),
});
export type FileFacts = z.infer<typeof fileFacts>;

/** Facts of a file that says nothing. */
export const emptyFacts = (family: LanguageFamily): FileFacts => ({
  family,
  imports: [],
  packages: [],
  declares: [],
  mentions: [],
  syntaxErrors: [],
});
