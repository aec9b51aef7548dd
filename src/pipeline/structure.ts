import { z } from 'zod';
import { compareText } from '../std/canonical-json.ts';
import { includedFiles, type Disposition } from './disposition.ts';
import type { FileFacts } from './file-facts.ts';
import { importEdge, type ImportEdge } from './import-edge.ts';
import { deriveImportGraph } from './import-graph.ts';
import type { Inventory } from './inventory.ts';
import { shape } from './shape/shape.ts';
import { cutIntoUnits } from './units.ts';

export const syntaxError = z.object({
  path: z.string(),
  line: z.int().positive(),
  message: z.string(),
});

/** The shape of the code: units over the included files and what the parsers saw in them. */
export const structure = z.object({
  /** Each included file is in exactly one unit. Sorted by id, files by path. */
  units: z.array(z.object({ id: z.string(), files: z.array(z.string()) })),
  /** Sorted by from, line, to. */
  edges: z.array(importEdge),
  syntaxErrors: z.array(syntaxError),
  /** Imports that name a place in the tree and lead to no file of the inventory. */
  unresolved: z.array(
    z.object({ path: z.string(), line: z.int().positive(), specifier: z.string() }),
  ),
  /** Imports of files that are deleted, as far as the selection says that they are. */
  lost: z.array(importEdge).optional(),
  /** Files that a parser read. */
  parsed: z.array(z.string()),
  /** Entrances, flows, tests, history and risk. Artifacts of earlier versions have none. */
  shape: shape.optional(),
});
export type Structure = z.infer<typeof structure>;

/**
 * @param given.modules facts of files, by path; files without facts have no edges.
 * @param given.deleted files that are gone, of which it is asked who imports them.
 */
export const deriveStructure = (given: {
  readonly inventory: Inventory;
  readonly disposition: Disposition;
  readonly modules: ReadonlyMap<string, FileFacts>;
  readonly deleted?: readonly string[] | undefined;
}): Structure => {
  const { modules, deleted = [] } = given;
  const paths = given.inventory.files.filter(({ kind }) => kind === 'file').map(({ path }) => path);
  const { edges, unresolved } = deriveImportGraph(paths, modules);
  const parsed = [...modules.keys()]
    .filter((path) => modules.get(path)?.family !== 'manifest')
    .toSorted(compareText);
  return {
    units: unitsOf(given.inventory, given.disposition),
    edges: [...edges],
    syntaxErrors: parsed.flatMap((path) =>
      (modules.get(path)?.syntaxErrors ?? []).map((error) => ({ path, ...error })),
    ),
    unresolved: [...unresolved],
    ...(deleted.length > 0 && { lost: lostEdges(paths, deleted, modules) }),
    parsed,
  };
};

/** The imports that would lead to a deleted file if it were still there. */
const lostEdges = (
  paths: readonly string[],
  deleted: readonly string[],
  modules: ReadonlyMap<string, FileFacts>,
): ImportEdge[] => {
  const gone = new Set(deleted);
  const { edges } = deriveImportGraph([...paths, ...deleted], modules);
  return edges.filter(({ to }) => gone.has(to));
};

/** Folders that hold one of these are packages, whatever the language: units start anew there. */
const MANIFESTS: ReadonlySet<string> = new Set([
  'package.json',
  'Cargo.toml',
  'go.mod',
  'pyproject.toml',
  'setup.py',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'composer.json',
  'Gemfile',
  'mix.exs',
]);

const unitsOf = (inventory: Inventory, disposed: Disposition): Structure['units'] => {
  const paths = includedFiles(inventory, disposed).map(({ path }) => path);
  const packages = paths.flatMap((path) => {
    const slash = path.lastIndexOf('/');
    return MANIFESTS.has(path.slice(slash + 1)) ? [path.slice(0, Math.max(slash, 0))] : [];
  });
  return cutIntoUnits(paths, new Set(packages));
};
