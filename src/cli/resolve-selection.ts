import type { Selection } from '../domain/selection.ts';
import { UsageError } from '../domain/usage-error.ts';
import type { Inventory } from '../pipeline/inventory.ts';
import { createGit } from '../platform/git.ts';
import { createGitChanges, type ChangedPaths } from '../platform/git-changes.ts';
import { createGitRevisions, type GitRevisions } from '../platform/git-revisions.ts';
import { runProgram } from '../platform/subprocess.ts';
import { compareText } from '../std/canonical-json.ts';
import { counted } from '../std/counted.ts';
import { printable } from '../std/printable.ts';

/** The flags that ask about what changed; one of them at a time. */
export type SelectionFlags = {
  readonly since?: string | undefined;
  readonly diff?: string | undefined;
  readonly staged?: boolean | undefined;
};

/**
 * What the flags ask about comes to, now: git is asked here and never again for this audit.
 *
 * @param inventory of the same moment.
 * @returns undefined when everything is asked about.
 * @throws {UsageError} when it cannot be told what changed: an answer about nothing, or about
 * everything, would be taken for what was asked.
 */
export const resolveSelection = async (
  root: string,
  flags: SelectionFlags,
  inventory: Inventory,
): Promise<Selection | undefined> => {
  const asked = askedBy(flags);
  if (asked === undefined) return undefined;
  await refuseWithoutGit(root, asked.flag, inventory);
  const revisions = createGitRevisions(root);
  const head = await revisions.head();
  const found = await findChanges(root, asked, head, revisions);
  const present = new Set(inventory.files.map(({ path }) => path));
  const changed = new Set([
    ...found.changed,
    // Also what git was told to forget: it is untracked now, and not deleted.
    ...(found.isToTree ? await untrackedPaths(root, present) : []),
  ]);
  const differing = (found.differing ?? []).filter((path) => changed.has(path));
  return {
    kind: asked.kind,
    asked: asked.text,
    base: found.base,
    head,
    changed: [...changed].toSorted(compareText),
    deleted: found.deleted.filter((path) => !changed.has(path)),
    ...(differing.length > 0 && { differing }),
  };
};

/** What people are told when the tree is not what they compared. */
export const selectionNotice = (selection: Selection | undefined): string | undefined => {
  const differing = selection?.differing ?? [];
  if (selection === undefined || differing.length === 0) return undefined;
  const than =
    selection.kind === 'staged' ? 'what is staged' : `HEAD (${selection.head.slice(0, 7)})`;
  const names = differing.slice(0, NAMES_MAX).map((path) => printable(path));
  const more = differing.length > NAMES_MAX ? ', …' : '';
  return `${counted(differing.length, 'file')} will be reviewed as the tree has ${differing.length === 1 ? 'it' : 'them'}, which is other than ${than}: ${names.join(', ')}${more}.`;
};

const NAMES_MAX = 5;

type AskedChanges = {
  readonly kind: Selection['kind'];
  readonly flag: string;
  readonly text: string;
};

const askedBy = ({ since, diff, staged }: SelectionFlags): AskedChanges | undefined => {
  const given: readonly AskedChanges[] = [
    ...(since === undefined ? [] : [{ kind: 'since', flag: '--since', text: since } as const]),
    ...(diff === undefined ? [] : [{ kind: 'diff', flag: '--diff', text: diff } as const]),
    ...(staged === true ? [{ kind: 'staged', flag: '--staged', text: 'HEAD' } as const] : []),
  ];
  if (given.length > 1) {
    throw new UsageError(
      `${given.map(({ flag }) => flag).join(' and ')} exclude each other.`,
      'Each says what changed in its own way; give one of them.',
    );
  }
  return given[0];
};

