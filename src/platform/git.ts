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
   * Whether the folder is in a work tree that git accepts; false without the program too.
   *
   * @throws {GitFailedError} in a repository's own data (a bare one, or its .git): no files to audit.
   */
  readonly isWorkTree: () => Promise<boolean>;
  /** The folder's path below the work tree's top, with a slash at its end; empty at the top. */
  readonly prefix: () => Promise<string>;
  /** HEAD's commit, or undefined before the first one. */
  readonly head: () => Promise<string | undefined>;
  /** What the index holds below the folder; each path once, unmerged ones too. */
  readonly tracked: () => Promise<readonly TrackedPath[]>;
  /**
   * Neither in the index nor ignored. A nested repository stands as `name/`.
   *
   * @returns undefined when git has not found them in `limitMs`.
   */
  readonly untracked: (limitMs: number) => Promise<readonly string[] | undefined>;
};

export type TrackedPath = { readonly path: string; readonly isSubmodule: boolean };

/** git could not answer: its index is damaged, for example. */
export class GitFailedError extends Error {
  override readonly name = 'GitFailedError';
}

/** @param folder absolute folder that git is asked about. */
export const createGit = (folder: string, runProgram: RunProgram): Git => {
  const ask = (args: readonly string[], timeoutMs = ANSWER_MS): Promise<ProgramReport> =>
    runProgram({
      program: 'git',
      args: [...SAFE_OPTIONS, ...args],
      cwd: folder,
      environment: SAFE_ENVIRONMENT,
      timeoutMs,
      outputBytesMax: 1 << 30,
    });

  /** stdout as bytes; @throws {GitFailedError} with git's own sentence. */
  const demand = async (args: readonly string[]): Promise<Uint8Array> => {
    const report = await ask(args);
    if (report.kind === 'done' && report.exitCode === 0) return report.stdout;
    throw failed(args, report);
  };

  return {
    isWorkTree: async () => {
      const args = ['rev-parse', '--is-inside-work-tree'];
      const report = await ask(args);
      if (report.kind === 'timed-out') throw failed(args, report);
      if (report.kind !== 'done' || report.exitCode !== 0) return false;
      if (text(report.stdout) === 'true') return true;
      throw new GitFailedError(
        `${folder} is no work tree but a repository's own data: a bare repository, or inside of .git. ` +
          'Clone it, and audit the clone.',
      );
    },
    prefix: async () => text(await demand(['rev-parse', '--show-prefix'])),
    head: async () => {
      const args = ['rev-parse', '--verify', '--quiet', 'HEAD'];
      const report = await ask(args);
      if (report.kind === 'timed-out') throw failed(args, report);
      return report.kind === 'done' && report.exitCode === 0 ? text(report.stdout) : undefined;
    },
    tracked: async () => {
      const paths = new Map<string, TrackedPath>();
      for (const record of records(await demand(['ls-files', '-z', '--cached', '--stage']))) {
        const tab = record.indexOf('\t');
        const path = record.slice(tab + 1);
        paths.set(path, { path, isSubmodule: record.startsWith('160000 ') });
      }
      return [...paths.values()];
    },
    untracked: async (limitMs) => {
      const args = ['ls-files', '-z', '--others', '--exclude-standard'];
      const report = await ask(args, limitMs);
      if (report.kind === 'timed-out') return undefined;
      if (report.kind === 'done' && report.exitCode === 0) return records(report.stdout);
      throw failed(args, report);
    },
  };
};

/**
 * What git knows from a few of its own files it tells at once. Longer means that one of those is a
 * pipe, which git opens and waits for, or that the disk does not answer.
 */
const ANSWER_MS = 20_000;

const failed = (args: readonly string[], report: ProgramReport): GitFailedError =>
  new GitFailedError(
    `git ${args.join(' ')} failed in the audited folder (${reasonOf(report)}). ` +
      'Repair the repository, or move its .git away to audit it as a plain folder.',
  );

const SAFE_OPTIONS = [
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
    'submodule.recurse=false',
    'protocol.allow=never',
  ].flatMap((setting) => ['-c', setting]),
];

/** Repository-locating variables are not inherited: inside a git hook they name another index. */
const SAFE_ENVIRONMENT = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  LC_ALL: 'C',
};

const text = (bytes: Uint8Array): string => pathFromBytes(bytes).replace(/\n$/, '');

/** Split as bytes, so that one name that is not UTF-8 does not slow down all the others. */
const records = (bytes: Uint8Array): readonly string[] => {
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
