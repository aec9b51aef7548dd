import type { Launch } from '../../src/platform/attempt-runner.ts';
import { attemptRunnerContract, type Behaviour } from '../contracts/attempt-runner.contract.ts';
import { createOutsideWorld, type SimulatedWork } from '../helpers/simulated-attempt-runner.ts';
import { createSimulatedClock } from '../helpers/simulated-clock.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const answer = bytes('{"packet":"p-1"}');

const WORK: Readonly<Record<Behaviour, SimulatedWork>> = {
  answers: { durationMs: 500, answer, then: { kind: 'exits', exitCode: 0 } },
  'answers-and-fails': { durationMs: 500, answer, then: { kind: 'exits', exitCode: 1 } },
  'answers-then-hangs': { durationMs: 500, answer, then: { kind: 'hangs' } },
  crashes: {
    durationMs: 200,
    stderr: bytes('the worker crashed'),
    then: { kind: 'exits', exitCode: 9 },
  },
  hangs: { durationMs: 0, then: { kind: 'hangs' } },
  'says-limit': {
    durationMs: 100,
    signal: bytes('{"limit":{"kind":"rate"}}'),
    then: { kind: 'exits', exitCode: 75 },
  },
  slow: { durationMs: 20_000, answer, then: { kind: 'exits', exitCode: 0 } },
  'ignores-sigterm': { durationMs: 0, then: { kind: 'hangs' }, ignoresSigterm: true },
};

attemptRunnerContract('the simulated attempt runner', () => {
  const clock = createSimulatedClock();
  const behaviours = new Map<string, Behaviour>();
  let dieAt: string | undefined;
  const world = createOutsideWorld({
    clock,
    script: (launch) => WORK[behaviours.get(launch.marker) ?? 'answers'],
    onStep: (step, launch) => {
      if (step === 'started' && launch.marker === dieAt) world.crash();
    },
  });
  const of = ({ marker }: Launch) => world.processes().filter((made) => made.marker === marker);
  const running = (launch: Launch) => of(launch).filter(({ ended }) => ended === undefined);
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const never = new AbortController().signal;

  return Promise.resolve({
    createRunner: world.createRunner,
    launchOf: (behaviour, limits) => {
      const token = behaviours.size + 1;
      const scratch = `/attempts/${token}`;
      const launch: Launch = {
        marker: `audit:${token}`,
        scratch,
        command: ['worker'],
        environment: {},
        answerFile: `${scratch}/answer.json`,
        signalFile: `${scratch}/signal.json`,
        limits: { attemptsMax: 3, wallMs: 60_000, idleMs: 30_000, outputBytesMax: 100, ...limits },
      };
      behaviours.set(launch.marker, behaviour);
      return Promise.resolve(launch);
    },
    settle: async (report) => {
      const settled: { yes?: true } = {};
      void report.then(() => (settled.yes = true));
      for (await turn(); settled.yes === undefined; await turn()) clock.advanceToNext();
      return report;
    },
    whenWorking: async (launch) => {
      while (running(launch).length === 0) await turn();
    },
    letGo: async () => {
      await turn();
      clock.advanceBy(WORK.slow.durationMs);
    },
    startInALifeThatIsKilled: async (launch) => {
      void world.createRunner().run(launch, never);
      while (running(launch).length === 0) await turn();
      world.crash();
    },
    dieBeforeSpawn: async (launch) => {
      dieAt = launch.marker;
      void world.createRunner().run(launch, never);
      await turn();
      dieAt = undefined;
    },
    whenGone: () => Promise.resolve(),
    starts: (launch) => Promise.resolve(of(launch).length),
    running: (launch) => Promise.resolve(running(launch).length),
    close: () => Promise.resolve(),
  });
});
