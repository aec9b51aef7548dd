import ignore from 'ignore';
import { z } from 'zod';
import { IGNORE_FILE } from '../std/ignore-layers.ts';
import { component, deriveComponents, type Component } from './components.ts';
import { isGeneratedName } from './generated-marks.ts';
import type { Inventory, InventoryFile } from './inventory.ts';

/**
 * What becomes of a file. `included` is reviewed; `unreadable` could not be looked at and counts
 * against completeness; everything else is skipped for the stated reason. `outside`: its content is
 * not in the tree (a link that leads out, what the sparse checkout leaves out, a pointer to what git
 * keeps elsewhere). `trivial`: text without a single character to read; a short file is none.
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
  'trivial',
  'oversized',
  'link',
  'submodule',
  'special',
  'ignored',
  'outside',
  'excluded',
] as const;
export const dispositionStatus = z.enum(DISPOSITION_STATUSES);
export type DispositionStatus = z.infer<typeof dispositionStatus>;

/** A status and a reason for every file of the inventory, in its order. */
export const disposition = z.object({
  files: z.array(z.object({ path: z.string(), status: dispositionStatus, reason: z.string() })),
  /** What builds or ships on its own; older dispositions do not say. Sorted by root. */
  components: z.array(component).optional(),
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
  const folders = foldersOf(inventory.files.map(({ path }) => path));
  const builtFolders = findBuiltFolders(folders);
  const vendorFolders = findVendorFolders(inventory, folders);

  const decide = (file: InventoryFile): Decision => {
    if (!isIncluded(file.path)) return ['excluded', 'not among the paths that were asked for'];
    if (isExcluded(file.path)) return ['excluded', 'excluded by a pattern of the settings'];
    if (!narrowed.isIncluded(file.path) || narrowed.isExcluded(file.path)) {
      return ['excluded', "excluded by the repository's own configuration"];
    }
    return (
      byIgnoring(file) ??
      byKind(file) ??
      byRules(file) ??
      byPlace(file, vendorFolders) ??
      byContent(file, builtFolders) ??
      INCLUDED
    );
  };

  const files = inventory.files.map((file) => {
    const [status, reason] = decide(file);
    return { path: file.path, status, reason };
  });
  return { files, components: [...componentsOf(inventory, files)] };
};

/** What is not reviewed, a vendored package for example, is no component of the audit. */
const componentsOf = (inventory: Inventory, files: Disposition['files']): readonly Component[] => {
  const included = files.flatMap(({ path, status }) => (status === 'included' ? [path] : []));
  const isIncluded = new Set(included);
  const manifests = (inventory.manifests ?? []).filter(({ path }) => isIncluded.has(path));
  return deriveComponents(manifests, foldersOf(included));
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

/** Whether patterns as in a `.gitignore` name a path. */
export const matcher = (patterns: readonly string[]): ((path: string) => boolean) => {
  const rules = ignore({ ignorecase: false, allowRelativePaths: true }).add(patterns);
  return (path) => rules.ignores(path);
};

/** Who leaves a file out does not miss it either when it cannot be read. */
const byIgnoring = ({ ignoredBy }: InventoryFile): Decision | undefined =>
  ignoredBy === undefined
    ? undefined
    : ['ignored', `ignored by the ${IGNORE_FILE} in ${ignoredBy}`];

const byKind = (file: InventoryFile): Decision | undefined => {
  if (file.unreadable !== undefined) {
    return ['unreadable', `reading it failed with ${file.unreadable}`];
  }
  switch (file.kind) {
    case 'link':
      return leadsOut(file)
        ? [
            'outside',
            `a link to ${file.target ?? 'an unknown place'}, out of the tree; not followed`,
          ]
        : ['link', `a link to ${file.target ?? 'an unknown place'}; links are not followed`];
    case 'submodule':
      return ['submodule', 'another repository; audit it on its own'];
    case 'other':
      return INSTALLED.test(`${file.path}/`)
        ? ['vendored', 'a folder of installed packages; not listed file by file']
        : ['special', 'neither a file nor a link'];
    case 'ignored':
      return ['ignored', 'ignored by version control; a folder counts as one'];
    case 'absent':
      return ['outside', 'outside of the sparse checkout; a folder counts as one'];
    case 'file':
      return file.digest === undefined ? ['oversized', 'too large to be read at all'] : undefined;
  }
};

/** A link is followed by nobody here: where it leads is what its text says. */
const leadsOut = ({ path, target }: InventoryFile): boolean => {
  if (target === undefined || target.startsWith('/')) return true;
  let depth = path.split('/').length - 1;
  return target.split('/').some((name) => {
    if (name === '..') depth -= 1;
    else if (name !== '' && name !== '.') depth += 1;
    return depth < 0;
  });
};

/** What the repository itself says in so many words. */
const byRules = (file: InventoryFile): Decision | undefined => {
  const { vendored, generated, binary } = file.attributes ?? {};
  if (vendored === true) return ['vendored', '.gitattributes says that others wrote it'];
  if (generated === true) return ['generated', '.gitattributes says that it is generated'];
  if (binary === true && file.size > 0) return ['binary', '.gitattributes says that it is binary'];
  return undefined;
};

const byPlace = (file: InventoryFile, vendorFolders: ReadonlySet<string>): Decision | undefined => {
  if (file.attributes?.vendored === false) return undefined;
  const isVendored =
    INSTALLED.test(file.path) || parentsOf(file.path).some((folder) => vendorFolders.has(folder));
  return isVendored ? ['vendored', 'in a folder for the code of others'] : undefined;
};

const byContent = (
  file: InventoryFile,
  builtFolders: ReadonlySet<string>,
): Decision | undefined => {
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  if (file.encoding === 'binary') return ['binary', 'its bytes are not text'];
  if (file.size === 0) return ['empty', 'has no bytes'];
  if (file.marks.includes('blank')) return ['trivial', 'has only white space'];
  if (file.marks.includes('lfs-pointer')) {
    return ['outside', 'a pointer to a file that git keeps elsewhere'];
  }
  if (LOCKFILES.has(name)) return ['lockfile', 'written by a package manager'];
  if (isLicence(file, name)) return ['licence', 'licence or notice text'];
  if (file.size > BYTES_MAX) return ['oversized', 'larger than 20 MB: nobody wrote that by hand'];
  // Who says that it is written by hand knows it better than a guess.
  return file.attributes?.generated === false ? undefined : byOrigin(file, name, builtFolders);
};

const byOrigin = (
  file: InventoryFile,
  name: string,
  builtFolders: ReadonlySet<string>,
): Decision | undefined => {
  if (MINIFIED_NAME.test(name)) return ['minified', 'minified by its name'];
  if (SOURCE_MAP.test(name)) return ['generated', 'a source map'];
  if (isGeneratedName(name)) return ['generated', 'has a name that only generators give'];
  const built = parentsOf(file.path).find((folder) => builtFolders.has(folder));
  if (built !== undefined) {
    return ['generated', `in ${built}/, which is built from src/ beside it`];
  }
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

/** Folders that a package manager fills, wherever they stand. */
const INSTALLED =
  /(?:^|\/)(?:node_modules|bower_components|third_party|Pods|\.yarn\/(?:releases|plugins|cache))\//;

/** Long lines are common in data and prose; in these languages they come out of a minifier. */
const CODE_LANGUAGES: ReadonlySet<string> = new Set(['JavaScript', 'TypeScript', 'TSX', 'CSS']);

const MINIFIED_NAME = /[.-]min\.(?:js|mjs|cjs|css)$/i;
const SOURCE_MAP = /\.(?:[cm]?[jt]sx?|css)\.map$/i;
const LICENCE_NAME = /^(?:un)?(?:licen[cs]es?|copying|copyright|notice|patents)(?:[-_.][\w.-]+)?$/i;
/** The folder of the REUSE convention holds nothing else. */
const LICENCE_FOLDER = /^LICENSES\//;
const isLicence = (file: InventoryFile, name: string): boolean =>
  (LICENCE_NAME.test(name) || LICENCE_FOLDER.test(file.path)) &&
  LICENCE_LANGUAGES.has(file.language);
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
  'Cartfile.resolved',
  'Chart.lock',
  'MODULE.bazel.lock',
  'conan.lock',
  'gems.locked',
  'go.work.sum',
  'pixi.lock',
  'pylock.toml',
  'rebar.lock',
  'shard.lock',
  'stack.yaml.lock',
]);

/** The folders around a path, outermost first. */
const parentsOf = (path: string): readonly string[] => {
  const folders: string[] = [];
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
    folders.push(path.slice(0, end));
  }
  return folders;
};

