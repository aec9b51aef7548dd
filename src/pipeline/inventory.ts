import { z } from 'zod';
import { compareText } from '../std/canonical-json.ts';
import { digestOf } from '../std/digest.ts';
import { digest, type Digest } from '../domain/ids.ts';

/** What a look at the content alone can say; `disposition` decides what follows from it. */
export const contentMark = z.enum(['generated', 'minified']);
export type ContentMark = z.infer<typeof contentMark>;

/**
 * One file of the audited tree. `size` in bytes; `lines` of text files, counted as an editor shows
 * them (a last line without a newline counts). A file that could not be read has `unreadable` (the
 * error's code) and no digest: it is never taken for an empty one (V4).
 */
export const inventoryFile = z.object({
  path: z.string().min(1),
  kind: z.enum(['file', 'link', 'submodule', 'other']),
  tracked: z.boolean(),
  size: z.int().nonnegative(),
  lines: z.int().nonnegative(),
  /** `none` for what has no content of its own here: links, submodules, unreadable files. */
  encoding: z.enum(['text', 'binary', 'none']),
  /** Linguist's name, `Unknown` when its tables have none. */
  language: z.string(),
  marks: z.array(contentMark),
  digest: digest.optional(),
  target: z.string().optional(),
  unreadable: z.string().optional(),
});
export type InventoryFile = z.infer<typeof inventoryFile>;

/** Every file of the tree exactly once, sorted by path (code units): what the audit stands on. */
export const inventory = z.object({
  /** Digest over the sorted (path, digest) pairs; the same tree has the same one anywhere. */
  inputDigest: digest,
  source: z.enum(['git', 'walk']),
  commit: z.string().optional(),
  files: z.array(inventoryFile),
});
export type Inventory = z.infer<typeof inventory>;

/** Sorts the files and seals them with their digest. */
export const deriveInventory = (
  files: readonly InventoryFile[],
  listing: { readonly inventory: 'git' | 'walk'; readonly commit?: string },
): Inventory => {
  const sorted = files.toSorted((left, right) => compareText(left.path, right.path));
  return {
    inputDigest: inputDigestOf(sorted),
    source: listing.inventory,
    ...(listing.commit === undefined ? {} : { commit: listing.commit }),
    files: sorted,
  };
};

/** What a file is besides its bytes (a link's target, that it cannot be read) counts as content. */
const inputDigestOf = (files: readonly InventoryFile[]): Digest =>
  digest.parse(
    digestOf(
      files.map((file) => [
        file.path,
        file.digest ?? `${file.kind}:${file.target ?? file.unreadable ?? ''}`,
      ]),
    ),
  );

/** Files of an inventory that are not the same any more; `found` is missing for those that are gone. */
export const driftBetween = (
  before: Inventory,
  now: Inventory,
): { path: string; expected: Digest; found?: Digest }[] => {
  const digests = new Map(now.files.map((file) => [file.path, file.digest]));
  return before.files.flatMap(({ path, digest: expected }) => {
    const found = digests.get(path);
    if (expected === undefined || found === expected) return [];
    return [{ path, expected, ...(found !== undefined && { found }) }];
  });
};
