import { describe, expect, test } from 'vitest';
import { LogDamagedError, LogMissingError, NewerLogError } from '../../src/store/event-store.ts';
import { openFileEventStore } from '../../src/store/file-event-store.ts';
import type { FileEventStore } from '../../src/store/file-event-store.ts';
import { readLog } from '../../src/store/read-log.ts';
import { crc32 } from 'node:zlib';
import {
  builtLog,
  diskWithLog,
  lineStarts,
  LOG_DIRECTORY,
  logBytes,
} from '../helpers/built-log.ts';
import { appendNext } from '../helpers/log-samples.ts';
import { createSimulatedDisk } from '../helpers/simulated-disk.ts';
import type { SimulatedDisk } from '../helpers/simulated-disk.ts';

const directory = LOG_DIRECTORY;
const read = (disk: SimulatedDisk): ReturnType<typeof readLog> => readLog({ disk, directory });
const open = (disk: SimulatedDisk): Promise<FileEventStore> =>
  openFileEventStore({ disk, directory, epoch: 2, mode: 'existing' });
const damageOf = async (work: Promise<unknown>): Promise<LogDamagedError> => {
  const error: unknown = await work.catch((caught: unknown) => caught);
  if (error instanceof LogDamagedError) return error;
  throw new Error(`Not refused as damage: ${String(error)}`);
};

const closed = logBytes(await builtLog(5));
const starts = lineStarts(closed);
const lastStart = starts.at(-2) ?? 0;

/** A line with other content and a checksum that is right for it. */
const resealed = (line: string, change: (text: string) => string): string => {
  const covered = change(line.slice(0, line.lastIndexOf(',"crc":')));
  return `${covered},"crc":"${crc32(covered).toString(16).padStart(8, '0')}"}\n`;
};

test('every cut of the last line recovers the commits before it, and says and keeps what it cut (R33, R44)', async () => {
  for (let length = lastStart; length < closed.length; length += 1) {
    const disk = await diskWithLog(closed.subarray(0, length));
    const before = await read(disk);
    const store = await open(disk);
    expect(store.durable().seq).toBe(5);
    expect(store.durable()).toEqual(before.position);
    if (length === lastStart) {
      expect(store.recovered).toEqual({ kind: 'clean' });
      continue;
    }
    const bytes = length - lastStart;
    expect(before.tail).toMatchObject({ kind: 'torn', bytes, place: { line: 6, seq: 6 } });
    expect(store.recovered).toMatchObject({ kind: 'torn', bytes, lastSeq: 5 });
    if (store.recovered.kind !== 'torn') continue;
    const saved = disk.peek(`${directory}/${store.recovered.savedAs}`);
    expect(saved).toEqual(Uint8Array.from(closed.subarray(lastStart, length)));
    // The next line stands on a line of its own.
    await appendNext(store, 2);
    expect((await read(disk)).commits).toHaveLength(6);
    expect((await read(disk)).tail.kind).toBe('clean');
  }
});

test('every flip of a bit in a closed log is noticed', async () => {
  for (let bit = 0; bit < closed.length * 8; bit += 1) {
    const bytes = Buffer.from(closed);
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const disk = await diskWithLog(bytes);
    const noticed = await read(disk).then(
      ({ tail }) => tail.kind === 'torn',
      (error: unknown) => error instanceof LogDamagedError,
    );
    expect(noticed, `bit ${bit}`).toBe(true);
  }
});

describe('damage before a durable mark', () => {
  test('is refused with its line, for readers and writers, and nothing is rewritten', async () => {
    for (const [index, start] of starts.slice(0, 4).entries()) {
      const bytes = Buffer.from(closed);
      bytes[start + 20] = (bytes[start + 20] ?? 0) ^ 1;
      const disk = await diskWithLog(bytes);
      const place = { file: 'events/000000000001.jsonl', line: index + 1, seq: index + 1 };
      expect((await damageOf(read(disk))).place).toEqual(place);
      const count = disk.operations().length;
      expect((await damageOf(open(disk))).place).toEqual(place);
      expect(logBytes(disk)).toEqual(bytes);
      expect(
        disk
          .operations()
          .slice(count)
          .some(({ changes }) => changes),
      ).toBe(false);
    }
  });

  test('is noticed also where the evidence is glued to it, with no newline before or after', async () => {
    const second = starts[1] ?? 0;
    const third = starts[2] ?? 0;
    const evidence = closed.subarray(starts[3], (starts[4] ?? 0) - 1);
    const torn = closed.subarray(second, third - 30);
    const disk = await diskWithLog(Buffer.concat([closed.subarray(0, second), torn, evidence]));
    expect((await damageOf(open(disk))).place).toMatchObject({ line: 2, seq: 2 });
  });

  test('is a missing line whose successors say that it was durable', async () => {
    const disk = await diskWithLog(
      Buffer.concat([closed.subarray(0, starts[1]), closed.subarray(starts[3])]),
    );
    expect((await damageOf(open(disk))).place).toMatchObject({ line: 2, seq: 2 });
  });
});

