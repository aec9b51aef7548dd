import { z } from 'zod';
import { compareText } from '../../std/canonical-json.ts';

/**
 * What the version control's past says of files. Read once by the shell and kept with the artifact, so
 * that deriving again needs no repository.
 */
export const history = z.object({
  /** `none`: no repository or no commit; `shallow`: the past is cut off, so counts are too low. */
  state: z.enum(['whole', 'shallow', 'none', 'failed']),
  /** Commits that were looked at, the newest first; more are never read. */
  commits: z.int().nonnegative(),
  /** Whether there were more than were looked at. */
  isCut: z.boolean(),
  files: z.array(
    z.object({
      path: z.string(),
      commits: z.int().positive(),
      /** Different people, by what they call themselves; who they are is not kept. */
      authors: z.int().positive(),
    }),
  ),
  /** Files that change together more often than apart. Sorted by strength. */
  together: z.array(
    z.object({
      paths: z.tuple([z.string(), z.string()]),
      commits: z.int().positive(),
      /** Of the commits of the less often changed one. */
      share: z.number().min(0).max(1),
    }),
  ),
});
export type History = z.infer<typeof history>;

/** One commit as the shell reads it; merges are left out, since their changes are those of others. */
export type CommitFacts = {
  /** Anything that tells authors apart. */
  readonly author: string;
  readonly paths: readonly string[];
};

export const NO_HISTORY: History = {
  state: 'none',
  commits: 0,
  isCut: false,
  files: [],
  together: [],
};

/**
 * Counts changes of files that are still there.
 *
 * Commits over more than `BULK_FILES` files (reformatting, moves, imports of code) say nothing about
 * which files belong together, so they count for no pair; that also bounds the pairs by a constant
 * for each commit.
 *
 * @param files paths of the inventory.
 */
export const deriveHistory = (given: {
  readonly state: History['state'];
  readonly commits: readonly CommitFacts[];
  readonly isCut: boolean;
  readonly files: ReadonlySet<string>;
}): History => {
  const changes = new Map<string, { commits: number; readonly authors: Set<string> }>();
  const pairs = new Map<string, number>();
  for (const { author, paths } of given.commits) {
    const known = [...new Set(paths)].filter((path) => given.files.has(path)).toSorted(compareText);
    for (const path of known) {
      const entry = changes.get(path) ?? { commits: 0, authors: new Set<string>() };
      changes.set(path, entry);
      entry.commits += 1;
      entry.authors.add(author);
    }
    if (known.length > BULK_FILES) continue;
    for (const [index, left] of known.entries()) {
      for (const right of known.slice(index + 1)) {
        const key = `${left}\n${right}`;
        pairs.set(key, (pairs.get(key) ?? 0) + 1);
      }
    }
  }
  const together = [...pairs].flatMap(([key, commits]): History['together'] => {
    const [left = '', right = ''] = key.split('\n');
    const least = Math.min(changes.get(left)?.commits ?? 0, changes.get(right)?.commits ?? 0);
    const share = commits / Math.max(least, 1);
    return commits >= TOGETHER_MIN && share >= SHARE_MIN
      ? [{ paths: [left, right], commits, share: Math.round(share * 100) / 100 }]
      : [];
  });
  return {
    state: given.state,
    commits: given.commits.length,
    isCut: given.isCut,
    files: [...changes]
      .map(([path, { commits, authors }]) => ({ path, commits, authors: authors.size }))
      .toSorted((left, right) => compareText(left.path, right.path)),
    together: together
      .toSorted(
        (left, right) =>
          right.commits * right.share - left.commits * left.share ||
          compareText(left.paths.join('\n'), right.paths.join('\n')),
      )
      .slice(0, TOGETHER_MAX),
  };
};

const BULK_FILES = 20;
/** Fewer common changes may be chance. */
const TOGETHER_MIN = 4;
const SHARE_MIN = 0.6;
const TOGETHER_MAX = 200;
