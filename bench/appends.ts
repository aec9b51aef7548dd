import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommitDraft } from '../src/domain/commit.ts';
import { createNodeDisk } from '../src/platform/node-disk.ts';
import { openFileEventStore } from '../src/store/file-event-store.ts';
import { segmentOf } from '../src/store/segments.ts';
import { lawfulCommits } from './lawful-log.ts';
import { inNewFolder, measuredOf, timed, type Measured, type Round } from './measure.ts';

/** Durable appends in groups against writing and syncing the same bytes in the same groups. */
export const measureAppends = async (
  groups: number,
  groupSize = 64,
  rounds = 5,
): Promise<Measured> => {
  // What a running audit appends; its plan is a few very long lines.
  const count = groups * groupSize;
  const drafts = lawfulCommits(2 * count).slice(-count);
  const taken: Round[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const measured = await inNewFolder((folder) => appendOnce(folder, drafts, groupSize));
    // The first one is for warming up.
    if (round > 0) taken.push(measured);
  }
  return measuredOf(taken);
};

const appendOnce = async (
  directory: string,
  drafts: readonly CommitDraft[],
  groupSize: number,
): Promise<Round> => {
  const store = await openFileEventStore({
    disk: createNodeDisk(),
    directory,
    epoch: 1,
    mode: 'create',
  });
  const ms = await timed(async () => {
    // As those do who wait for replies: a group is handed in when the one before the last is durable,
    // so that it is encoded while the last one is synced (C2).
    let last: Promise<unknown> = Promise.resolve();
    for (let from = 0; from < drafts.length; from += groupSize) {
      const appends = drafts
        .slice(from, from + groupSize)
        .map((draft) => store.append(draft, { seq: store.head().seq, epoch: 1 }));
      await last;
      last = Promise.all(appends);
    }
    await last;
  });
  await store.close();
  const bytes = await readFile(join(directory, segmentOf(1).file));
  const groups = linesInGroups(bytes, groupSize);
  return { ms, floorMs: await timed(() => writeGroups(join(directory, 'floor'), groups)) };
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
