import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { compareText } from '../std/canonical-json.ts';
import { absolutePath } from './folder-kinds.ts';
import { createAsk, failed, GitFailedError, LATE_MS, records, SAFE_ENVIRONMENT } from './git.ts';
import { readRegularFile } from './read-regular-file.ts';
import { runProgram as runProgramHere, type RunProgram } from './subprocess.ts';

/** Paths that differ, relative to the folder and sorted; renamed files by both of their names. */
export type ChangedPaths = {
  readonly changed: readonly string[];
  /** In the first, and not in the second. */
  readonly deleted: readonly string[];
};

/** What differs between two of: a commit, the index, and the tree as it lies there. */
export type GitChanges = {
  /** Untracked files are not git's to compare: see `Git.untracked`. */
  readonly commitToTree: (commit: string) => Promise<ChangedPaths>;
  readonly commitToCommit: (from: string, to: string) => Promise<ChangedPaths>;
  readonly commitToIndex: (commit: string) => Promise<ChangedPaths>;
  readonly indexToTree: () => Promise<ChangedPaths>;
};

/**
 * Compares with git's plumbing, which reads no settings for people (renames, prefixes, orders), and
 * with every filter of the repository turned off: a comparison with the tree would run them.
 *
 * git vouches for a file by its time and size. Where it does not (after a copy, or a touch) the bytes
 * are compared here. Files that a filter or line ends convert then count as changed: what changed is
 * never left out, and at times something is in that did not.
 *
 * @param folder absolute folder in a work tree; files outside of it are left out.
 */
export const createGitChanges = async (
  folder: string,
  runProgram: RunProgram = runProgramHere,
): Promise<GitChanges> => {
  const environment = await withoutFilters(folder, runProgram);
  const ask = createAsk(folder, runProgram, environment);
  const done = async (args: readonly string[]): Promise<Uint8Array> => {
    const report = await ask(args, LATE_MS);
    if (report.kind !== 'done' || report.exitCode !== 0) throw failed(args, report);
    return report.stdout;
  };
  const compared = async (args: readonly string[]): Promise<readonly RawChange[]> =>
    parseRaw(await done([...args.slice(0, 1), ...RAW, ...args.slice(1), '--', '.']));
  const withTree = async (args: readonly string[]): Promise<ChangedPaths> => {
    const [changes, flags] = [
      await compared(args),
      await done(['ls-files', '-z', '-v', '--stage']),
    ];
    return sorted(await reallyChanged(folder, [...changes, ...unlookedAt(folder, flags)]));
  };
  return {
    commitToTree: (commit) => withTree(['diff-index', commit]),
    commitToCommit: async (from, to) => sorted(await compared(['diff-tree', '-r', from, to])),
    commitToIndex: async (commit) => sorted(await compared(['diff-index', '--cached', commit])),
    indexToTree: () => withTree(['diff-files']),
  };
};

/**
 * Files in the tree that git was told not to look at (assume-unchanged, skip-worktree): they are looked
 * at here.
 *
 * @param flagged of `ls-files -v --stage`: `h 100644 <id> 0`, a tab, the path.
 */
const unlookedAt = (folder: string, flagged: Uint8Array): readonly RawChange[] =>
  records(flagged).flatMap((record): readonly RawChange[] => {
    const [tag = '', mode = '', id = ''] = record.split(' ', 3);
    const path = record.slice(record.indexOf('\t') + 1);
    if (tag !== 'S' && tag !== tag.toLowerCase()) return [];
    if (mode !== LINK && !mode.startsWith('100')) return [];
    const isThere = lstatSync(absolutePath(folder, path), { throwIfNoEntry: false }) !== undefined;
    // Skipped files that are missing are outside of a sparse checkout.
    if (!isThere && tag.toUpperCase() === 'S') return [];
    return [{ path, status: isThere ? 'M' : 'D', modes: [mode, mode], ids: [id, '0'] }];
  });

const RAW = [
  '--raw',
  '-z',
  '--no-abbrev',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
  '--relative',
  // Whether a submodule is dirty git would find out by running `git status` in it.
  '--ignore-submodules=dirty',
  '-O/dev/null',
];

