import { z } from 'zod';
import { compareText } from '../std/canonical-json.ts';
import { digest, type Digest } from '../domain/ids.ts';
import { charset } from './charset.ts';
import { fileAttributes } from './git-attributes.ts';
import { componentManifest, type ComponentManifest } from './component-manifest.ts';
import { digestOfValue } from './text-digest.ts';
import { lineEnds } from './text-lines.ts';

/** What a look at the content alone can say; `disposition` decides what follows from it. */
export const contentMark = z.enum(['generated', 'minified', 'blank', 'lfs-pointer']);
export type ContentMark = z.infer<typeof contentMark>;

/**
 * One file of the audited tree. `size` in bytes; `lines` of text files, counted as an editor shows
 * them (ended by LF, CRLF or CR; a last line without an end counts). A file that could not be read
 * has `unreadable` (the error's code) and no digest: it is never taken for an empty one (V4). One
 * that is too large to be read has its size and no digest.
 */
export const inventoryFile = z.object({
  path: z.string().min(1),
  kind: z.enum(['file', 'link', 'submodule', 'other', 'ignored', 'absent']),
  tracked: z.boolean(),
  size: z.int().nonnegative(),
  lines: z.int().nonnegative(),
  /** `none` for what has no content of its own here: links, submodules, unreadable files. */
  encoding: z.enum(['text', 'binary', 'none']),
  /** Of text files; older inventories do not say. */
  charset: charset.optional(),
  lineEnds: lineEnds.optional(),
  /** Linguist's name, `Unknown` when its tables have none. */
  language: z.string(),
  marks: z.array(contentMark),
  attributes: fileAttributes.optional(),
  /** The folder (`.` for the root) whose ignore file leaves this file out. */
  ignoredBy: z.string().optional(),
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
  /** Sorted by path; older inventories have none. */
  manifests: z.array(componentManifest).optional(),
});
export type Inventory = z.infer<typeof inventory>;

/** Sorts the files and seals them with their digest. */
export const deriveInventory = (
  files: readonly InventoryFile[],
  listing: { readonly inventory: 'git' | 'walk'; readonly commit?: string },
  manifests: readonly ComponentManifest[] = [],
): Inventory => {
  const sorted = files.toSorted((left, right) => compareText(left.path, right.path));
  return {
    inputDigest: inputDigestOf(sorted),
    source: listing.inventory,
    ...(listing.commit === undefined ? {} : { commit: listing.commit }),
    files: sorted,
    manifests: manifests.toSorted((left, right) => compareText(left.path, right.path)),
  };
};

/**
 * What a file is besides its bytes (a link's target, that it cannot be read, the size of one that is
 * too large to be) counts as content. What is ignored or not checked out is no part of the input: it
 * comes and goes with a build, and is on one machine and not on the next.
 */
const inputDigestOf = (files: readonly InventoryFile[]): Digest =>
  digest.parse(
    digestOfValue(
      files.filter(isInput).map((file) => [file.path, file.digest ?? `${file.kind}:${form(file)}`]),
    ),
  );

const isInput = ({ kind }: InventoryFile): boolean => kind !== 'ignored' && kind !== 'absent';

const form = (file: InventoryFile): string =>
  file.target ?? file.unreadable ?? (file.size > 0 ? String(file.size) : '');

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