/** A folder of which git knows nothing has no changes either, which would look like a good end. */
const refuseWithoutGit = async (
  root: string,
  flag: string,
  inventory: Inventory,
): Promise<void> => {
  const git = createGit(root, runProgram);
  if (!(await git.isWorkTree())) {
    throw new UsageError(
      `${root} is in no git work tree (or there is no git here), so ${flag} cannot tell what changed.`,
      `Leave ${flag} out to audit everything, or name a folder of a repository.`,
    );
  }
  if (inventory.source === 'git') return;
  throw new UsageError(
    `git ignores the whole of ${root}, so ${flag} cannot tell what changed in it.`,
    `Leave ${flag} out to audit everything, or name a folder that git looks after.`,
  );
};

type FoundChanges = ChangedPaths & {
  readonly base: string;
  /** The comparison ends at the tree as it lies there, so that untracked files belong to it. */
  readonly isToTree: boolean;
  readonly differing?: readonly string[];
};

const findChanges = async (
  root: string,
  { kind, flag, text }: AskedChanges,
  head: string,
  revisions: GitRevisions,
): Promise<FoundChanges> => {
  const changes = await createGitChanges(root);
  switch (kind) {
    case 'since': {
      const from = await revisions.commit(text, flag);
      const base = await revisions.mergeBase([from, head], [text, 'HEAD']);
      return { base, isToTree: true, ...(await changes.commitToTree(base)) };
    }
    case 'staged': {
      const [staged, since] = [await changes.commitToIndex(head), await changes.indexToTree()];
      return { base: head, isToTree: false, ...withTree(staged, since) };
    }
    case 'diff': {
      const range = /^(.*?)(\.{2,3})(.*)$/s.exec(text);
      if (range === null) {
        const base = await revisions.commit(text, flag);
        return { base, isToTree: true, ...(await changes.commitToTree(base)) };
      }
      // As git has it, an end that is left out is HEAD. So would be a start, which nobody means: a
      // variable of a script was not set, and nothing would have changed.
      const [one, other] = [range[1] ?? '', range[3] || 'HEAD'];
      const from = await revisions.commit(one, flag);
      const to = await revisions.commit(other, flag);
      if (to !== head) throw endsElsewhere(one, other, to, head);
      const base = range[2] === '...' ? await revisions.mergeBase([from, to], [one, other]) : from;
      const [committed, since] = [
        await changes.commitToCommit(base, to),
        await changes.commitToTree(to),
      ];
      return { base, isToTree: false, ...withTree(committed, since) };
    }
  }
};

/**
 * Files are reviewed as the tree has them, so another commit than the one that is checked out would be
 * reviewed by bytes that it never had. A few edits over it are told, and no reason to refuse.
 */
const endsElsewhere = (one: string, other: string, to: string, head: string): UsageError =>
  new UsageError(
    `The range ends at ${printable(other, 80)} (${to.slice(0, 7)}), and the work tree has HEAD (${head.slice(0, 7)}): its files are not those of the range.`,
    `Check that commit out (git switch --detach ${other}), or let the range end at HEAD: --diff ${one}...HEAD`,
  );

/** What was compared without the tree, as the tree has it. */
const withTree = (
  { changed, deleted }: ChangedPaths,
  since: ChangedPaths,
): ChangedPaths & { readonly differing: readonly string[] } => {
  const gone = new Set(since.deleted);
  return {
    changed: changed.filter((path) => !gone.has(path)),
    deleted: [...deleted, ...changed.filter((path) => gone.has(path))].toSorted(compareText),
    differing: since.changed,
  };
};

/** Of those that the inventory has too: neither our own state nor what came a moment later. */
const untrackedPaths = async (
  root: string,
  present: ReadonlySet<string>,
): Promise<readonly string[]> => {
  const untracked = await createGit(root, runProgram).untracked(UNTRACKED_MS);
  if (untracked === undefined) {
    throw new UsageError(
      'git has not found the untracked files of the audited folder in 10 minutes.',
      'Have it ignore what is large, or use --diff A..B, which looks at commits only.',
    );
  }
  // A nested repository stands as `name/`.
  return untracked.paths.map((path) => path.replace(/\/$/, '')).filter((path) => present.has(path));
};

const UNTRACKED_MS = 600_000;
