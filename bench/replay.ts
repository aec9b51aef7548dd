import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOG_START } from '../src/domain/commit.ts';
import { evolveCommit } from '../src/decider/evolve.ts';
import { initialState } from '../src/decider/state.ts';
import { createNodeDisk } from '../src/platform/node-disk.ts';
import { createLogEncoder } from '../src/store/log-encoder.ts';
import { scanLog } from '../src/store/log-scan.ts';
import { segmentOf } from '../src/store/segments.ts';
import { lawfulCommits } from './lawful-log.ts';
import { inNewFolder, inTurns, type Measured } from './measure.ts';

/**
 * Replay (checksum, schema, fold) of a lawful log of one-event commits, against reading, splitting
 * and parsing the same file.
 */
export const measureReplay = async (commits: number, rounds = 7): Promise<Measured> =>
  inNewFolder(async (directory) => {
    await mkdir(join(directory, 'events'));
    const file = join(directory, segmentOf(1).file);
    await writeFile(file, encoded(commits));
    const disk = createNodeDisk();
    const replay = async (): Promise<void> => {
      const state = initialState();
      await scanLog({ disk, directory, visit: (commit) => evolveCommit(state, commit) });
      if (state.seq !== commits) throw new Error(`Only ${state.seq} events were replayed.`);
    };
    return inTurns(rounds, replay, () => parseOnly(file));
  });

const encoded = (commits: number): Buffer => {
  const encoder = createLogEncoder(1, LOG_START);
  return Buffer.concat(
    lawfulCommits(commits).map((draft) => {
      const { seq } = encoder.head();
      return encoder.encode(draft, { seq, epoch: 1 }, seq).line;
    }),
  );
};

const parseOnly = (file: string): number => {
  let sum = 0;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line !== '') sum += (JSON.parse(line) as { readonly seq: number }).seq;
  }
  return sum;
};
