import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { inTurns, timed, median, type Measured } from './measure.ts';
import type { PacketFigures } from './packet-figures.ts';
import { planTree } from './plan-tree.ts';
import { PLAN_ONCE } from './built-paths.ts';

/** Planning a review of a git tree, against listing, reading, digesting and parsing the same files. */
export const measurePlan = (folder: string, rounds = 9): Promise<Measured> =>
  inTurns(
    rounds,
    () => planTree(folder),
    () => readOnce(folder),
  );

/** How long a plan takes by itself, in ms. The first round is for warming up. */
export const measurePlanTime = async (folder: string, rounds = 3): Promise<number> => {
  await planTree(folder);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await timed(() => planTree(folder)));
  return median(times);
};

export type PlanRun = {
  /** On all threads. In large plans the wall clock tells more of what else the machine does. */
  readonly cpuMs: number;
  /** The largest memory that the process had. */
  readonly peakBytes: number;
  readonly figures: PacketFigures;
};

/** One plan in a process of its own, which was never warm. */
export const runPlan = (folder: string): PlanRun =>
  JSON.parse(
    execFileSync(process.execPath, [PLAN_ONCE, folder], {
      encoding: 'utf8',
    }),
  ) as PlanRun;

const MODULE = /\.[cm]?[jt]sx?$/;

const readOnce = (folder: string): void => {
  const modules: unknown[] = [];
  const listed = execFileSync('git', ['-C', folder, 'ls-files', '-z'], { maxBuffer: 2 ** 28 });
  for (const path of listed.toString('utf8').split('\0')) {
    if (path === '' || !lstatSync(join(folder, path)).isFile()) continue;
    const bytes = readFileSync(join(folder, path));
    hash('sha256', bytes);
    if (MODULE.test(path)) modules.push(parseSync(path, bytes.toString('utf8')).module);
  }
};
