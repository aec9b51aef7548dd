/**
 * The disk as the log needs it: what is durable, and when. Everything that must survive a power cut
 * goes through here, so that the tests can put a disk below it that loses what was not synced.
 *
 * D1. Bytes of a file are durable after `datasync` of that file.
 * D2. A directory entry (create, link, rename, remove) is durable after `syncDirectory`.
 * D3. A failed `datasync` may have dropped what it should have kept, while reads still show it:
 *     nobody retries it (C4).
 *
 * All paths are absolute. Errors are Node's, with `code` (ENOENT, EEXIST, ENOSPC, EIO, EROFS, ...).
 */
export type DiskFile = {
  readonly write: (bytes: Uint8Array, position: number) => Promise<void>;
  readonly size: () => Promise<number>;
  readonly truncate: (length: number) => Promise<void>;
  readonly datasync: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type Disk = {
  /**
   * `create`: must not exist (EEXIST). `existing`: must exist (ENOENT). `append`: likewise, and
   * every write lands at the end, whatever its position says: a writer that was passed over while it
   * slept can add to a log, but never overwrite in it. All read and write; none follows a link.
   */
  readonly open: (path: string, mode: 'create' | 'existing' | 'append') => Promise<DiskFile>;
  readonly readFile: (path: string) => Promise<Uint8Array>;
  /** Names in a directory, sorted by code units. ENOENT when it is missing. */
  readonly list: (directory: string) => Promise<readonly string[]>;
  /**
   * Makes one directory and its missing parents; existing ones are fine. Each new entry is synced
   * before the next is made, and so is that of the deepest one that was there already: a process
   * that was killed in between may have left it unsynced.
   */
  readonly makeDirectory: (directory: string) => Promise<void>;
  readonly link: (existing: string, added: string) => Promise<void>;
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
  readonly syncDirectory: (directory: string) => Promise<void>;
  /** Size in bytes, or undefined when nothing is there. */
  readonly sizeOf: (path: string) => Promise<number | undefined>;
};
