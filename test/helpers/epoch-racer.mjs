// Claims one epoch after the other, each at the same moment as the other racer. Plain JavaScript
// over the built program, since worker threads do not read TypeScript.
import { parentPort, workerData } from 'node:worker_threads';

const { disk: diskModule, epoch: epochModule, folder, rounds, racers, self, gate } = workerData;
const { createNodeDisk } = await import(diskModule);
const { claimEpoch } = await import(epochModule);
const arrived = new Int32Array(gate);

const meet = (round) => {
  const all = (round + 1) * racers;
  if (Atomics.add(arrived, 0, 1) + 1 === all) Atomics.notify(arrived, 0);
  for (let seen = Atomics.load(arrived, 0); seen < all; seen = Atomics.load(arrived, 0)) {
    Atomics.wait(arrived, 0, seen);
  }
};

const won = [];
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
parentPort.postMessage(won);