const foldersOf = (paths: readonly string[]): ReadonlySet<string> => {
  const folders = new Set<string>();
  for (const path of paths) for (const folder of parentsOf(path)) folders.add(folder);
  return folders;
};

/**
 * `dist` beside `src`: what is in it is built from what is there. A `dist` alone, as in a published
 * package, is the only form of the code that there is, and is reviewed.
 */
const findBuiltFolders = (folders: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    [...folders].filter((folder) => {
      const parent = folder.slice(0, folder.lastIndexOf('/') + 1);
      return folder === `${parent}dist` && folders.has(`${parent}src`);
    }),
  );

/**
 * `vendor` where package managers put it: at the top, beside a manifest, or among served files. In
 * the middle of a program it is a word of its business, and its code is reviewed.
 */
const findVendorFolders = (
  inventory: Inventory,
  folders: ReadonlySet<string>,
): ReadonlySet<string> => {
  const packages = new Set(
    (inventory.manifests ?? []).map(({ path }) => path.slice(0, path.lastIndexOf('/') + 1)),
  );
  return new Set(
    [...folders].filter((folder) => {
      const parent = folder.slice(0, folder.lastIndexOf('/') + 1);
      const name = folder.slice(parent.length);
      if (name !== 'vendor' && name !== 'vendors') return false;
      return parent === '' || packages.has(parent) || SERVED.test(parent);
    }),
  );
};
const SERVED =
  /(?:^|\/)(?:assets|static|public|www|web|htdocs|javascripts?|js|css|stylesheets?|scripts|libs?)\/$/i;
