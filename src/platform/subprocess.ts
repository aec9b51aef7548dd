import { childEnvironment, type Environment } from './child-environment.ts';

/**
 * The one file that starts processes.
 *
 * `startProcess` is for attempts: it gives the process files and no pipe, so nothing breaks when
 * casefile dies, and nothing that a grandchild keeps open can delay the news of an exit.
 * `runProgram` is for short helpers (git, ps, an analyzer), whose output is read through pipes.
 *
 * Both make the child the leader of its own process group, so that it can be ended with its
 * children, and neither uses a shell. execa is loaded on first use: it costs more to load than
 * everything else that `casefile --version` does.
 */

/** How a process ended, as the operating system tells it. */
export type ExitStatus =
  | { readonly kind: 'code'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string };

export type ProcessLaunch = {
  readonly command: readonly [string, ...string[]];
  /** Absolute working folder. */
  readonly folder: string;
  /** Added to the built environment. */
  readonly environment: Environment;
  /** Descriptor of an opened file; nothing to read when undefined. */
  readonly stdin?: number | undefined;
  /** Descriptors of files opened for appending. The caller closes its own after the start. */
  readonly stdout: number;
  readonly stderr: number;
};

export type ProcessStart =
  /** `exited` resolves once, when the process itself is gone, whatever its descendants do. */
  | { readonly kind: 'started'; readonly pid: number; readonly exited: Promise<ExitStatus> }
  | { readonly kind: 'not-started'; readonly message: string };

/** Starts a process in its own group. Never rejects: what cannot be started is told as a value. */
export const startProcess = async (launch: ProcessLaunch): Promise<ProcessStart> => {
  const { execa } = await import('execa');
  const [program, ...args] = launch.command;
  const child = execa(program, args, {
    ...OWN_GROUP,
    cwd: launch.folder,
    env: childEnvironment(launch.environment, process.env),
    stdin: launch.stdin === undefined ? 'ignore' : descriptor(launch.stdin),
    stdout: descriptor(launch.stdout),
    stderr: descriptor(launch.stderr),
    buffer: false,
  });
  if (child.pid === undefined) return { kind: 'not-started', message: sentenceOf(await child) };
  const exited = child.then(
    (result): ExitStatus => exitStatus(result) ?? { kind: 'signal', signal: 'unknown' },
  );
  return { kind: 'started', pid: child.pid, exited };
};

export type ProgramRun = {
  readonly program: string;
  readonly args: readonly string[];
  /** Absolute working folder. */
  readonly cwd: string;
  /** Added to the built environment; undefined takes a variable away. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Bytes for its stdin; nothing to read when undefined. */
  readonly input?: Uint8Array;
  readonly timeoutMs: number;
  /** Bytes of stdout, and of stderr; more ends the program. */
  readonly outputBytesMax: number;
  readonly stop?: AbortSignal;
};

export type ProgramReport =
  /** It ended by itself. */
  | {
      readonly kind: 'done';
      readonly exitCode: number;
      readonly stdout: Uint8Array;
      readonly stderr: Uint8Array;
    }
  /** There is no such program (or no such folder), or it may not be executed. */
  | { readonly kind: 'missing'; readonly message: string }
  | { readonly kind: 'timed-out' }
  /** It wrote too much, was stopped, or a signal that we did not send ended it. */
  | { readonly kind: 'ended'; readonly by: 'output' | 'stop' | 'signal'; readonly message: string };

export type RunProgram = (run: ProgramRun) => Promise<ProgramReport>;

/**
 * Runs a short helper to its end and returns its whole output. Never rejects for what the program
 * does; whatever it leaves in its process group is killed.
 */
