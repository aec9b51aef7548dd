import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Digest } from '../../src/domain/ids.ts';
import { createContentCache } from '../../src/platform/content-cache.ts';
import { sha256Hex } from '../../src/std/digest.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const keyOf = (word: string): Digest => sha256Hex(word) as Digest;
const textOf = (bytes: Uint8Array | undefined): string | undefined =>
  bytes && Buffer.from(bytes).toString('utf8');

const filled = async (words: readonly string[]): Promise<string> => {
  const folder = join(await temporaryFolder(), 'facts');
  const cache = createContentCache(folder);
  for (const word of words) cache.put(keyOf(word), Buffer.from(`of ${word}`));
  await cache.save();
  return folder;
};
const found = async (folder: string, words: readonly string[]) => {
  const cache = createContentCache(folder);
  return Promise.all(words.map(async (word) => textOf(await cache.get(keyOf(word)))));
};
const packIn = (folder: string): string => {
  const [name = ''] = readdirSync(folder);
  return join(folder, name);
};

describe('the cache of what contents came to', () => {
  test('gives each process what any process has put, to the byte (K1)', async () => {
    const folder = await filled(['one', 'two', '']);
    expect(await found(folder, ['one', 'two', '', 'three'])).toEqual([
      'of one',
      'of two',
      'of ',
      undefined,
    ]);
  });

  test('gives nothing but what was put, whatever was done to its file (K1)', async () => {
    const words = ['one', 'two', 'three'];
    const folder = await filled(words);
    const file = packIn(folder);
    const whole = readFileSync(file);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length),
        fc.nat(whole.length - 1),
        fc.nat(255),
        fc.boolean(),
        async (length, at, value, isCut) => {
          const damaged = Buffer.from(whole);
          damaged[at] = value;
          writeFileSync(file, isCut ? damaged.subarray(0, length) : damaged);
          for (const [index, text] of (await found(folder, words)).entries()) {
            expect([undefined, `of ${words[index]}`]).toContain(text);
          }
        },
      ),
      { numRuns: 300 },
    );
    writeFileSync(file, Buffer.alloc(whole.length));
    expect(await found(folder, words)).toEqual([undefined, undefined, undefined]);
  });

  test('is empty and silent where no folder can be made or read (K2)', async () => {
    const taken = join(await temporaryFolder(), 'facts');
    writeFileSync(taken, 'a file where the folder belongs');
    const cache = createContentCache(taken);
    cache.put(keyOf('one'), Buffer.from('of one'));
    await cache.save();
    expect(await found(taken, ['one'])).toEqual([undefined]);
    const odd = join(await temporaryFolder(), 'facts');
    mkdirSync(join(odd, `${'0'.repeat(32)}.pack`), { recursive: true });
    expect(await found(odd, ['one'])).toEqual([undefined]);
    chmodSync(odd, 0o500);
    expect(await found(odd, ['one'])).toEqual([undefined]);
  });

  test('of processes that save at the same time loses nothing (K3)', async () => {
    const folder = join(await temporaryFolder(), 'facts');
    const words = Array.from({ length: 20 }, (_, index) => `word ${index}`);
    await Promise.all(
      words.map(async (word) => {
        const cache = createContentCache(folder);
        cache.put(keyOf(word), Buffer.from(`of ${word}`));
        await cache.save();
      }),
    );
    expect(await found(folder, words)).toEqual(words.map((word) => `of ${word}`));
  });

  test('joins small packs when there are many, and keeps what is in them (K4)', async () => {
    const folder = join(await temporaryFolder(), 'facts');
    const words = Array.from({ length: 30 }, (_, index) => `word ${index}`);
    for (const word of words) {
      const cache = createContentCache(folder, { packsMax: 8 });
      cache.put(keyOf(word), Buffer.from(`of ${word}`));
      await cache.save();
      expect(readdirSync(folder).length).toBeLessThanOrEqual(8);
    }
    expect(await found(folder, words)).toEqual(words.map((word) => `of ${word}`));
  });

  test('beyond its bound the longest unused goes, and what was used stays (K4)', async () => {
    const folder = join(await temporaryFolder(), 'facts');
    const put = async (word: string, usedSecondsAgo: number): Promise<void> => {
      const before = new Set(readableNames(folder));
      const cache = createContentCache(folder, { bytesMax: 350_000 });
      if (word === 'new') await cache.get(keyOf('old but used'));
      cache.put(keyOf(word), Buffer.alloc(100_000, word));
      await cache.save();
      for (const name of readableNames(folder)) {
        const then = Date.now() / 1000 - usedSecondsAgo;
        if (!before.has(name)) utimesSync(join(folder, name), then, then);
      }
    };
    await put('old but used', 300);
    await put('old', 200);
    await put('recent', 100);
    await put('new', 0);
    const cache = createContentCache(folder);
    const lengths = ['old but used', 'old', 'recent', 'new'].map(
      async (word) => (await cache.get(keyOf(word)))?.length,
    );
    expect(await Promise.all(lengths)).toEqual([100_000, undefined, 100_000, 100_000]);
  });
});

const readableNames = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
