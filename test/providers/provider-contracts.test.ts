import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemClock } from '../../src/platform/clock.ts';
import { createNodeDisk } from '../../src/platform/node-disk.ts';
import { createProcessAttemptRunner } from '../../src/platform/process-attempt-runner.ts';
import { createCommandProvider } from '../../src/providers/command.ts';
import { createScriptedProvider } from '../../src/providers/scripted.ts';
import { providerContract } from '../contracts/provider.contract.ts';
import { brief, jobIn } from '../helpers/attempt-job.ts';
import { workerPath } from '../helpers/real-attempts.ts';
import { createOutsideWorld } from '../helpers/simulated-attempt-runner.ts';
import { createSimulatedClock } from '../helpers/simulated-clock.ts';
import { createSimulatedDisk } from '../helpers/simulated-disk.ts';

const nothingToClose = () => Promise.resolve();

providerContract('the command provider over real processes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'casefile-provider-'));
  const disk = createNodeDisk();
  const runner = createProcessAttemptRunner({ disk, clock: createSystemClock() });
  const command = [process.execPath, workerPath('answer-clean')];
  return {
    provider: createCommandProvider({ command, runner, disk }),
    job: jobIn(join(folder, 'scratch')),
    close: () => rm(folder, { recursive: true }),
  };
});

providerContract('the command provider over simulated processes', () => {
  const clean = brief.tasks.map(({ id }) => ({ task: id, verdict: 'clean' }));
  const answer = Buffer.from(JSON.stringify({ packet: brief.packet, results: clean }));
  const world = createOutsideWorld({
    clock: createSimulatedClock(),
    script: () => ({ durationMs: 0, answer, then: { kind: 'exits', exitCode: 0 } }),
  });
  const runner = world.createRunner();
  const disk = createSimulatedDisk();
  return Promise.resolve({
    provider: createCommandProvider({ command: ['worker'], runner, disk }),
    job: jobIn('/state/attempts/17'),
    close: nothingToClose,
  });
});

providerContract('the scripted provider', () =>
  Promise.resolve({
    provider: createScriptedProvider({
      transcript: { contract: 'casefile/transcript/v1', steps: [], otherwise: 'clean' },
      clock: createSimulatedClock(),
    }),
    job: jobIn('/scratch'),
    close: nothingToClose,
  }),
);
