import { z } from 'zod';
import { compareText } from '../../std/canonical-json.ts';
import type { FileFacts } from '../file-facts.ts';
import { surfaceFact } from '../signals/file-signals.ts';
import { isTrialPath } from './path-kinds.ts';
import type { ManifestEdge } from './manifest-edges.ts';
import type { PackageFacts } from './package-facts.ts';

/** An entrance and the file that declares it. */
export const surface = surfaceFact.extend({ path: z.string() });
export type Surface = z.infer<typeof surface>;

/**
 * The entrances of a tree: those that the syntax of a file declares, those that a manifest names, and
 * routes that a framework finds by a file's place. Tests have none, whatever they declare, and a
 * folder is no route by its name alone. Those of examples and the like are half as sure: they show how
 * the thing is used. Sorted by path, line, name.
 */
export const deriveSurfaces = (given: {
  /** Included files that are no tests, with what their parser saw. */
  readonly facts: ReadonlyMap<string, FileFacts>;
  readonly entries: readonly ManifestEdge[];
  readonly packages: ReadonlyMap<string, PackageFacts>;
}): Surface[] => {
  const found: Surface[] = [];
  const dependsOn = createDependencies(given.packages);
  for (const [path, { signals }] of given.facts) {
    if (signals === undefined) continue;
    for (const fact of signals.surfaces) found.push({ path, ...fact });
    const placed = placedRoutes(path, signals.exports, (name) => dependsOn(path, name));
    for (const name of placed?.names ?? []) {
      found.push({
        path,
        kind: 'route',
        line: 1,
        name,
        framework: placed?.framework ?? '',
        confidence: 0.9,
      });
    }
  }
  for (const { path, kind, name, manifest, confidence } of given.entries) {
    if (kind === 'script' || !given.facts.has(path)) continue;
    found.push({
      path,
      kind: kind === 'bin' ? 'command' : 'api',
      line: 1,
      name: name ?? kind,
      framework: manifest.slice(manifest.lastIndexOf('/') + 1),
      confidence,
    });
  }
  // Two names for what a file gives are one entrance.
  const keyOf = ({ path, kind, line, name }: Surface): string =>
    kind === 'api' ? `${path}\n${kind}` : `${path}\n${kind}\n${line}\n${name}`;
  const once = new Map(found.toReversed().map((one) => [keyOf(one), one]));
  const weighed = [...once.values()].map((one) =>
    isTrialPath(one.path) ? { ...one, confidence: one.confidence / 2 } : one,
  );
  return weighed.toSorted(
    (left, right) =>
      compareText(left.path, right.path) ||
      left.line - right.line ||
      compareText(left.name, right.name) ||
      compareText(left.kind, right.kind),
  );
};

/** Whether the package around a file, or one around that, says that it needs another. */
const createDependencies = (packages: ReadonlyMap<string, PackageFacts>) => {
  const byFolder = new Map<string, Set<string>>();
  for (const [manifest, { dependencies }] of packages) {
    const folder = manifest.slice(0, Math.max(manifest.lastIndexOf('/'), 0));
    byFolder.set(folder, new Set([...(byFolder.get(folder) ?? []), ...dependencies]));
  }
  return (path: string, name: string): boolean => {
    for (let end = path.lastIndexOf('/'); ; end = path.lastIndexOf('/', end - 1)) {
      if (byFolder.get(path.slice(0, Math.max(end, 0)))?.has(name) === true) return true;
      if (end <= 0) return false;
    }
  };
};

const VERBS: ReadonlySet<string> = new Set([
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
]);

type Placed = { readonly framework: string; readonly names: readonly string[] };

/** Next, SvelteKit and Nuxt route by place; that counts only in a package that depends on them. */
const placedRoutes = (
  path: string,
  exports: readonly string[],
  dependsOn: (name: string) => boolean,
): Placed | undefined => {
  const verbs = exports.filter((name) => VERBS.has(name));
  const app = /(?:^|\/)app\/(.*\/)?route\.[jt]sx?$/.exec(path);
  if (app !== null && verbs.length > 0 && dependsOn('next')) {
    return { framework: 'next', names: verbs.map((verb) => `${verb} /${placeOf(app[1] ?? '')}`) };
  }
  const pages = /(?:^|\/)pages\/(api\/.*)\.[jt]sx?$/.exec(path);
  if (pages !== null && exports.includes('default') && dependsOn('next')) {
    return { framework: 'next', names: [`ANY /${(pages[1] ?? '').replace(/\/index$/, '')}`] };
  }
  const svelte = /(?:^|\/)routes\/(.*\/)?\+server\.[jt]s$/.exec(path);
  if (svelte !== null && verbs.length > 0 && dependsOn('@sveltejs/kit')) {
    return {
      framework: '@sveltejs/kit',
      names: verbs.map((verb) => `${verb} /${placeOf(svelte[1] ?? '')}`),
    };
  }
  const nuxt = /(?:^|\/)server\/((?:api|routes)\/.*)\.[jt]s$/.exec(path);
  if (nuxt !== null && exports.includes('default') && dependsOn('nuxt')) {
    return { framework: 'nuxt', names: [`ANY /${nuxt[1] ?? ''}`] };
  }
  return undefined;
};

/** Groups in round brackets are no part of the address. */
const placeOf = (folder: string): string =>
  folder
    .split('/')
    .filter((name) => name !== '' && !/^\(.*\)$/.test(name))
    .join('/');
