import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Ours and the floor's, in ms, for the same bytes in the same run. */
export type Measured = { readonly ms: number; readonly floorMs: number };

/** The middle of an odd number of values, the lower middle of an even one. */
export const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[(values.length - 1) >> 1] ?? Number.NaN;

/** Medians of two works taken in turns, so that a busy moment of the machine meets both. */
export const inTurns = async (
  rounds: number,
  ours: () => unknown,
  floor: () => unknown,
): Promise<Measured> => {
  const taken: number[] = [];
  const floors: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    floors.push(await timed(floor));
    taken.push(await timed(ours));
  }
  return { ms: median(taken), floorMs: median(floors) };
};

/** How long a work takes, in ms, without the garbage that stands around from before. */
export const timed = async (work: () => unknown): Promise<number> => {
  collectGarbage();
  const start = performance.now();
  await work();
  return performance.now() - start;
};

setFlagsFromString('--expose-gc');
export const collectGarbage = runInNewContext('gc') as () => void;

export const inNewFolder = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'casefile-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
};
