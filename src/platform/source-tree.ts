/**
 * The audited tree, read only. Paths are relative to its root with forward slashes; bytes that are
 * not UTF-8 stand as U+DC80..U+DCFF, as Python's surrogateescape (L6).
 */
export type SourceEntry = {
  readonly path: string;
  readonly kind: 'file' | 'link' | 'submodule' | 'other';
  /** In the git index; `false` for untracked files and without git. */
  readonly tracked: boolean;
  /** A link's target as written; never followed out of the root. */
  readonly target?: string;
};

export type SourceListing = {
  /** Sorted by path, by code units; no ignored files, unless they are tracked. */
  readonly entries: readonly SourceEntry[];
  readonly inventory: 'git' | 'walk';
  /** HEAD, where there is one. */
  readonly commit?: string;
};

export type SourceTree = {
  /** The root folder's own name, for people. */
  readonly name: string;
  readonly list: () => Promise<SourceListing>;
  /** @throws Node's error when the file cannot be read; the inventory records its code. */
  readonly read: (path: string) => Promise<Uint8Array>;
  /**
   * Copies a file to an absolute path that does not exist yet, sharing blocks where the file system
   * can. Trees without files on a disk have none; their bytes are read and written.
   */
  readonly copyTo?: (path: string, destination: string | Buffer) => Promise<void>;
};

/** A verified copy of the inventory's files outside the audited tree. */
export type FrozenTree = {
  /** Absolute folder for programs that must see files. Simulated trees have none. */
  readonly folder: string | undefined;
  readonly read: (path: string) => Promise<Uint8Array>;
};