export const runProgram: RunProgram = async (run) => {
  const { execa } = await import('execa');
  if (run.stop?.aborted === true) return STOPPED;
  const child = execa(run.program, run.args, {
    ...OWN_GROUP,
    cwd: run.cwd,
    env: childEnvironment(run.environment ?? {}, process.env),
    ...(run.input === undefined ? { stdin: 'ignore' } : { input: run.input }),
    encoding: 'buffer',
    maxBuffer: run.outputBytesMax,
    killSignal: 'SIGKILL',
    stripFinalNewline: false,
  });
  if (child.pid === undefined) return { kind: 'missing', message: sentenceOf(await child) };

  const group = child.pid;
  let cause: ProgramReport | undefined;
  const end = (report: ProgramReport): void => {
    cause ??= report;
    signalGroup(group, 'SIGKILL');
  };
  const onStop = (): void => end(STOPPED);
  run.stop?.addEventListener('abort', onStop, { once: true });
  const limit = setTimeout(() => end({ kind: 'timed-out' }), run.timeoutMs);
  let drain: NodeJS.Timeout | undefined;
  child.once('exit', () => {
    clearTimeout(limit);
    // What the program left behind must not hold the pipes: its group is killed, and a descendant
    // that left the group is not waited for.
    signalGroup(group, 'SIGKILL');
    drain = setTimeout(() => {
      child.stdout.destroy();
      child.stderr.destroy();
    }, DRAIN_MS);
  });
  try {
    const result = await child;
    if (cause !== undefined) return cause;
    if (result.isMaxBuffer) {
      const message = `it wrote more than ${run.outputBytesMax} bytes`;
      return { kind: 'ended', by: 'output', message };
    }
    const status = exitStatus(result);
    if (status?.kind === 'code') {
      return {
        kind: 'done',
        exitCode: status.code,
        stdout: bytesOf(result.stdout),
        stderr: bytesOf(result.stderr),
      };
    }
    return { kind: 'ended', by: 'signal', message: status?.signal ?? sentenceOf(result) };
  } finally {
    clearTimeout(limit);
    clearTimeout(drain);
    run.stop?.removeEventListener('abort', onStop);
  }
};

/** What a program prints when it ends with 0 within ten seconds; else undefined. */
export const outputOf = async (
  command: readonly [string, ...string[]],
): Promise<string | undefined> => {
  const [program, ...args] = command;
  const report = await runProgram({
    program,
    args,
    cwd: '/',
    environment: { LC_ALL: 'C' },
    timeoutMs: 10_000,
    outputBytesMax: 1 << 26,
  });
  return report.kind === 'done' && report.exitCode === 0
    ? Buffer.from(report.stdout).toString('latin1')
    : undefined;
};

/**
 * Splits a command line into program and arguments by the quoting rules of a POSIX shell, and by
 * nothing else of it: no variables, patterns, pipes or redirections.
 *
 * @throws Error when a quote is left open.
 */
export const splitCommandLine = async (line: string): Promise<readonly string[]> => {
  const { split } = await import('shellwords-ts');
  return split(line);
};

/** Sends a signal to every process of a group; a group that is gone is no error. */
export const signalGroup = (group: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean =>
  signalProcess(-group, signal);

/** @returns whether there was anything to send it to. */
export const signalProcess = (pid: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean => {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    // EPERM: it is there, but it is not ours to end (or, on macOS, it is a zombie).
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Asks one process to stop, as Ctrl-C does, and tells whether that could be asked. */
export const interruptProcess = (pid: number): 'sent' | 'gone' | 'not-permitted' => {
  try {
    process.kill(pid, 'SIGINT');
    return 'sent';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ESRCH') return 'gone';
    if (code === 'EPERM') return 'not-permitted';
    throw error;
  }
};

/** How long the rest of a helper's output is waited for after its exit. */
const DRAIN_MS = 1000;

const STOPPED: ProgramReport = { kind: 'ended', by: 'stop', message: 'it was stopped' };

const OWN_GROUP = {
  detached: true,
  // execa's own clean-up knows one process; whole groups are ended here and in process-tree.ts.
  cleanup: false,
  extendEnv: false,
  preferLocal: false,
  reject: false,
} as const;

/** execa takes any descriptor of ours and hands it to the child as it is; its types end at 9. */
const descriptor = (fd: number): 3 => fd as 3;

/** What is read of execa's result; undefined fields are those that did not happen. */
type Ended = {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly originalMessage?: string | undefined;
};

const exitStatus = ({ signal, exitCode }: Ended): ExitStatus | undefined => {
  if (signal !== undefined) return { kind: 'signal', signal };
  return exitCode === undefined ? undefined : { kind: 'code', code: exitCode };
};

/** The first line only: the rest repeats the command line. */
const sentenceOf = ({ originalMessage }: Ended): string =>
  originalMessage?.split('\n')[0] ?? 'it could not be started';

const bytesOf = (output: unknown): Uint8Array =>
  output instanceof Uint8Array ? output : new Uint8Array();
