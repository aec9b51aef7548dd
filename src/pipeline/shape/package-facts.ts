import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { z } from 'zod';

/** What a manifest names as a way in: as it is written, relative to the manifest's folder. */
export const packageEntry = z.object({
  /** `main` and `export`: what others import; `bin`: a program; `script`: what its developers run. */
  kind: z.enum(['main', 'export', 'bin', 'script']),
  /** A path, or `package.module` of Python. */
  target: z.string(),
  name: z.string().optional(),
});
export type PackageEntry = z.infer<typeof packageEntry>;

/** Who a package is, what it gives and what it says it needs. */
export const packageFacts = z.object({
  ecosystem: z.enum(['npm', 'python', 'cargo', 'composer']),
  name: z.string().optional(),
  entries: z.array(packageEntry),
  /** Names of all kinds of declared dependencies, sorted. */
  dependencies: z.array(z.string()),
});
export type PackageFacts = z.infer<typeof packageFacts>;

/** @returns undefined for what is no manifest of a package, or none that can be read. */
export const readPackageFacts = (path: string, text: string): PackageFacts | undefined => {
  const read = READERS.get(path.slice(path.lastIndexOf('/') + 1));
  if (read === undefined) return undefined;
  try {
    return read(text);
  } catch (error) {
    // The parsers throw on what they cannot read; such a manifest says nothing.
    if (error instanceof Error) return undefined;
    throw error;
  }
};

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

const ENTRIES_MAX = 1000;

const readNpm = (text: string): PackageFacts => {
  const fields = fieldsOf(parseJsonc(text, [], { allowTrailingComma: true }));
  const name = textOf(fields['name']);
  const entries: PackageEntry[] = [];
  const add = (kind: PackageEntry['kind'], target: unknown, entryName?: string): void => {
    if (typeof target !== 'string' || target === '' || entries.length >= ENTRIES_MAX) return;
    entries.push({ kind, target, ...(entryName !== undefined && { name: entryName }) });
  };
  for (const key of ['main', 'module', 'source']) add('main', fields[key]);
  const browser = fields['browser'];
  add('main', browser);
  const bin = fields['bin'];
  add('bin', bin, name);
  for (const [binName, target] of Object.entries(fieldsOf(bin))) add('bin', target, binName);
  for (const [key, target] of exportTargets(fields['exports'])) add('export', target, key);
  for (const [key, script] of Object.entries(fieldsOf(fields['scripts']))) {
    for (const path of scriptPaths(textOf(script) ?? '')) add('script', path, key);
  }
  return {
    ecosystem: 'npm',
    ...(name !== undefined && { name }),
    entries,
    dependencies: sortedKeys(
      ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].map(
        (key) => fields[key],
      ),
    ),
  };
};

/** Every path under `exports`, by its key, whatever its conditions; types are no way in. */
const exportTargets = (field: unknown): readonly (readonly [string, string])[] => {
  const found: (readonly [string, string])[] = [];
  const walk = (value: unknown, key: string, depth: number): void => {
    if (typeof value === 'string') found.push([key, value]);
    if (typeof value !== 'object' || value === null || depth > 10) return;
    for (const [inner, rest] of Object.entries(value)) {
      if (inner === 'types' || inner === 'typings') continue;
      walk(rest, inner.startsWith('.') ? inner : key, depth + 1);
    }
  };
  walk(field, '.', 0);
  return found;
};

/** Words of a script that look like source files: `tsx src/seed.ts --all`. */
const scriptPaths = (script: string): readonly string[] =>
  script
    .slice(0, 4000)
    .split(/[\s"'=;&|()]+/)
    .filter((word) => /^(?:\.\/)?[\w@][\w@./-]*\.(?:[cm]?[jt]sx?|py|sh|rb|php)$/.test(word));

const readPyproject = (text: string): PackageFacts => {
  const root = fieldsOf(parseToml(text));
  const project = fieldsOf(root['project']);
  const poetry = fieldsOf(fieldsOf(root['tool'])['poetry']);
  const name = textOf(project['name']) ?? textOf(poetry['name']);
  const scripts = [project['scripts'], project['gui-scripts'], poetry['scripts']];
  const points = Object.values(fieldsOf(project['entry-points']));
  return {
    ecosystem: 'python',
    ...(name !== undefined && { name }),
    entries: [...scripts, ...points].flatMap((table) =>
      Object.entries(fieldsOf(table)).flatMap(([key, value]): PackageEntry[] => {
        const target = /^[\w.]+/.exec(textOf(value) ?? '')?.[0];
        return target === undefined ? [] : [{ kind: 'bin', target, name: key }];
      }),
    ),
    dependencies: pythonDependencies(project['dependencies'], poetry['dependencies']),
  };
};

const pythonDependencies = (list: unknown, table: unknown): string[] => {
  const listed = Array.isArray(list) ? list : [];
  const names = listed.flatMap((item) => /^[\w.-]+/.exec(textOf(item) ?? '')?.[0] ?? []);
  return [...new Set([...names, ...Object.keys(fieldsOf(table))])].toSorted();
};

const readCargo = (text: string): PackageFacts => {
  const root = fieldsOf(parseToml(text));
  const name = textOf(fieldsOf(root['package'])['name']);
  const isPackage = name !== undefined;
  const bins = Array.isArray(root['bin']) ? root['bin'] : [];
  const library = textOf(fieldsOf(root['lib'])['path']);
  return {
    ecosystem: 'cargo',
    ...(isPackage && { name }),
    entries: isPackage
      ? [
          { kind: 'main', target: library ?? 'src/lib.rs' },
          { kind: 'bin', target: 'src/main.rs', name },
          ...bins.flatMap((bin): PackageEntry[] => {
            const target = textOf(fieldsOf(bin)['path']);
            return target === undefined ? [] : [{ kind: 'bin', target }];
          }),
        ]
      : [],
    dependencies: sortedKeys(
      ['dependencies', 'dev-dependencies', 'build-dependencies'].map((key) => root[key]),
    ),
  };
};

const readComposer = (text: string): PackageFacts => {
  const fields = fieldsOf(parseJsonc(text, [], { allowTrailingComma: true }));
  const name = textOf(fields['name']);
  const bins = [fields['bin']].flat();
  return {
    ecosystem: 'composer',
    ...(name !== undefined && { name }),
    entries: bins.flatMap((bin): PackageEntry[] =>
      typeof bin === 'string' ? [{ kind: 'bin', target: bin }] : [],
    ),
    dependencies: sortedKeys([fields['require'], fields['require-dev']]),
  };
};

const sortedKeys = (tables: readonly unknown[]): string[] =>
  [...new Set(tables.flatMap((table) => Object.keys(fieldsOf(table))))].toSorted();

const READERS: ReadonlyMap<string, (text: string) => PackageFacts> = new Map([
  ['package.json', readNpm],
  ['pyproject.toml', readPyproject],
  ['Cargo.toml', readCargo],
  ['composer.json', readComposer],
]);
