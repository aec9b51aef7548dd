import { openFileEventStore } from '../../src/store/file-event-store.ts';
import { segmentOf } from '../../src/store/segments.ts';
import { appendNext, sampleDraft, writerClosedDraft } from './log-samples.ts';
import { createSimulatedDisk } from './simulated-disk.ts';
import type { SimulatedDisk } from './simulated-disk.ts';

export const LOG_DIRECTORY = '/audit';
const FIRST = `${LOG_DIRECTORY}/${segmentOf(1).file}`;

/** A closed log of `count` commits, one event each, written one after the other, and its close. */
export const builtLog = async (count: number, segmentBytesMax?: number): Promise<SimulatedDisk> => {
  const disk = createSimulatedDisk();
  const store = await openFileEventStore({
    disk,
    directory: LOG_DIRECTORY,
    epoch: 1,
    mode: 'create',
    ...(segmentBytesMax && { segmentBytesMax }),
  });
  for (let number = 1; number <= count; number += 1)
    await appendNext(store, 1, sampleDraft(number));
  await appendNext(store, 1, writerClosedDraft(1));
  await store.close();
  return disk;
};

export const logBytes = (disk: SimulatedDisk): Buffer =>
  Buffer.from(disk.peek(FIRST) ?? new Uint8Array());

/** A disk whose log of one segment has these bytes. */
export const diskWithLog = async (bytes: Uint8Array): Promise<SimulatedDisk> => {
  const disk = createSimulatedDisk();
  await disk.makeDirectory(`${LOG_DIRECTORY}/events`);
  disk.poke(FIRST, bytes);
  return disk;
};

/** Where each line of a log begins, and where the last one ends. */
export const lineStarts = (bytes: Uint8Array): readonly number[] => {
  const starts = [0];
  bytes.forEach((byte, index) => {
    if (byte === 0x0a) starts.push(index + 1);
  });
  return starts;
};