describe('a tail without evidence', () => {
  const tails: readonly [string, Buffer][] = [
    ['the last line twice', Buffer.concat([closed, closed.subarray(lastStart)])],
    ['the first line again at the end', Buffer.concat([closed, closed.subarray(0, starts[1])])],
    ['zeros behind the end', Buffer.concat([closed, Buffer.alloc(4096)])],
    [
      'a torn line with a whole one glued to it',
      Buffer.concat([closed, closed.subarray(0, 50), closed.subarray(lastStart)]),
    ],
  ];
  for (const [name, bytes] of tails) {
    test(`${name} is cut, kept and reported, and no fact changes`, async () => {
      const disk = await diskWithLog(bytes);
      const store = await open(disk);
      expect(store.recovered).toMatchObject({
        kind: 'torn',
        bytes: bytes.length - closed.length,
        lastSeq: 6,
      });
      expect(logBytes(disk)).toEqual(closed);
      expect((await open(disk)).recovered).toEqual({ kind: 'clean' });
    });
  }

  test('a zero-filled end of the log loses what stood there and nothing before it', async () => {
    const bytes = Buffer.from(closed);
    bytes.fill(0, lastStart - 10);
    const disk = await diskWithLog(bytes);
    const store = await open(disk);
    expect(store.recovered).toMatchObject({ kind: 'torn', lastSeq: 4, place: { line: 5, seq: 5 } });
  });
});

describe('what no crash can leave behind is damage wherever it stands', () => {
  test('a torn line in a segment that is not the last', async () => {
    const disk = await builtLog(8, 900);
    const [first, second] = disk.files();
    const bytes = disk.peek(first ?? '') ?? new Uint8Array();
    expect(second).toBeDefined();
    disk.poke(first ?? '', bytes.subarray(0, bytes.length - 5));
    expect((await damageOf(open(disk))).message).toContain('Later segments follow');
  });

  test('a missing segment, at the start or between', async () => {
    for (const index of [0, 1]) {
      const disk = await builtLog(8, 900);
      await disk.remove(disk.files()[index] ?? '');
      expect((await damageOf(read(disk))).message).toContain('A segment is missing');
    }
  });

  test('a whole last line that does not follow from the one before it', async () => {
    const lines = closed.toString('utf8').split('\n');
    const last = resealed(lines[5] ?? '', (text) =>
      text.replace(/"prev":"[0-9a-f]{16}"/, `"prev":"${'7'.repeat(16)}"`),
    );
    const disk = await diskWithLog(Buffer.from(`${lines.slice(0, 5).join('\n')}\n${last}`));
    expect((await damageOf(open(disk))).message).toContain('L4');
  });

  test('a whole line whose event is not what its schema says', async () => {
    const lines = closed.toString('utf8').split('\n');
    const last = resealed(lines[5] ?? '', (text) =>
      text.replace('"epoch":1,"at"', '"epoch":"x","at"'),
    );
    const disk = await diskWithLog(Buffer.from(`${lines.slice(0, 5).join('\n')}\n${last}`));
    expect((await damageOf(read(disk))).message).toContain('WriterClosed.epoch');
  });
});

describe('a log of a newer casefile stops with its name, and is never cut', () => {
  const newer = async (change: (text: string) => string): Promise<SimulatedDisk> => {
    const lines = closed.toString('utf8').split('\n');
    const last = resealed(lines[5] ?? '', change);
    return diskWithLog(Buffer.from(`${lines.slice(0, 5).join('\n')}\n${last}`));
  };

  test('by an event type that nobody here knows', async () => {
    const disk = await newer((text) => text.replaceAll('WriterClosed', 'WriterTeleported'));
    await expect(read(disk)).rejects.toThrow(NewerLogError);
    await expect(open(disk)).rejects.toThrow('WriterTeleported');
  });

  test('by its version', async () => {
    const disk = await newer((text) => text.replace('{"v":1,', '{"v":2,'));
    await expect(open(disk)).rejects.toThrow(/version 2/);
    expect(disk.files()).toHaveLength(1);
  });
});

test('a missing log is missing, not empty', async () => {
  const disk = createSimulatedDisk();
  await disk.makeDirectory(directory);
  await expect(read(disk)).rejects.toThrow(LogMissingError);
  await expect(open(disk)).rejects.toThrow(LogMissingError);
});

test('reading writes nothing, whatever the tail looks like', async () => {
  const disk = await diskWithLog(closed.subarray(0, closed.length - 7));
  const count = disk.operations().length;
  await read(disk);
  expect(
    disk
      .operations()
      .slice(count)
      .some(({ changes }) => changes),
  ).toBe(false);
});

test('another length than the writer left stops it before it writes', async () => {
  const disk = await diskWithLog(closed);
  const store = await open(disk);
  await appendNext(store, 2);
  const file = disk.files().find((path) => path.endsWith('.jsonl')) ?? '';
  const foreign = await disk.open(file, 'existing');
  await foreign.write(Buffer.from('x'), await foreign.size());
  await expect(appendNext(store, 2)).rejects.toThrow('C5');
  await expect(appendNext(store, 2)).rejects.toThrow('C5');
});
