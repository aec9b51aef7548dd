import { z } from 'zod';
import { compareText } from '../std/canonical-json.ts';
import { includedFiles, type Disposition } from './disposition.ts';
import { importEdge, type ImportEdge } from './import-edge.ts';
import type { Inventory } from './inventory.ts';
import type { ModuleFacts } from './modules.ts';
import { createModuleResolver } from './module-resolver.ts';

export const syntaxError = z.object({
  path: z.string(),
  line: z.int().positive(),
  message: z.string(),
});
export type SyntaxErrorFact = z.infer<typeof syntaxError>;

/** The shape of the code: units over the included files and what the parsers saw in them. */
export const structure = z.object({
  /** Each included file is in exactly one unit. Sorted by id, files by path. */
  units: z.array(z.object({ id: z.string(), files: z.array(z.string()) })),
  /** Sorted by from, line, to. */
  edges: z.array(importEdge),
  syntaxErrors: z.array(syntaxError),
  /** Relative imports that lead to no file of the inventory. */
  unresolved: z.array(
    z.object({ path: z.string(), line: z.int().positive(), specifier: z.string() }),
  ),
  /** Files that a parser read. */
  parsed: z.array(z.string()),
});
export type Structure = z.infer<typeof structure>;

/** @param modules facts of included files, by path; files without facts have no edges. */
export const deriveStructure = (given: {
  readonly inventory: Inventory;
  readonly disposition: Disposition;
  readonly modules: ReadonlyMap<string, ModuleFacts>;
}): Structure => {
  const resolve = createModuleResolver(
    given.inventory.files.filter(({ kind }) => kind === 'file').map(({ path }) => path),
  );
  const edges: ImportEdge[] = [];
  const syntaxErrors: SyntaxErrorFact[] = [];
  const unresolved: Structure['unresolved'] = [];
  const parsed = [...given.modules.keys()].toSorted(compareText);
  for (const path of parsed) {
    const facts = given.modules.get(path);
    for (const { specifier, kind, line } of facts?.imports ?? []) {
      const target = resolve(path, specifier);
      if (target.kind === 'file') edges.push({ from: path, to: target.path, kind, line });
      if (target.kind === 'missing') unresolved.push({ path, line, specifier });
    }
    for (const error of facts?.syntaxErrors ?? []) syntaxErrors.push({ path, ...error });
  }
  return {
    units: unitsOf(given.inventory, given.disposition),
    edges: edges.toSorted(byPlace),
    syntaxErrors,
    unresolved,
    parsed,
  };
};

const byPlace = (left: ImportEdge, right: ImportEdge): number =>
  compareText(left.from, right.from) || left.line - right.line || compareText(left.to, right.to);

/** Folders that hold one of these are packages, whatever the language. */
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

/** Folders below a package that still make units of their own. */
const UNIT_DEPTH = 2;

/**
 * A unit is a folder of a package, down to two levels; deeper files belong to the second. Its id is
 * the folder (`.` for the root), so that adding a file moves no other file to another unit.
 */
const unitsOf = (inventory: Inventory, disposed: Disposition): Structure['units'] => {
  const files = includedFiles(inventory, disposed);
  const packages = new Set(
    files
      .map(({ path }) => split(path))
      .filter(({ name }) => MANIFESTS.has(name))
      .map(({ folder }) => folder),
  );
  const units = new Map<string, string[]>();
  for (const { path } of files) {
    const id = unitOf(split(path).folder, packages);
    const unit = units.get(id);
    if (unit === undefined) units.set(id, [path]);
    else unit.push(path);
  }
  return [...units]
    .map(([id, members]) => ({ id, files: members }))
    .toSorted((left, right) => compareText(left.id, right.id));
};

const unitOf = (folder: string, packages: ReadonlySet<string>): string => {
  const parts = folder === '' ? [] : folder.split('/');
  let depth = parts.length;
  while (depth > 0 && !packages.has(parts.slice(0, depth).join('/'))) depth -= 1;
  return parts.slice(0, depth + UNIT_DEPTH).join('/') || '.';
};

const split = (path: string): { readonly folder: string; readonly name: string } => {
  const slash = path.lastIndexOf('/');
  return { folder: path.slice(0, Math.max(slash, 0)), name: path.slice(slash + 1) };
};
