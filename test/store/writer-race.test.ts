import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { WORKERS } from '../helpers/built-paths.ts';
import type { Race } from '../helpers/epoch-racer.ts';
import { identityOf } from '../helpers/log-lives.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const ROUNDS = 200;

const run = (race: Race): Promise<readonly boolean[]> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(join(WORKERS, 'epoch-racer.js'), { workerData: race });
    worker.once('message', resolve);
    worker.once('error', reject);
  });

test('of two writers that race 200 times for one epoch over real files, exactly one wins each time (R4)', async () => {
  const folder = await temporaryFolder();
  for (let round = 0; round < ROUNDS; round += 1) await mkdir(join(folder, String(round)));
  const shared = { folder, rounds: ROUNDS, racers: 2, gate: new SharedArrayBuffer(4) };
  const [first, second] = await Promise.all([
    run({ ...shared, self: identityOf(1) }),
    run({ ...shared, self: identityOf(2) }),
  ]);
  expect(first).toHaveLength(ROUNDS);
  for (let round = 0; round < ROUNDS; round += 1) {
    expect([first[round], second[round]].filter(Boolean), `round ${round}`).toHaveLength(1);
  }
});
