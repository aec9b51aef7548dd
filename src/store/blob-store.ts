import type { BlobRef, Digest } from '../domain/ids.ts';

/**
 * Content-addressed bytes: prompts, answers, artifacts. A blob is durable when `put` resolves, so
 * the line that names it can be written (L7). Putting the same bytes again costs one look.
 */
export type BlobStore = {
  readonly put: (bytes: Uint8Array) => Promise<BlobRef>;
  /**
   * @throws {BlobMissingError} when it is not there.
   * @throws {BlobDamagedError} when its bytes do not have its digest.
   */
  readonly get: (digest: Digest) => Promise<Uint8Array>;
  readonly has: (digest: Digest) => Promise<boolean>;
};

export class BlobMissingError extends Error {
  override readonly name = 'BlobMissingError';
}

export class BlobDamagedError extends Error {
  override readonly name = 'BlobDamagedError';
}
