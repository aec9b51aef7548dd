import ignore from 'ignore';
import { z } from 'zod';
import type { Inventory, InventoryFile } from './inventory.ts';

/**
 * What becomes of a file. `included` is reviewed; `unreadable` could not be looked at and counts
 * against completeness; everything else is skipped for the stated reason.
 */
export const DISPOSITION_STATUSES = [
  'included',
  'unreadable',
  'generated',
  'vendored',
  'minified',
  'lockfile',
  'licence',
  'binary',
  'empty',
  'oversized',
  'link',
  'submodule',
  'special',
  'excluded',
] as const;
export const dispositionStatus = z.enum(DISPOSITION_STATUSES);
export type DispositionStatus = z.infer<typeof dispositionStatus>;

/** A status and a reason for every file of the inventory, in its order. */
export const disposition = z.object({
  files: z.array(z.object({ path: z.string(), status: dispositionStatus, reason: z.string() })),
});
export type Disposition = z.infer<typeof disposition>;

/** Patterns as in a `.gitignore`; with no `include`, everything is asked for. */
type Patterns = { readonly include: readonly string[]; readonly exclude: readonly string[] };

/** What the user asks for, and what the repository's own file leaves of it. */
export type Selection = Patterns & { readonly narrowing?: Patterns | undefined };

/**
 * Decides on every file by its place and its content's marks, the first rule that fits. Files that
 * are built from others in the tree are told by a mark or by their folder, never by a guess.
 */
export const deriveDisposition = (inventory: Inventory, selection: Selection): Disposition => {
  const { isIncluded, isExcluded } = matchersOf(selection);
  // Matched apart from the user's patterns: a `!pattern` of the repository brings nothing back.
  const narrowed = matchersOf(selection.narrowing ?? { include: [], exclude: [] });
  const builtFolders = findBuiltFolders(inventory);

  const decide = (file: InventoryFile): Decision => {
    if (!isIncluded(file.path)) return ['excluded', 'not among the paths that were asked for'];
    if (isExcluded(file.path)) return ['excluded', 'excluded by a pattern of the settings'];
    if (!narrowed.isIncluded(file.path) || narrowed.isExcluded(file.path)) {
      return ['excluded', "excluded by the repository's own configuration"];
    }
    return byKind(file) ?? byPath(file, builtFolders) ?? byContent(file) ?? INCLUDED;
  };

  return {
    files: inventory.files.map((file) => {
      const [status, reason] = decide(file);
      return { path: file.path, status, reason };
    }),
  };
};

/** How many files have each status; the sum is the number of files. */
export const dispositionTotals = (
  disposed: Disposition,
): Readonly<Record<DispositionStatus, number>> => {
  const totals = Object.fromEntries(DISPOSITION_STATUSES.map((status) => [status, 0])) as Record<
    DispositionStatus,
    number
  >;
  for (const { status } of disposed.files) totals[status] += 1;
  return totals;
};

/** The files that are reviewed, in the inventory's order. */
export const includedFiles = (
  inventory: Inventory,
  disposed: Disposition,
): readonly InventoryFile[] => {
  const included = new Set(
    disposed.files.filter(({ status }) => status === 'included').map(({ path }) => path),
  );
  return inventory.files.filter(({ path }) => included.has(path));
};

type Decision = readonly [status: DispositionStatus, reason: string];

const INCLUDED: Decision = ['included', 'text that people write'];

const matchersOf = ({ include, exclude }: Patterns) => ({
  isIncluded: include.length === 0 ? () => true : matcher(include),
  isExcluded: exclude.length === 0 ? () => false : matcher(exclude),
});

const matcher = (patterns: readonly string[]): ((path: string) => boolean) => {
  const rules = ignore({ ignorecase: false, allowRelativePaths: true }).add(patterns);
  return (path) => rules.ignores(path);
};

