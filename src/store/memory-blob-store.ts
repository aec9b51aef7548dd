import type { Digest } from '../domain/ids.ts';
import { BlobMissingError } from './blob-store.ts';
import type { BlobStore } from './blob-store.ts';
import { digestOfBytes } from '../platform/bytes-digest.ts';

/** Blobs that live as long as the process. */
export const createMemoryBlobStore = (): BlobStore => {
  const blobs = new Map<Digest, Uint8Array>();
  return {
    put: async (bytes) => {
      const digest = digestOfBytes(bytes);
      if (!blobs.has(digest)) blobs.set(digest, Uint8Array.from(bytes));
      return { digest, bytes: bytes.length };
    },
    get: async (digest) => {
      const bytes = blobs.get(digest);
      if (bytes === undefined) throw new BlobMissingError(`There is no blob ${digest}.`);
      return Uint8Array.from(bytes);
    },
    has: async (digest) => blobs.has(digest),
  };
};
