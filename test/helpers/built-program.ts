import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM } from './built-paths.ts';
import { initRepository } from './git-repository.ts';
import { isRunning, workerPath } from './real-attempts.ts';

/** What a user sees of a call that has ended. */
export type Ended = {
  /** Undefined when a signal ended it. */
  readonly code: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  readonly stdout: string;
  readonly stderr: string;
};

/** A call under way. */
export type Started = {
  readonly pid: number;
  readonly isOver: () => boolean;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<Ended>;
};

/** A repository to audit, with a home and a cache of its own, and the built program to do it. */
export type Workplace = {
  readonly folder: string;
  readonly root: string;
  /** Where workers of `commandOf` leave a line for each call. */
  readonly callLog: string;
  readonly run: (...args: readonly string[]) => Promise<Ended>;
  /** The same with more in the environment; folders for PATH come before ours. */
  readonly runWith: (
    environment: Readonly<Record<string, string>>,
    ...args: readonly string[]
  ) => Promise<Ended>;
  readonly start: (...args: readonly string[]) => Started;
  /** The same with another working folder than the root. */
  readonly startIn: (folder: string, ...args: readonly string[]) => Started;
  /** Flags for provider `command` with one of our workers, its calls counted. */
  readonly commandOf: (worker: string, ...args: readonly string[]) => readonly string[];
  /** Lines of the call log. */
  readonly calls: () => readonly string[];
  /** Living processes that descend from any call here. */
  readonly living: () => readonly number[];
  /** The same in another folder: root, state and cache. */
  readonly copy: () => Promise<Workplace>;
  /** Ends what still lives and removes everything. */
  readonly close: () => Promise<void>;
};

/** Makes a git repository of these files in a temporary folder. The caller closes the workplace. */
export const createWorkplace = async (
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<Workplace> => {
  const folder = await mkdtemp(join(tmpdir(), 'casefile-cli-'));
  await mkdir(join(folder, 'home'));
  await mkdir(join(folder, 'project'));
  await initRepository(join(folder, 'project'), files);
  return workplaceIn(folder);
};

const workplaceIn = (folder: string): Workplace => {
  const root = join(folder, 'project');
  const home = join(folder, 'home');
  const callLog = join(folder, 'calls');
  const children = new Set<ChildProcess>();

  const startWith = (
    cwd: string,
    { PATH, ...more }: Readonly<Record<string, string>>,
    args: readonly string[],
  ): Started => {
    const own = process.env['PATH'];
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd,
      env: {
        ...more,
        PATH: PATH === undefined ? own : `${PATH}:${own}`,
        HOME: home,
        XDG_CACHE_HOME: join(folder, 'cache'),
        XDG_CONFIG_HOME: join(folder, 'config'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
    const text = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text.stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.stderr += chunk));
    const ended = new Promise<Ended>((resolve) => {
      child.once('close', (code, signal) => {
        children.delete(child);
        resolve({ code: code ?? undefined, signal: signal ?? undefined, ...text });
      });
    });
    return {
      pid: child.pid ?? 0,
      isOver: () => child.exitCode !== null || child.signalCode !== null,
      stdout: () => text.stdout,
      stderr: () => text.stderr,
      kill: (signal) => child.kill(signal),
      ended,
    };
  };

  const startIn = (cwd: string, ...args: readonly string[]): Started => startWith(cwd, {}, args);
  const start = (...args: readonly string[]): Started => startIn(root, ...args);
  const living = (): readonly number[] => processesAt(home);
  return {
    folder,
    root,
    callLog,
    start,
    startIn,
    run: (...args) => start(...args).ended,
    runWith: (environment, ...args) => startWith(root, environment, args).ended,
    commandOf: (worker, ...args) => [
      ...['--provider', 'command', '--command'],
      JSON.stringify([process.execPath, workerPath('append-call-log'), callLog, worker, ...args]),
    ],
    calls: () => linesOf(callLog),
    living,
    copy: async () => {
      const other = await mkdtemp(join(tmpdir(), 'casefile-cli-'));
      await cp(folder, other, { recursive: true, preserveTimestamps: true });
      return workplaceIn(other);
    },
    close: async () => {
      for (const child of children) child.kill('SIGKILL');
      for (const pid of living()) process.kill(pid, 'SIGKILL');
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

/** Their home tells whose descendants they are; looked at without the code under test. */
const processesAt = (home: string): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
        return environment.includes(`HOME=${home}`) && isRunning(pid);
      } catch {
        return false;
      }
    });

const linesOf = (file: string): readonly string[] => {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(0, -1);
  } catch {
    return [];
  }
};
