import { crc32 } from 'node:zlib';
import type { Digest } from '../domain/ids.ts';

/**
 * A pack: many entries in one file that is written once and never changed.
 *
 *     ┌────────┬────────────────────┬──────────────────────────────────┬───────────────────────────┐
 *     │ magic  │ entries, one after │ index: key (32), offset (6),     │ entries (4), CRC of the   │
 *     │ (8)    │ the other          │ length (4), CRC (4) of each      │ index (4), magic (8)      │
 *     └────────┴────────────────────┴──────────────────────────────────┴───────────────────────────┘
 *
 * A file that is cut, changed or not ours has no index, or an entry without its CRC: then there is
 * nothing to be had of it. Nothing is synced, since all of it can be derived again.
 */

/** Where an entry lies in its pack, in bytes. */
export type PackEntry = { readonly offset: number; readonly length: number; readonly crc: number };

const MAGIC = Buffer.from('casefac1', 'latin1');
const ROW_BYTES = 32 + 6 + 4 + 4;
const FOOT_BYTES = 4 + 4 + MAGIC.length;

export const encodePack = (entries: ReadonlyMap<Digest, Uint8Array>): Buffer => {
  const index = Buffer.alloc(entries.size * ROW_BYTES);
  let offset = MAGIC.length;
  let row = 0;
  for (const [key, bytes] of entries) {
    index.write(key, row, 32, 'hex');
    index.writeUIntBE(offset, row + 32, 6);
    index.writeUInt32BE(bytes.length, row + 38);
    index.writeUInt32BE(crc32(bytes), row + 42);
    offset += bytes.length;
    row += ROW_BYTES;
  }
  const foot = Buffer.alloc(FOOT_BYTES);
  foot.writeUInt32BE(entries.size, 0);
  foot.writeUInt32BE(crc32(index), 4);
  MAGIC.copy(foot, 8);
  return Buffer.concat([MAGIC, ...entries.values(), index, foot]);
};

/** The entries of a pack by their keys; undefined for what is no whole pack. */
export const decodePack = (pack: Buffer): ReadonlyMap<Digest, PackEntry> | undefined => {
  const foot = pack.length - FOOT_BYTES;
  if (foot < MAGIC.length || !pack.subarray(foot + 8).equals(MAGIC)) return undefined;
  const count = pack.readUInt32BE(foot);
  const start = foot - count * ROW_BYTES;
  if (start < MAGIC.length) return undefined;
  const index = pack.subarray(start, foot);
  if (crc32(index) !== pack.readUInt32BE(foot + 4)) return undefined;
  const entries = new Map<Digest, PackEntry>();
  for (let row = 0; row < index.length; row += ROW_BYTES) {
    const key = index.toString('hex', row, row + 32) as Digest;
    const offset = index.readUIntBE(row + 32, 6);
    const [length, crc] = [index.readUInt32BE(row + 38), index.readUInt32BE(row + 42)];
    entries.set(key, { offset, length, crc });
  }
  return entries;
};

/** The bytes of an entry; undefined when they are not those that were written. */
export const entryOf = (
  pack: Buffer,
  { offset, length, crc }: PackEntry,
): Uint8Array | undefined => {
  const bytes = pack.subarray(offset, offset + length);
  return bytes.length === length && crc32(bytes) === crc ? bytes : undefined;
};
