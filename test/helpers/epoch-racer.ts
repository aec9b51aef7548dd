// Claims one epoch after the other, each at the same moment as the other racers. A thread of its
// own, which the tests build first.
import { parentPort, workerData } from 'node:worker_threads';
import { createNodeDisk } from '../../src/platform/node-disk.ts';
import { claimEpoch, type WriterIdentity } from '../../src/store/writer-epoch.ts';

/** What a racer is started with. */
export type Race = {
  /** Holds a folder for each round, by its number. */
  readonly folder: string;
  readonly rounds: number;
  readonly racers: number;
  readonly self: WriterIdentity;
  /** One Int32: how often a racer has arrived at a round. */
  readonly gate: SharedArrayBuffer;
};

const { folder, rounds, racers, self, gate } = workerData as Race;
const arrived = new Int32Array(gate);

const meet = (round: number): void => {
  const all = (round + 1) * racers;
  if (Atomics.add(arrived, 0, 1) + 1 === all) Atomics.notify(arrived, 0);
  for (let seen = Atomics.load(arrived, 0); seen < all; seen = Atomics.load(arrived, 0)) {
    Atomics.wait(arrived, 0, seen);
  }
};

const won: boolean[] = [];
for (let round = 0; round < rounds; round += 1) {
  meet(round);
  const claim = await claimEpoch({
    disk: createNodeDisk(),
    directory: `${folder}/${round}`,
    self,
    isOwnerDead: () => false,
    takeOver: false,
  });
  won.push(claim.kind === 'claimed');
}
parentPort?.postMessage(won);
