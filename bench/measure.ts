import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Ours and the floor's, in ms, for the same bytes in the same run. */
export type Measured = {
  readonly ms: number;
  readonly floorMs: number;
  /** The median of the rounds' own ratios: a machine that gets slower meets both of a round. */
  readonly ratio: number;
};

/** The middle of an odd number of values, the lower middle of an even one. */
export const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[(values.length - 1) >> 1] ?? Number.NaN;

export type Round = { readonly ms: number; readonly floorMs: number };

export const measuredOf = (rounds: readonly Round[]): Measured => ({
  ms: median(rounds.map(({ ms }) => ms)),
  floorMs: median(rounds.map(({ floorMs }) => floorMs)),
  ratio: median(rounds.map(({ ms, floorMs }) => ms / floorMs)),
});

/** Two works taken in turns. The first round is for warming up. */
export const inTurns = async (
  count: number,
  ours: () => unknown,
  floor: () => unknown,
): Promise<Measured> => {
  const rounds: Round[] = [];
  for (let round = 0; round <= count; round += 1) {
    const floorMs = await timed(floor);
    const ms = await timed(ours);
    if (round > 0) rounds.push({ ms, floorMs });
  }
  return measuredOf(rounds);
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
