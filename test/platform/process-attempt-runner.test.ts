import { existsSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Launch } from '../../src/platform/attempt-runner.ts';
import { createSystemClock } from '../../src/platform/clock.ts';
import { createNodeDisk } from '../../src/platform/node-disk.ts';
import { createProcessAttemptRunner } from '../../src/platform/process-attempt-runner.ts';
import { createStartedFile, startedPath } from '../../src/platform/started-file.ts';
import { attemptRunnerContract, type Behaviour } from '../contracts/attempt-runner.contract.ts';
import {
  createRealAttempts,
  livingWith,
  startAndKillOrchestrator,
  until,
} from '../helpers/real-attempts.ts';

const WORKERS: Readonly<Record<Behaviour, readonly [string, ...string[]]>> = {
  answers: ['answer-clean'],
  'answers-and-fails': ['answer-and-exit-1'],
  'answers-then-hangs': ['answer-then-hang'],
  crashes: ['crash-always'],
  hangs: ['hang'],
  'says-limit': ['limit-with-reset', '2026-11-30T12:00:00Z'],
  slow: ['slow-answer', 'go'],
  'ignores-sigterm': ['ignore-sigterm-with-grandchild'],
};

const createRunner = () =>
  createProcessAttemptRunner({
    disk: createNodeDisk(),
    clock: createSystemClock(),
    graceMs: 200,
  });

attemptRunnerContract('the process attempt runner', async () => {
  const attempts = await createRealAttempts();
  /** What a worker has written when it is ready to be stopped. */
  const isReady = ({ scratch, command }: Launch): boolean =>
    command.includes('ignore-sigterm-with-grandchild')
      ? existsSync(join(scratch, 'pids'))
      : statSync(join(scratch, 'stdout'), { throwIfNoEntry: false })?.size !== 0;
  return {
    createRunner,
    launchOf: (behaviour, limits) => {
      const [worker, ...args] = WORKERS[behaviour];
      return attempts.launchOf(worker, args, limits);
    },
    settle: (report) => report,
    whenWorking: (launch) => until(() => attempts.starts(launch) > 0 && isReady(launch)),
    letGo: (launch) => writeFile(join(launch.scratch, 'go'), ''),
    startInALifeThatIsKilled: (launch) =>
      startAndKillOrchestrator(launch, () => attempts.starts(launch) > 0),
    dieBeforeSpawn: async (launch) => {
      const { marker, scratch } = launch;
      const started = await createStartedFile(createNodeDisk(), scratch, {
        marker,
        at: Date.now(),
      });
      await started?.close();
    },
    whenGone: (launch) => until(() => livingWith(launch.marker).length === 0),
    starts: (launch) => Promise.resolve(attempts.starts(launch)),
    running: (launch) => Promise.resolve(livingWith(launch.marker).length),
    close: attempts.close,
  };
});

test.each([
  ['empty', ''],
  ['no JSON', 'started at noon\n'],
  ['cut in its second line', '{"marker":"m:1","at":1796033640123}\n{"pid":47'],
  ['of zeros', '\0'.repeat(64)],
])(
  'a damaged note of an attempt stops nothing: the attempt is lost and counted (R6): %s',
  async (_, note) => {
    const attempts = await createRealAttempts();
    try {
      const launch = await attempts.launchOf('answer-clean');
      await mkdir(launch.scratch, { recursive: true });
      await writeFile(startedPath(launch.scratch), note);
      const { end } = await createRunner().run(launch, new AbortController().signal);
      expect(end).toEqual({ kind: 'lost' });
      expect(attempts.starts(launch), 'A2: it is never started again').toBe(0);
    } finally {
      await attempts.close();
    }
  },
);
