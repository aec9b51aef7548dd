import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../domain/usage-error.ts';
import { pathFromBytes } from './path-bytes.ts';
import type { ProgramReport, RunProgram } from './subprocess.ts';

/**
 * Asks git about a folder and runs nothing that the repository names: no hooks, file system
 * monitors, external diffs, text conversion, filters or credential prompts, no fetch of missing
 * objects, and no lock that would change the index. Only commands that read the index and the
 * file names are used; `git status` is not, since it may run clean filters.
 */
export type Git = {
  /**
   * Whether the folder is in a work tree; false without the program too.
   *
   * @throws {GitFailedError} where git sees a repository and does not open it, and in a repository
   * that has no files of its own: nobody is told that such a folder is empty or is no repository.
   */
  readonly isWorkTree: () => Promise<boolean>;
  /** The folder's path below the work tree's top, with a slash at its end; empty at the top. */
  readonly prefix: () => Promise<string>;
  /** HEAD's commit, or undefined before the first one. */
  readonly head: () => Promise<string | undefined>;
  /** What the index holds below the folder; each path once, unmerged ones too. */
  readonly tracked: () => Promise<readonly TrackedPath[]>;
  /**
   * What is in the folder, not in the index and not ignored.
   *
   * @returns undefined when git has not found them in `limitMs`.
   */
  readonly untracked: (limitMs: number) => Promise<UntrackedPaths | undefined>;
  /** What is ignored and not in the index; a folder of nothing else stands as `name/`. */
  readonly ignored: () => Promise<readonly string[]>;
};

export type TrackedPath = {
  readonly path: string;
  readonly isSubmodule: boolean;
  /** Outside of the sparse checkout, or marked so by hand: it need not be on the disk. */
  readonly isSkipped: boolean;
};

export type UntrackedPaths = {
  /** A nested repository stands as `name/`. */
  readonly paths: readonly string[];
  /** Folders that git could not open; what is in them is not among the paths. */
  readonly unreadable: readonly string[];
};

/** git could not answer: its index is damaged, for example. */
export class GitFailedError extends UsageError {}

/** @param folder absolute folder that git is asked about. */
export const createGit = (folder: string, runProgram: RunProgram): Git => {
  const ask = createAsk(folder, runProgram);

  /** @throws {GitFailedError} with git's own sentence. */
  const demand = async (args: readonly string[], limitMs = ANSWER_MS): Promise<Done> => {
    const report = await ask(args, limitMs);
    if (report.kind === 'done' && report.exitCode === 0) return report;
    throw failed(args, report);
  };

  return {
    isWorkTree: async () => {
      const report = await ask([
        ...['rev-parse', '--is-inside-work-tree', '--is-bare-repository', '--is-inside-git-dir'],
      ]);
      if (report.kind === 'missing') return false;
      if (report.kind !== 'done' || report.exitCode !== 0) {
        if (report.kind === 'done' && isNoRepository(text(report.stderr))) {
          // git says so too of a repository whose HEAD is damaged; its files are not a plain folder's.
          if (!existsSync(join(folder, '.git', 'objects'))) return false;
        }
        throw refusal(folder, report);
      }
      const [isInside, isBare, isGitFolder] = text(report.stdout).split('\n');
      if (isInside === 'true') return true;
      if (isBare !== 'true' && isGitFolder !== 'true') return false;
      throw new GitFailedError(
        `${folder} is a repository's own data (or a bare repository) and has no files of a project.`,
        'Name a work tree of it; git worktree add PATH makes one.',
      );
    },
    prefix: async () => text((await demand(SHOW_PREFIX)).stdout),
    head: async () => {
      const args = ['rev-parse', '--verify', '--quiet', 'HEAD'];
      const report = await ask(args);
      if (report.kind === 'timed-out') throw failed(args, report);
      return report.kind === 'done' && report.exitCode === 0 ? text(report.stdout) : undefined;
    },
    tracked: async () => {
      const { stdout } = await demand(['ls-files', '-z', '-t', '--cached', '--stage']);
      const paths = new Map<string, TrackedPath>();
      for (const record of records(stdout)) {
        const path = record.slice(record.indexOf('\t') + 1);
        const [tag, mode] = record.split(' ', 2);
        paths.set(path, { path, isSubmodule: mode === '160000', isSkipped: tag === 'S' });
      }
      return [...paths.values()];
    },
    untracked: async (limitMs) => {
      const args = ['ls-files', '-z', '--others', '--exclude-standard'];
      const done = await ask(args, limitMs);
      if (done.kind === 'timed-out') return undefined;
      if (done.kind !== 'done' || done.exitCode !== 0) throw failed(args, done);
      const warned = unreadableFolders(done.stderr);
      // Unlike its answers, git's warnings start at the top of the work tree.
      const prefix = warned.length === 0 ? '' : text((await demand(SHOW_PREFIX)).stdout);
      const unreadable = warned
        .filter((path) => path.startsWith(prefix))
        .map((path) => path.slice(prefix.length));
      return { paths: records(done.stdout), unreadable };
    },
    ignored: async () => {
      const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard'];
      const { stdout } = await demand([...args, '--directory', '--no-empty-directory'], LATE_MS);
      return records(stdout);
    },
  };
};