const byKind = (file: InventoryFile): Decision | undefined => {
  switch (file.kind) {
    case 'link':
      return ['link', `a link to ${file.target ?? 'an unknown place'}; links are not followed`];
    case 'submodule':
      return ['submodule', 'another repository; audit it on its own'];
    case 'other':
      return isVendored(file.path)
        ? ['vendored', 'a folder of installed packages; not listed file by file']
        : ['special', 'neither a file nor a link, or a folder that cannot be read'];
    case 'file':
      return file.unreadable === undefined
        ? undefined
        : ['unreadable', `reading it failed with ${file.unreadable}`];
  }
};

const byPath = (file: InventoryFile, builtFolders: ReadonlySet<string>): Decision | undefined => {
  const folders = file.path.split('/');
  const name = folders.pop() ?? '';
  if (isVendored(file.path)) return ['vendored', 'in a folder for the code of others'];
  if (file.encoding === 'binary') return ['binary', 'its bytes are not text'];
  if (file.size === 0) return ['empty', 'has no bytes'];
  if (LOCKFILES.has(name)) return ['lockfile', 'written by a package manager'];
  if (LICENCE_NAME.test(name) && LICENCE_LANGUAGES.has(file.language))
    return ['licence', 'licence or notice text'];
  if (MINIFIED_NAME.test(name)) return ['minified', 'minified by its name'];
  if (SOURCE_MAP.test(name)) return ['generated', 'a source map'];
  const built = folders.findIndex((_, depth) =>
    builtFolders.has(folders.slice(0, depth + 1).join('/')),
  );
  return built === -1
    ? undefined
    : [
        'generated',
        `in ${folders.slice(0, built + 1).join('/')}/, which is built from src/ beside it`,
      ];
};

const byContent = (file: InventoryFile): Decision | undefined => {
  if (file.size > BYTES_MAX) return ['oversized', 'larger than 20 MB: nobody wrote that by hand'];
  if (file.marks.includes('generated')) {
    return ['generated', 'says near its top that it is generated'];
  }
  if (file.marks.includes('minified') && CODE_LANGUAGES.has(file.language)) {
    return ['minified', 'its lines are too long for a person to have written them'];
  }
  return undefined;
};

/** No parser, analyzer or reader is given more at once. */
const BYTES_MAX = 20_000_000;

const isVendored = (path: string): boolean => VENDOR_FOLDER.test(path);
const VENDOR_FOLDER =
  /(?:^|\/)(?:node_modules|bower_components|vendor|vendors|third_party)(?:\/|$)/;

/** Long lines are common in data and prose; in these languages they come out of a minifier. */
const CODE_LANGUAGES: ReadonlySet<string> = new Set(['JavaScript', 'TypeScript', 'TSX', 'CSS']);

const MINIFIED_NAME = /[.-]min\.(?:js|mjs|cjs|css)$/i;
const SOURCE_MAP = /\.(?:[cm]?[jt]sx?|css)\.map$/i;
const LICENCE_NAME = /^(?:un)?(?:licen[cs]es?|copying|copyright|notice|patents)(?:[-_.][\w.-]+)?$/i;
/** `license.js` is code. */
const LICENCE_LANGUAGES: ReadonlySet<string> = new Set([
  'Text',
  'Markdown',
  'reStructuredText',
  'HTML',
  'Unknown',
]);

const LOCKFILES: ReadonlySet<string> = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
  'Cargo.lock',
  'composer.lock',
  'Gemfile.lock',
  'Pipfile.lock',
  'poetry.lock',
  'uv.lock',
  'pdm.lock',
  'go.sum',
  'flake.lock',
  'mix.lock',
  'pubspec.lock',
  'packages.lock.json',
  'Package.resolved',
  'Podfile.lock',
  'gradle.lockfile',
  '.terraform.lock.hcl',
]);

/**
 * `dist` beside `src`: what is in it is built from what is there. A `dist` alone, as in a published
 * package, is the only form of the code that there is, and is reviewed.
 */
const findBuiltFolders = (inventory: Inventory): ReadonlySet<string> => {
  const folders = new Set<string>();
  for (const { path } of inventory.files) {
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
      folders.add(path.slice(0, end));
    }
  }
  return new Set(
    [...folders].filter((folder) => {
      const parent = folder.slice(0, folder.lastIndexOf('/') + 1);
      return folder === `${parent}dist` && folders.has(`${parent}src`);
    }),
  );
};
