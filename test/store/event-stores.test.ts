import { expect, test } from 'vitest';
import { createNodeDisk } from '../../src/platform/node-disk.ts';
import type { Disk } from '../../src/platform/disk.ts';
import { openFileEventStore } from '../../src/store/file-event-store.ts';
import { createMemoryEventStore, createMemoryLog } from '../../src/store/memory-event-store.ts';
import { eventStoreContract } from '../contracts/event-store.contract.ts';
import type { LogUnderTest } from '../contracts/event-store.contract.ts';
import { appendNext } from '../helpers/log-samples.ts';
import { createSimulatedDisk } from '../helpers/simulated-disk.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Claims without asking: who may claim is the writer epochs' business. */
const logOn = (disk: Disk, directory: string, segmentBytesMax?: number): LogUnderTest => ({
  open: async (epoch) => {
    await disk.makeDirectory(`${directory}/writers`);
    const path = `${directory}/writers/${epoch}`;
    if ((await disk.sizeOf(path)) === undefined) await (await disk.open(path, 'create')).close();
    return openFileEventStore({
      disk,
      directory,
      epoch,
      mode: 'create',
      ...(segmentBytesMax && { segmentBytesMax }),
    });
  },
});

test('a hundred appends write as many bytes as the log has, and nothing is renamed or cut (W35)', async () => {
  const disk = createSimulatedDisk();
  let written = 0;
  const counting: Disk = {
    ...disk,
    open: async (path, mode) => {
      const file = await disk.open(path, mode);
      const write = (bytes: Uint8Array, position: number): Promise<void> => {
        written += bytes.length;
        return file.write(bytes, position);
      };
      return { ...file, write };
    },
  };
  const store = await logOn(counting, '/audit').open(1);
  const before = disk.operations().length;
  for (let count = 0; count < 100; count += 1) await appendNext(store, 1);
  await store.close();
  const kinds = new Set(
    disk
      .operations()
      .slice(before)
      .map(({ kind }) => kind),
  );
  expect([...kinds].filter((kind) => ['rename', 'truncate', 'remove'].includes(kind))).toEqual([]);
  const logs = disk.files().filter((path) => path.startsWith('/audit/events/'));
  const kept = logs.map((path) => disk.peek(path)?.length ?? 0);
  expect(written).toBe(kept.reduce((sum, bytes) => sum + bytes, 0));
});

eventStoreContract('the log on this machine', async () =>
  logOn(createNodeDisk(), `${await temporaryFolder()}/audit`),
);
eventStoreContract('the log on a simulated disk', async () =>
  logOn(createSimulatedDisk(), '/audit'),
);
eventStoreContract('the log in short segments', async () =>
  logOn(createSimulatedDisk(), '/audit', 800),
);
eventStoreContract('the log in memory', async () => {
  const log = createMemoryLog();
  return { open: async (epoch) => createMemoryEventStore({ epoch, log }) };
});
