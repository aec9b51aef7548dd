import { shown } from '../std/shown.ts';
import { createAsk, failed, GitFailedError } from './git.ts';
import { pathFromBytes } from './path-bytes.ts';
import { runProgram as runProgramHere, type RunProgram } from './subprocess.ts';

/** Commits by the names that people give them. */
export type GitRevisions = {
  /** @throws {GitFailedError} before the first commit. */
  readonly head: () => Promise<string>;
  /**
   * The whole id of the commit that a name means.
   *
   * @param flag where the name was given, for the message.
   * @throws {GitFailedError} when it names nothing here, or something that is no commit.
   */
  readonly commit: (name: string, flag: string) => Promise<string>;
  /**
   * The best common ancestor.
   *
   * @param names what people call the two, in the same order.
   * @throws {GitFailedError} when there is none, or when it is not in a history that is cut off.
   */
  readonly mergeBase: (
    commits: readonly [string, string],
    names: readonly [string, string],
  ) => Promise<string>;
};

/** @param folder absolute folder in a work tree. */
export const createGitRevisions = (
  folder: string,
  runProgram: RunProgram = runProgramHere,
): GitRevisions => {
  const ask = createAsk(folder, runProgram);
  /** Undefined: git says no. A name of several lines, or of a negation, is no id. */
  const idOf = async (args: readonly string[]): Promise<string | undefined> => {
    const said = await lineOf(args);
    return said !== undefined && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(said) ? said : undefined;
  };
  const lineOf = async (args: readonly string[]): Promise<string | undefined> => {
    const report = await ask(args);
    return report.kind === 'done' && report.exitCode === 0
      ? pathFromBytes(report.stdout).trimEnd()
      : undefined;
  };
  const verified = (name: string) => idOf(['rev-parse', '--verify', '--quiet', name]);
  /** A branch and a tag of one name, or a name that is the beginning of several ids. */
  const isAmbiguous = async (name: string): Promise<boolean> => {
    const report = await ask(['-c', 'core.warnAmbiguousRefs=true', 'rev-parse', '--verify', name]);
    return report.kind === 'done' && / is ambiguous/.test(pathFromBytes(report.stderr));
  };
  const isShallow = async (): Promise<boolean> =>
    (await lineOf(['rev-parse', '--is-shallow-repository'])) === 'true';

  return {
    head: async () => {
      const head = await verified('HEAD^{commit}');
      if (head !== undefined) return head;
      throw new GitFailedError(
        `The repository of ${folder} has no commit yet (or its HEAD leads nowhere), so nothing can be told apart as changed.`,
        'Commit first, or leave the flag out to audit everything.',
      );
    },
    commit: async (name, flag) => {
      if (name.trim() === '') {
        // A variable of a script that is not set would otherwise mean HEAD.
        throw new GitFailedError(`The commit of ${flag} is empty.`, NAME_ONE);
      }
      const isPlain = !name.startsWith('-') && !CONTROL.test(name);
      if (!isPlain) {
        throw new GitFailedError(
          `${shown(name)} (${flag}) cannot be the name of a commit.`,
          NAME_ONE,
        );
      }
      if (await isAmbiguous(name)) {
        throw new GitFailedError(
          `${shown(name)} (${flag}) is ambiguous: several branches, tags or commits go by it.`,
          'Name one in full: refs/heads/NAME for a branch, refs/tags/NAME for a tag, or a whole id.',
        );
      }
      const commit = await verified(`${name}^{commit}`);
      if (commit !== undefined) return commit;
      const kind = await lineOf(['cat-file', '-t', name]);
      if (kind !== undefined) {
        throw new GitFailedError(`${shown(name)} (${flag}) is a ${kind}, not a commit.`, NAME_ONE);
      }
      throw new GitFailedError(
        `git knows no commit ${shown(name)} (${flag}) in the repository of ${folder}.`,
        (await isShallow())
          ? `The history here is cut off (a shallow clone): ${WHOLE_HISTORY}`
          : 'git branch --all and git log show what there is; what is only on a server is fetched first: git fetch origin NAME',
      );
    },
    mergeBase: async (commits, [one, other]) => {
      const args = ['merge-base', ...commits];
      const report = await ask(args);
      if (report.kind !== 'done' || report.exitCode > 1) throw failed(args, report);
      if (report.exitCode === 0) return pathFromBytes(report.stdout).trimEnd();
      if (await isShallow()) {
        throw new GitFailedError(
          `The merge base of ${shown(one)} and ${shown(other)} is not in this clone, whose history is cut off (a shallow clone).`,
          `Fetch the whole history: ${WHOLE_HISTORY}`,
        );
      }
      throw new GitFailedError(
        `${shown(one)} and ${shown(other)} have no common ancestor, so it cannot be told what changed between them.`,
        `Compare the two trees as they are: --diff ${one}..${other}`,
      );
    },
  };
};

const NAME_ONE = 'Name a commit: a branch, a tag, HEAD~3, or an id. A range goes to --diff.';
const WHOLE_HISTORY = 'git fetch --unshallow (in GitHub Actions: fetch-depth: 0 for checkout).';
/** Not in any name of git, and ends an argument or moves a cursor. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001F\u007F]/;
