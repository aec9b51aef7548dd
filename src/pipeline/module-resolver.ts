export type ResolvedModule =
  | { readonly kind: 'file'; readonly path: string }
  /** It ought to be a file of the tree and is not there. */
  | { readonly kind: 'missing' }
  /** A package, a built-in or an alias: nothing that paths alone can answer. */
  | { readonly kind: 'elsewhere' };

/**
 * Resolves relative imports against the files of the inventory, as Node, TypeScript and bundlers
 * together would: the exact file, the TypeScript source of a `.js`, an added extension, an index.
 */
export const createModuleResolver = (
  paths: readonly string[],
): ((from: string, specifier: string) => ResolvedModule) => {
  const files = new Set(paths);
  return (from, specifier) => {
    if (!/^\.\.?(?:\/|$)/.test(specifier)) return { kind: 'elsewhere' };
    const target = joinRelative(from, specifier.replace(/[?#].*$/, ''));
    if (target === undefined) return { kind: 'missing' };
    if (files.has(target)) return { kind: 'file', path: target };
    const path = candidates(target).find((candidate) => files.has(candidate));
    if (path !== undefined) return { kind: 'file', path };
    // A folder's manifest names the file; what it names is not known here.
    const isPackage = files.has(target === '' ? 'package.json' : `${target}/package.json`);
    return { kind: isPackage ? 'elsewhere' : 'missing' };
  };
};

/** Undefined when it leads out of the root. A folder ends without a slash; the root is empty. */
const joinRelative = (from: string, specifier: string): string | undefined => {
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
};

const ADDED = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json', '.d.ts'];
/** What a written extension may stand for in TypeScript. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.jsx', '.d.ts'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts', '.d.cts'],
};

const candidates = (target: string): readonly string[] => {
  const extension = /\.[cm]?jsx?$/.exec(target)?.[0] ?? '';
  const stem = target.slice(0, target.length - extension.length);
  const index = target === '' ? 'index' : `${target}/index`;
  return [
    ...(SOURCES[extension] ?? []).map((source) => stem + source),
    ...ADDED.map((added) => target + added),
    ...ADDED.map((added) => index + added),
  ];
};
