import { describe, expect, test } from 'vitest';
import { createNodeDisk } from '../../src/platform/node-disk.ts';
import { BlobDamagedError } from '../../src/store/blob-store.ts';
import { blobFile, createFileBlobStore } from '../../src/store/file-blob-store.ts';
import { createMemoryBlobStore } from '../../src/store/memory-blob-store.ts';
import { blobStoreContract } from '../contracts/blob-store.contract.ts';
import { createSimulatedDisk } from '../helpers/simulated-disk.ts';
import type { SimulatedDisk } from '../helpers/simulated-disk.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const auditDisk = async (): Promise<SimulatedDisk> => {
  const disk = createSimulatedDisk();
  await disk.makeDirectory('/audit');
  return disk;
};

blobStoreContract('the blob store on this machine', async () =>
  createFileBlobStore({ disk: createNodeDisk(), directory: await temporaryFolder() }),
);
blobStoreContract('the blob store on a simulated disk', async () =>
  createFileBlobStore({ disk: await auditDisk(), directory: '/audit' }),
);
blobStoreContract('the blob store in memory', async () => createMemoryBlobStore());

describe('blobs on disk', () => {
  const bytes = Buffer.from('an answer that was paid for');

  test('damaged bytes are told, and putting them again heals them', async () => {
    const disk = await auditDisk();
    const { digest } = await createFileBlobStore({ disk, directory: '/audit' }).put(bytes);
    disk.poke(`/audit/${blobFile(digest)}`, Buffer.from('an answer that was paid f'));
    const store = createFileBlobStore({ disk, directory: '/audit' });
    await expect(store.get(digest)).rejects.toThrow(BlobDamagedError);
    await store.put(bytes);
    expect(await store.get(digest)).toEqual(bytes);
  });

  test('a blob is durable when put resolves, wherever earlier tries were stopped', async () => {
    const whole = await auditDisk();
    const { digest } = await createFileBlobStore({ disk: whole, directory: '/audit' }).put(bytes);
    const count = whole.operations().length;
    for (let crashAt = 1; crashAt <= count + 1; crashAt += 1) {
      for (let seed = 0; seed < 8; seed += 1) {
        const ends = [{ kind: 'kill' } as const, { kind: 'power', seed } as const];
        for (const end of ends) {
          const first = createSimulatedDisk({ crashAt });
          const made = await first
            .makeDirectory('/audit')
            .then(() => createFileBlobStore({ disk: first, directory: '/audit' }).put(bytes))
            .catch(() => undefined);
          const second = first.crash(end);
          if (made !== undefined) {
            const survived = createFileBlobStore({ disk: second, directory: '/audit' });
            expect(await survived.get(digest)).toEqual(bytes);
          }
          await second.makeDirectory('/audit');
          await createFileBlobStore({ disk: second, directory: '/audit' }).put(bytes);
          const third = second.crash({ kind: 'power', seed });
          const store = createFileBlobStore({ disk: third, directory: '/audit' });
          expect(await store.get(digest)).toEqual(bytes);
        }
      }
    }
  });

  test('a failed sync fails the put, and the next process does not trust what reads well', async () => {
    for (let seed = 0; seed < 30; seed += 1) {
      const first = createSimulatedDisk({
        seed,
        fault: ({ kind }) => (kind === 'datasync' ? 'EIO' : undefined),
      });
      await first.makeDirectory('/audit');
      const store = createFileBlobStore({ disk: first, directory: '/audit' });
      await expect(store.put(bytes)).rejects.toMatchObject({ code: 'EIO' });
      const second = first.crash({ kind: 'kill' });
      const { digest } = await createFileBlobStore({ disk: second, directory: '/audit' }).put(
        bytes,
      );
      const third = second.crash({ kind: 'power', seed });
      const last = createFileBlobStore({ disk: third, directory: '/audit' });
      expect(await last.get(digest)).toEqual(bytes);
    }
  });
});