/**
 * Sets each filter that is configured to nothing; by variables, since a name may hold what a `-c` on
 * the command line would take for its end.
 *
 * @throws {GitFailedError} with a git that does not read these variables, and would run the filters.
 */
const withoutFilters = async (
  folder: string,
  runProgram: RunProgram,
): Promise<Readonly<Record<string, string>>> => {
  const named = await createAsk(
    folder,
    runProgram,
  )(['config', '-z', '--name-only', '--get-regexp', '^filter\\.']);
  // Exit code 1: none is configured. What else is wrong with the settings, the comparison tells.
  const keys = named.kind === 'done' ? records(named.stdout) : [];
  const drivers = new Set(keys.map((key) => key.slice(0, key.lastIndexOf('.'))));
  const off = [...drivers].flatMap((driver): [string, string][] => [
    [`${driver}.clean`, ''],
    [`${driver}.smudge`, ''],
    [`${driver}.process`, ''],
    [`${driver}.required`, 'false'],
  ]);
  const environment = {
    ...SAFE_ENVIRONMENT,
    GIT_CONFIG_COUNT: String(off.length),
    ...Object.fromEntries(
      off.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
  };
  if (drivers.size === 0) return environment;
  const seen = await createAsk(
    folder,
    runProgram,
    environment,
  )(['config', '-z', '--get-regexp', '^filter\\.']);
  // The last value of a name holds.
  const values = new Map(
    (seen.kind === 'done' ? records(seen.stdout) : []).map((record) => {
      const [key = '', ...lines] = record.split('\n');
      return [key, lines.join('\n')] as const;
    }),
  );
  const isOn = [...values].some(
    ([key, value]) => /\.(?:clean|smudge|process)$/.test(key) && value !== '',
  );
  if (!isOn) return environment;
  throw new GitFailedError(
    'A filter that this repository configures cannot be turned off, and a comparison with the tree would run it.',
    'Its name is not UTF-8, or git is older than 2.31.',
  );
};

/** `:100644 100755 <id> <id> M`, then the path. The second id is zeros where git has not read it. */
type RawChange = {
  readonly path: string;
  readonly status: string;
  readonly modes: readonly [string, string];
  readonly ids: readonly [string, string];
};

const parseRaw = (bytes: Uint8Array): readonly RawChange[] => {
  const fields = records(bytes);
  const changes: RawChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [before = '', after = '', from = '', to = '', status = ''] =
      fields[at]?.slice(1).split(' ') ?? [];
    changes.push({
      path: fields[at + 1] ?? '',
      status,
      modes: [before, after],
      ids: [from, to],
    });
  }
  return changes;
};

const reallyChanged = async (
  folder: string,
  changes: readonly RawChange[],
): Promise<readonly RawChange[]> => {
  const left: RawChange[] = [];
  for (const change of changes) {
    if (!(await isOnlyTouched(folder, change))) left.push(change);
  }
  return left;
};

const isOnlyTouched = async (
  folder: string,
  { path, status, modes: [before, after], ids: [from, to] }: RawChange,
): Promise<boolean> => {
  if (status !== 'M' || before !== after || /[^0]/.test(to)) return false;
  if (before !== LINK && !before.startsWith('100')) return false;
  const file = absolutePath(folder, path);
  const bytes = await (
    before === LINK ? readlink(file, { encoding: 'buffer' }) : readRegularFile(file)
  ).catch(() => undefined);
  if (bytes === undefined) return false;
  const hash = createHash(from.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex') === from;
};

const LINK = '120000';

const sorted = (changes: readonly RawChange[]): ChangedPaths => {
  // A path in conflict stands twice.
  const paths = (isDeleted: boolean): readonly string[] =>
    [
      ...new Set(
        changes.filter(({ status }) => (status === 'D') === isDeleted).map(({ path }) => path),
      ),
    ].toSorted(compareText);
  const changed = paths(false);
  const known = new Set(changed);
  return { changed, deleted: paths(true).filter((path) => !known.has(path)) };
};
