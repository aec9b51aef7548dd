import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AttemptLimits } from '../../src/domain/settings.ts';
import type { Launch } from '../../src/platform/attempt-runner.ts';
import { WORKERS } from './built-paths.ts';

/** Real attempts in a temporary folder, and what can be seen of them from outside. */
export type RealAttempts = {
  readonly folder: string;
  /** A launch of `fixtures/workers/<worker>.mjs` through a call log. */
  readonly launchOf: (
    worker: string,
    args?: readonly string[],
    limits?: Partial<AttemptLimits>,
  ) => Promise<Launch>;
  /** Lines of the call log for this launch. */
  readonly starts: (launch: Launch) => number;
  readonly close: () => Promise<void>;
};

export const LIMITS: AttemptLimits = {
  attemptsMax: 3,
  wallMs: 60_000,
  idleMs: 30_000,
  outputBytesMax: 10_000,
};

export const PROMPT = 'Review the packet.\n';

export const createRealAttempts = async (): Promise<RealAttempts> => {
  const folder = await mkdtemp(join(tmpdir(), 'casefile-attempts-'));
  const callLog = join(folder, 'calls');
  let token = 0;
  const launches: Launch[] = [];
  return {
    folder,
    launchOf: async (worker, args = [], limits = {}) => {
      token += 1;
      const scratch = join(folder, 'attempts', String(token));
      const inputs = join(folder, 'inputs');
      await mkdir(inputs, { recursive: true });
      const packetFile = join(inputs, `packet-${token}`);
      const promptFile = join(inputs, `prompt-${token}`);
      await writeFile(packetFile, JSON.stringify({ packet: 'p-1', tasks: [{ id: 't-1' }] }));
      await writeFile(promptFile, PROMPT);
      const launch: Launch = {
        marker: `${folder.replaceAll('/', '-')}:${token}`,
        scratch,
        command: [process.execPath, workerPath('append-call-log'), callLog, worker, ...args],
        environment: {
          CASEFILE_PACKET: packetFile,
          CASEFILE_ANSWER: join(scratch, 'answer.json'),
          CASEFILE_SIGNAL: join(scratch, 'signal.json'),
        },
        stdinFile: promptFile,
        answerFile: join(scratch, 'answer.json'),
        signalFile: join(scratch, 'signal.json'),
        limits: { ...LIMITS, ...limits },
      };
      launches.push(launch);
      return launch;
    },
    starts: (launch) => {
      if (!existsSync(callLog)) return 0;
      const lines = readFileSync(callLog, 'utf8').split('\n');
      return lines.filter((line) => line.startsWith(`${launch.marker} `)).length;
    },
    close: async () => {
      for (const launch of launches) {
        for (const pid of livingWith(launch.marker)) process.kill(pid, 'SIGKILL');
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
};

export const workerPath = (worker: string): string =>
  fileURLToPath(new URL(`../../fixtures/workers/${worker}.mjs`, import.meta.url));

/** Whether a process runs; looked at without the code under test. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    const state = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1];
    return state?.startsWith('Z') === false;
  } catch {
    return false;
  }
};

/** Living processes with the marker in their environment; looked at without the code under test. */
export const livingWith = (marker: string): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
        return environment.split('\0').includes(`CASEFILE_ATTEMPT=${marker}`);
      } catch {
        return false;
      }
    });

/** Looks again and again until it holds; the test's own limit ends a wait in vain. */
export const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
};

/** Runs an attempt in another process of casefile, and kills that one when `reached` holds. */
export const startAndKillOrchestrator = async (
  launch: Launch,
  reached: () => boolean,
): Promise<void> => {
  const program = join(WORKERS, 'attempt-orchestrator.js');
  const orchestrator = spawn(process.execPath, [program, JSON.stringify(launch)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const gone = once(orchestrator, 'exit');
  await until(() => reached() || orchestrator.exitCode !== null);
  orchestrator.kill('SIGKILL');
  await gone;
};
