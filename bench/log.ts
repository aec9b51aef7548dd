import {
  closeSync,
  fdatasyncSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Commit, CommitDraft } from '../src/domain/commit.ts';
import type { AuditEvent } from '../src/domain/events.ts';
import { createNodeDisk } from '../src/platform/node-disk.ts';
import { openFileEventStore } from '../src/store/file-event-store.ts';
import { createLogEncoder } from '../src/store/log-encoder.ts';
import { scanLog } from '../src/store/log-scan.ts';
import { segmentOf } from '../src/store/segments.ts';
import { LOG_START } from '../src/domain/commit.ts';

/** Our time and the floor's, in ms, for the same bytes in the same run. */
export type Measured = { readonly ms: number; readonly floorMs: number };

const START = 1_796_033_640_123;

/** A log in its most usual shape: attempts that start, end and are accepted, one event a commit. */
const draftOf = (number: number): CommitDraft => ({
  at: START + number,
  cause: { command: 'ReportAttempt', of: number },
  events: [eventOf(number)],
  from: 'dispatching',
  to: 'ingesting',
});

const eventOf = (number: number): AuditEvent => {
  const at = START + number;
  const digest = number.toString(16).padStart(64, '0') as never;
  const id = number.toString(16).padStart(16, '0');
  switch (number % 3) {
    case 0:
      return {
        type: 'AttemptStarted',
        packet: `p-${id}` as never,
        provider: 'command',
        account: 'command' as never,
        attempt: 1,
        leaseUntil: at + 1000,
        at,
      };
    case 1:
      return {
        type: 'AttemptEnded',
        token: number,
        end: { kind: 'exited' },
        answer: { digest, bytes: 1234 },
        stdout: { digest, bytes: 10 },
        counted: false,
        answersWaiting: true,
        at,
      };
    default:
      return {
        type: 'ResultAccepted',
        of: number,
        task: `t-${id}` as never,
        result: { digest, bytes: 123 },
        verdict: 'clean',
        findings: { critical: 0, high: 0, medium: 0, low: 0, info: 0 },
        provider: 'command',
        reviewer: 'agent',
        at,
      };
  }
};

/**
 * Replay of a log of one-event commits against reading, splitting and parsing the same file. The
 * best of several rounds each, taken in turns.
 *
 * @param fold what is done with each commit; nothing measures the decoding alone.
 */
export const measureReplay = async (
  commits: number,
  createFold: () => (commit: Commit) => void = () => () => undefined,
  rounds = 5,
): Promise<Measured> => {
  const directory = await mkdtemp(join(tmpdir(), 'casefile-bench-'));
  try {
    await mkdir(join(directory, 'events'));
    const file = join(directory, segmentOf(1).file);
    const encoder = createLogEncoder(1, LOG_START);
    const lines: Uint8Array[] = [];
    for (let number = 1; number <= commits; number += 1) {
      const { seq } = encoder.head();
      lines.push(encoder.encode(draftOf(number), { seq, epoch: 1 }, seq).line);
    }
    writeFileSync(file, Buffer.concat(lines));
    const disk = createNodeDisk();
    let ms = Infinity;
    let floorMs = Infinity;
    for (let round = 0; round < rounds; round += 1) {
      floorMs = Math.min(floorMs, await timed(async () => parseOnly(file)));
      ms = Math.min(ms, await timed(() => scanLog({ disk, directory, visit: createFold() })));
    }
    return { ms, floorMs };
  } finally {
    await rm(directory, { recursive: true });
  }
};

const parseOnly = (file: string): number => {
  let sum = 0;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line !== '') sum += (JSON.parse(line) as { readonly seq: number }).seq;
  }
  return sum;
};

/** Durable appends in groups against writing and syncing the same bytes in the same groups. */
export const measureAppends = async (
  groups: number,
  groupSize = 64,
  rounds = 5,
): Promise<Measured> => {
  let ms = Infinity;
  let floorMs = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const measured = await appendOnce(groups, groupSize);
    ms = Math.min(ms, measured.ms);
    floorMs = Math.min(floorMs, measured.floorMs);
  }
  return { ms, floorMs };
};

const appendOnce = async (groups: number, groupSize: number): Promise<Measured> => {
  const directory = await mkdtemp(join(tmpdir(), 'casefile-bench-'));
  try {
    const disk = createNodeDisk();
    const store = await openFileEventStore({ disk, directory, epoch: 1, mode: 'create' });
    const drafts = Array.from({ length: groups * groupSize }, (_, index) => draftOf(index + 1));
    const ms = await timed(async () => {
      // As an engine does: the next group is handed in as soon as the last one is under way.
      let under: Promise<unknown> = Promise.resolve();
      for (let group = 0; group < groups; group += 1) {
        const part = drafts.slice(group * groupSize, (group + 1) * groupSize);
        const appends = part.map((draft) =>
          store.append(draft, { seq: store.head().seq, epoch: 1 }),
        );
        await under;
        under = Promise.all(appends);
      }
      await under;
    });
    await store.close();
    const bytes = await readFile(join(directory, segmentOf(1).file));
    const floorMs = await timed(async () =>
      writeGroups(join(directory, 'floor'), linesInGroups(bytes, groupSize)),
    );
    return { ms, floorMs };
  } finally {
    await rm(directory, { recursive: true });
  }
};

const linesInGroups = (bytes: Buffer, groupSize: number): readonly Buffer[] => {
  const groups: Buffer[] = [];
  let start = 0;
  let end = 0;
  let lines = 0;
  while (end < bytes.length) {
    end = bytes.indexOf(0x0a, end) + 1;
    lines += 1;
    if (lines % groupSize === 0 || end === bytes.length) {
      groups.push(bytes.subarray(start, end));
      start = end;
    }
  }
  return groups;
};

const writeGroups = (file: string, groups: readonly Buffer[]): void => {
  const descriptor = openSync(file, 'wx');
  for (const group of groups) {
    writeSync(descriptor, group);
    fdatasyncSync(descriptor);
  }
  closeSync(descriptor);
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};
