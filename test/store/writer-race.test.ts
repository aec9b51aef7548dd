import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { identityOf } from '../helpers/log-lives.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const ROUNDS = 200;
const RACERS = 2;
const built = (path: string): string => new URL(`../../dist/src/${path}`, import.meta.url).href;

const race = (folder: string, pid: number, gate: SharedArrayBuffer): Promise<readonly boolean[]> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('../helpers/epoch-racer.mjs', import.meta.url), {
      workerData: {
        disk: built('platform/node-disk.js'),
        epoch: built('store/writer-epoch.js'),
        self: identityOf(pid),
        rounds: ROUNDS,
        racers: RACERS,
        folder,
        gate,
      },
    });
    worker.once('message', resolve);
    worker.once('error', reject);
  });

test('of two writers that race 200 times for one epoch over real files, exactly one wins each time (R4)', async () => {
  const folder = await temporaryFolder();
  for (let round = 0; round < ROUNDS; round += 1) await mkdir(join(folder, String(round)));
  const gate = new SharedArrayBuffer(4);
  const [first, second] = await Promise.all([race(folder, 1, gate), race(folder, 2, gate)]);
  expect(first).toHaveLength(ROUNDS);
  for (let round = 0; round < ROUNDS; round += 1) {
    expect([first[round], second[round]].filter(Boolean), `round ${round}`).toHaveLength(1);
  }
});
