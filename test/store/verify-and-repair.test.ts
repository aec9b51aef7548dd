import { describe, expect, test } from 'vitest';
import { blobFile, createFileBlobStore } from '../../src/store/file-blob-store.ts';
import { openFileEventStore } from '../../src/store/file-event-store.ts';
import { readLog } from '../../src/store/read-log.ts';
import { repairLog } from '../../src/store/repair-log.ts';
import { verifyLog } from '../../src/store/verify-log.ts';
import {
  builtLog,
  diskWithLog,
  lineStarts,
  LOG_DIRECTORY,
  logBytes,
} from '../helpers/built-log.ts';
import { answersImportedDraft, appendNext, sampleDigest } from '../helpers/log-samples.ts';
import type { SimulatedDisk } from '../helpers/simulated-disk.ts';

const directory = LOG_DIRECTORY;
const verify = (disk: SimulatedDisk): ReturnType<typeof verifyLog> =>
  verifyLog({ disk, directory, blobs: createFileBlobStore({ disk, directory }) });
const repair = (disk: SimulatedDisk): ReturnType<typeof repairLog> =>
  repairLog({ disk, directory, epoch: 2 });

const withFlip = (disk: SimulatedDisk, file: string, offset: number): void => {
  const bytes = disk.peek(file) ?? new Uint8Array();
  bytes[offset] = (bytes[offset] ?? 0) ^ 1;
  disk.poke(file, bytes);
};

describe('verify', () => {
  test('finds nothing wrong with a whole log, and writes nothing', async () => {
    const disk = await builtLog(6, 900);
    const count = disk.operations().length;
    const { problems, commits, position } = await verify(disk);
    expect({ problems, commits, seq: position.seq }).toEqual({ problems: [], commits: 7, seq: 7 });
    expect(
      disk
        .operations()
        .slice(count)
        .some(({ changes }) => changes),
    ).toBe(false);
  });

  test('names the place of a torn tail and of damage', async () => {
    const bytes = logBytes(await builtLog(4));
    const torn = await diskWithLog(bytes.subarray(0, bytes.length - 3));
    expect((await verify(torn)).problems).toMatchObject([
      { kind: 'torn-tail', place: { line: 5 } },
    ]);
    const damaged = await diskWithLog(bytes);
    withFlip(damaged, damaged.files()[0] ?? '', 30);
    expect((await verify(damaged)).problems).toMatchObject([
      { kind: 'damaged', place: { line: 1, seq: 1 } },
    ]);
    // That nothing can be read after it is no second damage, though blobs are there.
    await createFileBlobStore({ disk: damaged, directory }).put(Buffer.from('named once'));
    expect((await verify(damaged)).problems).toHaveLength(1);
  });

  test('names the event of a blob that is missing, damaged or of another size', async () => {
    const disk = await builtLog(1);
    const blobs = createFileBlobStore({ disk, directory });
    const store = await openFileEventStore({ disk, directory, epoch: 2, mode: 'existing' });
    const good = await blobs.put(Buffer.from('good'));
    const bad = await blobs.put(Buffer.from('bad'));
    for (const blob of [good, bad, { digest: sampleDigest, bytes: 3 }, { ...good, bytes: 9 }]) {
      await appendNext(store, 2, answersImportedDraft(blob));
    }
    await store.close();
    disk.poke(`${directory}/${blobFile(bad.digest)}`, Buffer.from('bat'));
    const { problems, blobs: count } = await verify(disk);
    expect(count).toBe(4);
    expect(problems).toMatchObject([
      { kind: 'blob-damaged', place: { seq: 4 }, blob: bad },
      { kind: 'blob-missing', place: { seq: 5 } },
      { kind: 'blob-damaged', place: { seq: 6 } },
    ]);
  });
});

describe('repair', () => {
  test('leaves a log alone that needs none', async () => {
    const disk = await builtLog(3);
    const before = disk.peek(disk.files()[0] ?? '');
    expect(await repair(disk)).toMatchObject({ kind: 'nothing-damaged', position: { seq: 4 } });
    expect(disk.peek(disk.files()[0] ?? '')).toEqual(before);
  });

  test('cuts at the damage, keeps what it cuts, tells it, and the log goes on', async () => {
    const disk = await builtLog(5);
    const bytes = logBytes(disk);
    const third = lineStarts(bytes)[2] ?? 0;
    withFlip(disk, disk.files()[0] ?? '', third + 25);
    const damaged = logBytes(disk);
    const report = await repair(disk);
    expect(report).toMatchObject({
      kind: 'cut',
      place: { line: 3, seq: 3 },
      position: { seq: 2 },
      lost: { bytes: bytes.length - third, commits: 3, events: 3 },
    });
    const saved = report.kind === 'cut' ? (report.savedAs[0] ?? '') : '';
    expect(disk.peek(`${directory}/${saved}`)).toEqual(Uint8Array.from(damaged.subarray(third)));
    const store = await openFileEventStore({ disk, directory, epoch: 2, mode: 'existing' });
    expect(store.recovered).toEqual({ kind: 'clean' });
    await appendNext(store, 2);
    expect((await readLog({ disk, directory })).commits).toHaveLength(3);
  });

  test('puts later segments aside too, and stopped at any operation it can be done again', async () => {
    const damagedDisk = async (crashAt?: number): Promise<SimulatedDisk> => {
      const disk = await builtLog(9, 900);
      withFlip(disk, disk.files()[1] ?? '', 30);
      return disk.crash({ kind: 'kill' }, crashAt === undefined ? {} : { crashAt });
    };
    const whole = await damagedDisk();
    const segments = whole.files().length;
    expect(segments).toBeGreaterThan(3);
    const report = await repair(whole);
    const seq = report.position.seq;
    expect(report.kind === 'cut' && report.savedAs).toHaveLength(segments - 1);
    for (const { ordinal, changes } of whole.operations()) {
      if (!changes) continue;
      for (let seed = 0; seed < 4; seed += 1) {
        const stopped = await damagedDisk(ordinal);
        await expect(repair(stopped)).rejects.toThrow('The process has ended');
        const next = stopped.crash(seed === 0 ? { kind: 'kill' } : { kind: 'power', seed });
        await repair(next);
        const store = await openFileEventStore({
          disk: next,
          directory,
          epoch: 2,
          mode: 'existing',
        });
        expect(store.durable().seq).toBe(seq);
        await appendNext(store, 2);
        expect((await verify(next)).problems).toEqual([]);
      }
    }
  });

  test('is refused to a writer that was passed over', async () => {
    const disk = await builtLog(2);
    await disk.makeDirectory(`${directory}/writers`);
    disk.poke(`${directory}/writers/3`, Buffer.from('{}'));
    await expect(repair(disk)).rejects.toThrow('C5');
  });
});
