import { z } from 'zod';
import { compareText } from '../../std/canonical-json.ts';
import type { PackageFacts } from './package-facts.ts';
import { packageEntry } from './package-facts.ts';

/** A file that a manifest names as a way into its package. */
export const manifestEdge = z.object({
  manifest: z.string(),
  path: z.string(),
  kind: packageEntry.shape.kind,
  name: z.string().optional(),
  /** Below 1 where the named file is built, and this is what it is most likely built from. */
  confidence: z.number().min(0).max(1),
});
export type ManifestEdge = z.infer<typeof manifestEdge>;

/**
 * The files behind the entries of manifests. What leads to no file gives none: a package often names
 * what only a build makes, and then its source is looked for where builds usually take it from.
 */
export const deriveManifestEdges = (
  packages: ReadonlyMap<string, PackageFacts>,
  files: ReadonlySet<string>,
): ManifestEdge[] => {
  const found = new Map<string, ManifestEdge>();
  for (const [manifest, { entries, ecosystem }] of packages) {
    const folder = manifest.slice(0, manifest.lastIndexOf('/') + 1);
    for (const { kind, target, name } of entries) {
      const path =
        ecosystem === 'python'
          ? pythonFile(folder, target, files)
          : fileOf(normal(folder, target), folder, files);
      if (path === undefined) continue;
      const key = `${manifest}\n${path.path}\n${kind}`;
      if (!found.has(key))
        found.set(key, { manifest, kind, ...path, ...(name !== undefined && { name }) });
    }
    if (ecosystem === 'npm' && entries.every(({ kind }) => kind === 'bin' || kind === 'script')) {
      // Without any other word a package's entry is this, by Node's rule.
      const path = `${folder}index.js`;
      if (files.has(path))
        found.set(`${manifest}\n${path}\nmain`, { manifest, path, kind: 'main', confidence: 0.8 });
    }
  }
  return [...found.values()].toSorted(
    (left, right) =>
      compareText(left.manifest, right.manifest) ||
      compareText(left.path, right.path) ||
      compareText(left.kind, right.kind),
  );
};

type Target = { readonly path: string; readonly confidence: number };

/** `./a/../b` under a folder; undefined when it leaves the tree. */
const normal = (folder: string, target: string): string | undefined => {
  const names: string[] = [];
  for (const name of `${folder}${target}`.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return names.join('/');
};

const ENDINGS = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];
const BUILT =
  /(?:^|\/)(?:dist|lib|build|out|es|esm|cjs|umd)(?:\/(?:src|es|esm|cjs|umd|node|types))*\//;

const fileOf = (
  path: string | undefined,
  folder: string,
  files: ReadonlySet<string>,
): Target | undefined => {
  if (path === undefined || path.includes('*')) return undefined;
  const direct = firstFile([path, path === '' ? 'index' : `${path}/index`], files);
  if (direct !== undefined) return { path: direct, confidence: 1 };
  const inside = path.slice(folder.length);
  const built = BUILT.exec(inside);
  if (built === null) return undefined;
  const rest = inside.slice(built.index + built[0].length).replace(/\.[cm]?jsx?$/, '');
  const source = firstFile([`${folder}src/${rest}`, `${folder}${rest}`], files);
  return source === undefined ? undefined : { path: source, confidence: 0.7 };
};

const firstFile = (bases: readonly string[], files: ReadonlySet<string>): string | undefined => {
  for (const base of bases) {
    const written = /^(.*)\.([cm]?)jsx?$/.exec(base);
    const candidates = [
      ...ENDINGS.map((ending) => base + ending),
      ...(written === null ? [] : [`${written[1]}.${written[2]}ts`, `${written[1]}.tsx`]),
    ];
    const found = candidates.find((candidate) => files.has(candidate));
    if (found !== undefined) return found;
  }
  return undefined;
};

const pythonFile = (
  folder: string,
  module: string,
  files: ReadonlySet<string>,
): Target | undefined => {
  const path = module.replaceAll('.', '/');
  for (const root of [folder, `${folder}src/`, `${folder}lib/`]) {
    for (const candidate of [
      `${root}${path}.py`,
      `${root}${path}/__main__.py`,
      `${root}${path}/__init__.py`,
    ]) {
      if (files.has(candidate)) return { path: candidate, confidence: 1 };
    }
  }
  return undefined;
};
