/**
 * The audited tree, read only. Paths are relative to its root with forward slashes; bytes that are
 * not UTF-8 stand as U+DC80..U+DCFF, as Python's surrogateescape (L6).
 */
export type SourceEntry = {
  readonly path: string;
  /**
   * `ignored`: by git, or by an ignore file where there is no git; a folder of nothing else stands as
   * one. `absent`: in the index, but outside of the sparse checkout; a missing folder stands as one.
   * `other`: neither a file nor a link, or a folder that is not listed file by file.
   */
  readonly kind: 'file' | 'link' | 'submodule' | 'other' | 'ignored' | 'absent';
  /** In the git index; `false` for untracked files and without git. */
  readonly tracked: boolean;
  /** A link's target as written; never followed out of the root. */
  readonly target?: string;
  /** Node's code of the error for a folder that could not be listed. */
  readonly unreadable?: string;
};

export type SourceListing = {
  /** Sorted by path, by code units; each path once. What is tracked is never `ignored`. */
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
   * Reads a file in pieces, so that one of any size fits into memory. Trees without files on a disk
   * have none; theirs are read whole.
   *
   * @param take gets `pieceBytes` at a time, the last time less; valid only during the call.
   * @throws Node's error, as `read` does.
   */
  readonly scan?: (
    path: string,
    limits: { readonly pieceBytes: number; readonly bytesMax: number },
    take: (piece: Uint8Array) => void,
  ) => Promise<ScannedFile>;
  /**
   * Copies a file to an absolute path that does not exist yet, sharing blocks where the file system
   * can. Trees without files on a disk have none; their bytes are read and written.
   */
  readonly copyTo?: (path: string, destination: string | Buffer) => Promise<void>;
};

/**
 * What a scan read: the file as large as it was when it was opened, or what was left of it. More
 * than `bytesMax` is too large: nothing was read.
 */
export type ScannedFile = { readonly size: number; readonly isTooLarge: boolean };

/** A verified copy of the inventory's files outside the audited tree. */
export type FrozenTree = {
  /** Absolute folder for programs that must see files. Simulated trees have none. */
  readonly folder: string | undefined;
  readonly read: (path: string) => Promise<Uint8Array>;
};
