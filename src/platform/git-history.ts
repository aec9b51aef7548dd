import { resolve } from 'node:path';
import { SAFE_ENVIRONMENT, SAFE_OPTIONS } from './git.ts';
import { pathFromBytes } from './path-bytes.ts';
import { runProgram as runProgramHere, type ProgramReport, type RunProgram } from './subprocess.ts';

/** Commits behind another one, newest first, without merges. */
export type GitHistory = {
  /** `none`: no repository, program or commit; `failed`: git could not tell; `shallow`: cut off. */
  readonly state: 'whole' | 'shallow' | 'none' | 'failed';
  readonly commits: readonly {
    /** The author's address: only good for telling authors apart. */
    readonly author: string;
    /** Relative to the folder; files outside of it are left out. */
    readonly paths: readonly string[];
  }[];
  /** Whether there were more than were read. */
  readonly isCut: boolean;
};

/** Newer commits say more, and reading ten thousand of a large repository takes a minute. */
const COMMITS_MAX = 1000;

/**
 * Reads which files the latest commits changed below a folder. It is read from a given commit, so that
 * commits made meanwhile change nothing. No past, or a part of it, is a fact like any other; nothing
 * here fails. As elsewhere git runs nothing that the repository names: no signature is checked (that
 * would run a program of its choice), no attribute and no blob is read.
 *
 * @param folder absolute; the audited root.
 * @param commit of the inventory; undefined without one.
 */
export const readGitHistory = async (
  folder: string,
  commit: string | undefined,
  runProgram: RunProgram = runProgramHere,
): Promise<GitHistory> => {
  if (commit === undefined) return { state: 'none', commits: [], isCut: false };
  const ask = (args: readonly string[]): Promise<ProgramReport> =>
    runProgram({
      program: 'git',
      args: [...SAFE_OPTIONS, ...NO_SURPRISES, ...args],
      cwd: resolve(folder),
      environment: SAFE_ENVIRONMENT,
      timeoutMs: 60_000,
      outputBytesMax: 1 << 27,
    });
  const [isShallow, log] = await Promise.all([
    ask(['rev-parse', '--is-shallow-repository']),
    ask([...LOG, '--end-of-options', commit, '--', '.']),
  ]);
  if (log.kind === 'missing') return { state: 'none', commits: [], isCut: false };
  if (log.kind !== 'done' || log.exitCode !== 0) {
    return { state: 'failed', commits: [], isCut: false };
  }
  const commits = parseLog(log.stdout);
  const saysShallow = isShallow.kind === 'done' && pathFromBytes(isShallow.stdout).trim();
  return {
    state: saysShallow === 'true' ? 'shallow' : 'whole',
    commits: commits.slice(0, COMMITS_MAX),
    isCut: commits.length > COMMITS_MAX,
  };
};

/** Settings of the repository that would change what `log` prints, or run something. */
const NO_SURPRISES = [
  'log.showSignature=false',
  'log.follow=false',
  'log.mailmap=false',
  'diff.relative=false',
  'diff.noPrefix=false',
].flatMap((setting) => ['-c', setting]);

const LOG = [
  'log',
  '-z',
  '--no-merges',
  '--no-show-signature',
  '--no-notes',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-renames',
  '--ignore-submodules=none',
  '--encoding=UTF-8',
  '--name-only',
  '--relative',
  // Cancels the order file of the settings.
  '-O/dev/null',
  '--format=%x01%H%x01%aE%x01',
  `--max-count=${COMMITS_MAX + 1}`,
];

/** A header, then the names; of these the first begins with the newline that ends the header. */
const authorIn = (field: string): string | undefined => {
  const [before, commit = '', author, after, ...more] = field.split('\u0001');
  const isHeader = before === '' && after === '' && more.length === 0;
  return isHeader && /^[0-9a-f]{40,64}$/.test(commit) ? author : undefined;
};

const parseLog = (bytes: Uint8Array): GitHistory['commits'] => {
  const commits: { readonly author: string; readonly paths: string[] }[] = [];
  let isFirst = false;
  for (let from = 0, end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, from)) {
    const field = pathFromBytes(bytes.subarray(from, end));
    from = end + 1;
    const author = authorIn(field);
    if (author !== undefined) {
      commits.push({ author, paths: [] });
      isFirst = true;
      continue;
    }
    const path = isFirst && field.startsWith('\n') ? field.slice(1) : field;
    isFirst = false;
    if (path !== '') commits.at(-1)?.paths.push(path);
  }
  return commits;
};
