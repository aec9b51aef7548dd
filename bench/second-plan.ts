import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inNewFolder, measuredOf, type Measured, type Round } from './measure.ts';
import { PROGRAM } from './built-paths.ts';

export type SecondPlan = {
  /** The same call again: it finds the first one's audit at rest. */
  readonly again: Measured;
  /** A new audit of the same tree (`--fresh`): it finds the facts of its contents. */
  readonly anew: Measured;
};

/**
 * `casefile plan --provider handoff` of a git tree as a process, against the first one ever: nothing in
 * the cache, no audit. The ratios are second to first, so the smaller the better.
 */
export const measureSecondPlan = (tree: string, rounds = 3): Promise<SecondPlan> =>
  inNewFolder(async (folder) => {
    const [root, cache] = [join(folder, 'tree'), join(folder, 'cache')];
    cpSync(tree, root, { recursive: true });
    const again: Round[] = [];
    const anew: Round[] = [];
    for (let round = 0; round < rounds; round += 1) {
      rmSync(join(root, '.casefile'), { recursive: true, force: true });
      makeWritable(cache);
      rmSync(cache, { recursive: true, force: true });
      const floorMs = planMs(root, folder);
      again.push({ ms: planMs(root, folder), floorMs });
      anew.push({ ms: planMs(root, folder, '--fresh'), floorMs });
    }
    makeWritable(cache);
    return { again: measuredOf(again), anew: measuredOf(anew) };
  });

/** The frozen copy is read only. */
const makeWritable = (folder: string): void => {
  spawnSync('chmod', ['-R', 'u+w', folder], { stdio: 'ignore' });
};

const planMs = (root: string, folder: string, ...more: readonly string[]): number => {
  const start = performance.now();
  execFileSync(
    process.execPath,
    [PROGRAM, 'plan', root, '--provider', 'handoff', '--json', ...more],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 28,
      env: { ...process.env, HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') },
    },
  );
  return performance.now() - start;
};
