import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Digest } from '../domain/ids.ts';
import { decodePack, encodePack, entryOf, type PackEntry } from './cache-pack.ts';
import { readRegularFile } from './read-regular-file.ts';

/**
 * What was derived from contents before, by a key that is a digest of all that it depends on. A miss is
 * always allowed, so nothing here ever fails, and nobody waits for anybody:
 *
 * K1. What `get` gives was `put` under this key, by this process or another, byte for byte; or nothing.
 * K2. A folder that cannot be made, read or written is a cache in which nothing is found.
 * K3. Packs are made whole under a name of their own and never changed: processes need no lock.
 * K4. After a `save` there are at most `packsMax` packs of `bytesMax` bytes; the longest unused go first.
 */
export type ContentCache = {
  readonly get: (key: Digest) => Promise<Uint8Array | undefined>;
  readonly put: (key: Digest, bytes: Uint8Array) => void;
  /** Keeps what was put since, for other processes and later ones. */
  readonly save: () => Promise<void>;
};

/** Nothing is found, nothing is kept. */
export const NO_CACHE: ContentCache = {
  get: async () => undefined,
  put: () => undefined,
  save: async () => undefined,
};

/** @param folder absolute; made when something is first kept. */
export const createContentCache = (
  folder: string,
  { bytesMax = 256_000_000, packsMax = 32 } = {},
): ContentCache => {
  const added = new Map<Digest, Uint8Array>();
  const used = new Set<string>();
  let packs: Promise<readonly Pack[]> | undefined;

  return {
    get: async (key) => {
      const known = added.get(key);
      if (known !== undefined) return known;
      packs ??= readPacks(folder);
      for (const { name, bytes, entries } of await packs) {
        const entry = entries.get(key);
        const found = entry && entryOf(bytes, entry);
        if (found === undefined) continue;
        used.add(name);
        return found;
      }
      return undefined;
    },
    put: (key, bytes) => void added.set(key, bytes),
    save: async () => {
      packs = undefined;
      const entries = new Map(added);
      added.clear();
      await unlessFailed(async () => {
        const now = new Date();
        for (const name of used) await unlessFailed(() => utimes(join(folder, name), now, now));
        used.clear();
        if (entries.size === 0) return;
        await mkdir(folder, { recursive: true });
        await writePack(folder, entries);
        await tidy(folder, bytesMax, packsMax);
      });
    },
  };
};

type Pack = {
  readonly name: string;
  readonly bytes: Buffer;
  readonly entries: ReadonlyMap<Digest, PackEntry>;
};

const PACK_NAME = /^[0-9a-f]{32}\.pack$/;
const DRAFT_NAME = /^[0-9a-f]{32}\.draft$/;
/** A draft that is so old was left by a process that is gone. */
const DRAFT_AGE_MS = 3_600_000;

const readPacks = async (folder: string): Promise<readonly Pack[]> => {
  const names = (await unlessFailed(() => readdir(folder))) ?? [];
  const packs = names
    .filter((name) => PACK_NAME.test(name))
    .map(async (name) => readPack(folder, name));
  return (await Promise.all(packs)).filter((pack) => pack !== undefined);
};

const readPack = async (folder: string, name: string): Promise<Pack | undefined> => {
  const bytes = await unlessFailed(() => readRegularFile(join(folder, name)));
  if (bytes === undefined) return undefined;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = decodePack(buffer);
  return entries && { name, bytes: buffer, entries };
};

/** Under a name that nobody else has, then in its place: a pack is there whole or not at all. */
const writePack = async (
  folder: string,
  entries: ReadonlyMap<Digest, Uint8Array>,
): Promise<void> => {
  const name = randomBytes(16).toString('hex');
  const draft = join(folder, `${name}.draft`);
  await writeFile(draft, encodePack(entries), { flag: 'wx' });
  await rename(draft, join(folder, `${name}.pack`));
};

/** Joins small packs when there are many, and removes the longest unused beyond the bound. */
const tidy = async (folder: string, bytesMax: number, packsMax: number): Promise<void> => {
  const files: { readonly name: string; readonly size: number; readonly usedMs: number }[] = [];
  for (const name of (await readdir(folder)).toSorted()) {
    const found = await unlessFailed(() => stat(join(folder, name)));
    if (found === undefined) continue;
    if (PACK_NAME.test(name)) files.push({ name, size: found.size, usedMs: found.mtimeMs });
    else if (DRAFT_NAME.test(name) && Date.now() - found.mtimeMs > DRAFT_AGE_MS) {
      await unlessFailed(() => unlink(join(folder, name)));
    }
  }
  let kept = files.toSorted((left, right) => right.usedMs - left.usedMs);
  let sum = 0;
  const surplus = kept.filter(({ size }) => (sum += size) > bytesMax);
  // What was just written stays, however large: it is the one that is wanted next.
  for (const { name } of surplus.filter((file) => file !== kept[0])) {
    await unlessFailed(() => unlink(join(folder, name)));
  }
  kept = kept.filter((file) => file === kept[0] || !surplus.includes(file));
  if (kept.length <= packsMax) return;
  // Half of them, the smallest: so that it is not done again at once, and large ones are left alone.
  const small = kept
    .toSorted((left, right) => left.size - right.size)
    .slice(0, kept.length - Math.floor(packsMax / 2));
  const joined = new Map<Digest, Uint8Array>();
  for (const { name } of small) {
    const pack = await readPack(folder, name);
    for (const [key, entry] of pack?.entries ?? []) {
      const bytes = pack && entryOf(pack.bytes, entry);
      if (bytes !== undefined) joined.set(key, bytes);
    }
  }
  await writePack(folder, joined);
  for (const { name } of small) await unlessFailed(() => unlink(join(folder, name)));
};

/** K2: whatever the disk says, it is no more than a miss. A fault of ours is none of the disk's. */
const unlessFailed = async <Value>(work: () => Promise<Value>): Promise<Value | undefined> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
};
