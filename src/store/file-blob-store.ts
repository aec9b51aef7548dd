import { digestOfBytes } from '../platform/bytes-digest.ts';
import type { BlobRef, Digest } from '../domain/ids.ts';
import type { Disk } from '../platform/disk.ts';
import { writeNewFile } from '../platform/new-file.ts';
import { BlobDamagedError, BlobMissingError } from './blob-store.ts';
import type { BlobStore } from './blob-store.ts';

/** The folder of the blobs, in the audit's folder. */
export const BLOBS_FOLDER = 'blobs';

/** Where a blob is, relative to the audit's folder. */
export const blobFile = (digest: string): string =>
  `${BLOBS_FOLDER}/${digest.slice(0, 2)}/${digest}`;

/**
 * Blobs as files `blobs/<aa>/<sha256>` in the audit's folder.
 *
 * The first `put` of some bytes in a process always writes them anew and renames over what is
 * there. So a blob that was damaged is healed, and one that reads well but never reached the disk
 * (its writer was killed, or its sync failed) is not trusted. Later puts of the same bytes, also
 * while the first one is still under way, share its work.
 */
export const createFileBlobStore = ({
  disk,
  directory,
}: {
  readonly disk: Disk;
  /** The audit's folder. */
  readonly directory: string;
}): BlobStore => {
  const puts = new Map<string, Promise<void>>();
  const folders = new Map<string, Promise<void>>();

  const write = async (digest: Digest, bytes: Uint8Array): Promise<void> => {
    const path = `${directory}/${blobFile(digest)}`;
    const folder = path.slice(0, path.lastIndexOf('/'));
    // Its entries up to the audit's folder are made durable once in each process.
    await shared(folders, folder, () => disk.makeDirectory(folder));
    const temporary = await writeAside(disk, path, bytes);
    await disk.rename(temporary, path);
    await disk.syncDirectory(folder);
  };

  return {
    put: async (bytes) => {
      const digest = digestOfBytes(bytes);
      await shared(puts, digest, () => write(digest, bytes));
      return { digest, bytes: bytes.length } satisfies BlobRef;
    },
    get: async (digest) => {
      const bytes = await disk.readFile(`${directory}/${blobFile(digest)}`).catch((error) => {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        throw new BlobMissingError(`There is no blob ${digest}.`);
      });
      if (digestOfBytes(bytes) === digest) return bytes;
      throw new BlobDamagedError(`The bytes of blob ${digest} do not have its digest.`);
    },
    has: async (digest) => (await disk.sizeOf(`${directory}/${blobFile(digest)}`)) !== undefined,
  };
};

/** The work for `key`, done once; again only after it failed. */
const shared = (
  works: Map<string, Promise<void>>,
  key: string,
  work: () => Promise<void>,
): Promise<void> => {
  const known = works.get(key);
  if (known !== undefined) return known;
  const begun = work().catch((error: unknown) => {
    works.delete(key);
    throw error;
  });
  works.set(key, begun);
  return begun;
};

/** A synced file beside `path`. Names that a killed process left behind are passed over. */
const writeAside = async (disk: Disk, path: string, bytes: Uint8Array): Promise<string> => {
  for (let copy = 0; ; copy += 1) {
    const temporary = `${path}.${copy}.tmp`;
    try {
      await writeNewFile(disk, temporary, bytes);
      return temporary;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
};
