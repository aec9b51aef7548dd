import { z } from 'zod';
import { canonicalJson } from '../std/canonical-json.ts';
import { counted } from '../std/counted.ts';
import { printable } from '../std/printable.ts';

/**
 * Which part of the repository an audit was asked about, by what changed, and what that came to when
 * the audit was opened. All that the plan needs stands here: neither going on nor a replay asks git.
 *
 *   since    from the merge base of a ref and HEAD to the tree as it lies there, untracked files too
 *   diff     a range of git that ends at HEAD, or from one commit to the tree as it lies there
 *   staged   from HEAD to the index
 */
export const selection = z.strictObject({
  kind: z.enum(['since', 'diff', 'staged']),
  /** The ref or range as it was written; HEAD of what is staged. */
  asked: z.string(),
  /** The commit that is compared with: of `since` and of `A...B` the merge base. */
  base: z.string(),
  /** HEAD when the audit was opened. */
  head: z.string(),
  /** Paths that were added or changed, renamed ones by their new name; sorted. */
  changed: z.array(z.string()),
  /** Paths that are gone, renamed ones by their old name; sorted. */
  deleted: z.array(z.string()),
  /** Changed paths that lie in the tree with other bytes than those at the end of the comparison. */
  differing: z.array(z.string()).optional(),
});
export type Selection = z.infer<typeof selection>;

/** Files that are reviewed since something changed. */
export const selectedFiles = z.object({
  /** Changed files that are reviewed at all; sorted. */
  changed: z.array(z.string()),
  /** Files that depend on what changed, in the order in which they were taken. */
  near: z.array(
    z.object({
      path: z.string(),
      /** Imports on the way from it to what changed. */
      hops: z.int().positive(),
      /** The file that it depends on: the changed one itself, or one on the way. */
      by: z.string(),
    }),
  ),
  /** Files that are as near as those, and beyond the bound; sorted. */
  beyond: z.array(z.string()),
});
export type SelectedFiles = z.infer<typeof selectedFiles>;

/**
 * Whether two are the same question over the same changes. HEAD may have moved: committing what was
 * changed before changes nothing of it.
 */
export const isSameSelection = (
  one: Selection | undefined,
  other: Selection | undefined,
): boolean => canonicalJson(question(one)) === canonicalJson(question(other));

const question = (one: Selection | undefined): readonly unknown[] =>
  one === undefined ? [] : [one.kind, one.asked, one.base, one.changed, one.deleted];

/** Behind "changed": `since main (1a2b3c4)`. */
export const baseWords = ({ kind, asked, base, head }: Selection): string => {
  const name = printable(asked, 80);
  switch (kind) {
    case 'since':
      return `since ${name} (${shortId(base)})`;
    case 'diff':
      return asked.includes('..')
        ? `in ${name} (${shortId(base)} to ${shortId(head)})`
        : `since ${name} (${shortId(base)})`;
    case 'staged':
      return `in the index since HEAD (${shortId(base)})`;
  }
};

/** What is asked about, as a clause: `what changed since main (1a2b3c4): 2 files, 1 deleted`. */
export const selectionWords = (one: Selection): string => {
  const deleted = one.deleted.length === 0 ? '' : `, ${one.deleted.length} deleted`;
  return `what changed ${baseWords(one)}: ${counted(one.changed.length, 'file')}${deleted}`;
};

/** The whole answer where nothing changed; undefined where something did. */
export const nothingChanged = (one: Selection | undefined): string | undefined =>
  one === undefined || one.changed.length + one.deleted.length > 0
    ? undefined
    : `Nothing changed ${baseWords(one)}; there is nothing to review.`;

const shortId = (oid: string): string => oid.slice(0, 7);
