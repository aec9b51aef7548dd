import { describe, expect, test } from 'vitest';
import { BlobMissingError } from '../../src/store/blob-store.ts';
import type { BlobStore } from '../../src/store/blob-store.ts';
import { sampleDigest } from '../helpers/log-samples.ts';

export const blobStoreContract = (name: string, create: () => Promise<BlobStore>): void => {
  describe(`${name} keeps the blob store's contract`, () => {
    test('bytes come back as they went in, under their SHA-256', async () => {
      const store = await create();
      const bytes = Buffer.from([0, 255, 10, 13]);
      const blob = await store.put(bytes);
      expect(blob.bytes).toBe(4);
      expect(blob.digest).toMatch(/^[0-9a-f]{64}$/);
      expect([...(await store.get(blob.digest))]).toEqual([...bytes]);
      expect(await store.has(blob.digest)).toBe(true);
    });

    test('empty bytes are a blob like any other', async () => {
      const store = await create();
      const blob = await store.put(new Uint8Array());
      expect(blob.digest).toMatch(/^e3b0c442/);
      expect(await store.get(blob.digest)).toHaveLength(0);
    });

    test('the same bytes are one blob, however often and at once they are put', async () => {
      const store = await create();
      const put = (): ReturnType<BlobStore['put']> => store.put(Buffer.from('same'));
      const blobs = await Promise.all([put(), put(), put()]);
      blobs.push(await put());
      expect(new Set(blobs.map(({ digest }) => digest)).size).toBe(1);
    });

    test('a missing blob is missing, not empty', async () => {
      const store = await create();
      expect(await store.has(sampleDigest)).toBe(false);
      await expect(store.get(sampleDigest)).rejects.toThrow(BlobMissingError);
    });
  });
};
