import { createNodeDisk } from '../../src/platform/node-disk.ts';
import type { Disk } from '../../src/platform/disk.ts';
import { openFileEventStore } from '../../src/store/file-event-store.ts';
import { createMemoryEventStore, createMemoryLog } from '../../src/store/memory-event-store.ts';
import { eventStoreContract } from '../contracts/event-store.contract.ts';
import type { LogUnderTest } from '../contracts/event-store.contract.ts';
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
