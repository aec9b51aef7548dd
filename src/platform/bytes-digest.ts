import { createHash, hash } from 'node:crypto';
import type { Digest } from '../domain/ids.ts';

/** SHA-256 by the platform's own code, which is ten times as fast as the portable one of `std`. */
export const digestOfBytes = (bytes: Uint8Array): Digest => hash('sha256', bytes, 'hex') as Digest;

/** The same over bytes that come in pieces. */
export const createBytesDigest = (): {
  readonly take: (piece: Uint8Array) => void;
  readonly end: () => Digest;
} => {
  const hashed = createHash('sha256');
  return {
    take: (piece) => void hashed.update(piece),
    end: () => hashed.digest('hex') as Digest,
  };
};