/** Runs git in a folder with nothing of the repository's own to run. */
export const createAsk =
  (
    folder: string,
    runProgram: RunProgram,
    environment: Readonly<Record<string, string>> = SAFE_ENVIRONMENT,
  ) =>
  (args: readonly string[], timeoutMs = ANSWER_MS): Promise<ProgramReport> =>
    runProgram({
      program: 'git',
      args: [...SAFE_OPTIONS, ...args],
      cwd: folder,
      environment,
      timeoutMs,
      outputBytesMax: 1 << 30,
    });

const SHOW_PREFIX = ['rev-parse', '--show-prefix'];

type Done = Extract<ProgramReport, { kind: 'done' }>;

/** Also what git says of a `.git` file that leads nowhere: a copied submodule, for example. */
const isNoRepository = (said: string): boolean => said.includes('not a git repository');

const refusal = (folder: string, report: ProgramReport): GitFailedError => {
  const reason = reasonOf(report);
  return reason.includes('dubious ownership')
    ? new GitFailedError(
        `git does not open the repository of ${folder}, since it belongs to another user: its files cannot be listed.`,
        `If you trust it: git config --global --add safe.directory ${folder}`,
      )
    : new GitFailedError(
        `git does not open the repository of ${folder} (${reason}).`,
        'Repair the repository, or move its .git away to audit it as a plain folder.',
      );
};

/** git warns of folders that it cannot open and goes on as if they were empty. */
const unreadableFolders = (stderr: Uint8Array): readonly string[] =>
  [...text(stderr).matchAll(UNREADABLE)].flatMap(([, name]) => name ?? []);

/** A name may have lines of its own. */
const UNREADABLE = /^warning: could not open directory '([^]+?)\/?': [A-Z][^'\n]*$/gm;

/**
 * What git knows from a few of its own files it tells at once. Longer means that one of those is a
 * pipe, which git opens and waits for, or that the disk does not answer.
 */
const ANSWER_MS = 20_000;
/** Where git has to look at every folder of the tree. */
export const LATE_MS = 600_000;

export const failed = (args: readonly string[], report: ProgramReport): GitFailedError =>
  new GitFailedError(
    `git ${args.join(' ')} failed in the audited folder (${reasonOf(report)}).`,
    'Repair the repository, or move its .git away to audit it as a plain folder.',
  );

export const SAFE_OPTIONS = [
  '--no-pager',
  '--literal-pathspecs',
  '--no-replace-objects',
  ...[
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'core.quotePath=false',
    'core.pager=cat',
    'core.alternateRefsCommand=',
    'diff.external=',
    'credential.helper=',
    'core.checkStat=default',
    'core.trustctime=true',
    'submodule.recurse=false',
    'protocol.allow=never',
  ].flatMap((setting) => ['-c', setting]),
];

/** Repository-locating variables are not inherited: inside a git hook they name another index. */
export const SAFE_ENVIRONMENT = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  // No transport at all, for older versions: a setting of the repository could allow one by name.
  GIT_ALLOW_PROTOCOL: '',
  LC_ALL: 'C',
};

const text = (bytes: Uint8Array): string => pathFromBytes(bytes).replace(/\n$/, '');

/** Split as bytes, so that one name that is not UTF-8 does not slow down all the others. */
export const records = (bytes: Uint8Array): readonly string[] => {
  const found: string[] = [];
  let from = 0;
  for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, from)) {
    if (end > from) found.push(pathFromBytes(bytes.subarray(from, end)));
    from = end + 1;
  }
  return found;
};

const reasonOf = (report: ProgramReport): string => {
  switch (report.kind) {
    case 'missing':
      return 'the program is not there';
    case 'timed-out':
      return 'it took too long; is a file in .git a pipe?';
    case 'ended':
      return report.message;
    case 'done':
      return text(report.stderr).split('\n')[0] || `exit code ${report.exitCode}`;
  }
};
