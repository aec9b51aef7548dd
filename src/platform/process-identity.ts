import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { z } from 'zod';

/**
 * Who a process is, in words that another process on the same machine can check. A pid alone is
 * used again; a pid with its start time, on one boot and in one pid namespace, is not.
 */
export const processIdentity = z.strictObject({
  pid: z.int().positive(),
  /** When the process started, in the system's own words: compared, never computed with. */
  startTime: z.string().min(1),
  bootId: z.string().min(1),
  /** Containers have their own pids; `none` where the system has no such thing. */
  pidNamespace: z.string().min(1),
  host: z.string().min(1),
});
export type ProcessIdentity = z.infer<typeof processIdentity>;

/** Runs a program and gives its stdout; undefined when it ends with another code than 0. */
export type ProgramOutput = (
  command: readonly [string, ...string[]],
) => Promise<string | undefined>;

/** Systems without `/proc` need a program to ask; saying nothing would make living owners dead. */
const noProgram: ProgramOutput = (command) =>
  Promise.reject(
    new Error(`This system has no /proc, and nothing was given to run ${command[0]}.`),
  );

/**
 * When a process started, or undefined when no such process lives (a zombie does not live: it can
 * write nothing any more).
 *
 * @param outputOf asked for `ps` on systems that have no `/proc`.
 */
export const processStartTime = async (
  pid: number,
  outputOf: ProgramOutput = noProgram,
): Promise<string | undefined> => {
  if (process.platform === 'linux') return startTicks(pid);
  const started = (await outputOf(['ps', '-o', 'lstart=', '-p', String(pid)]))?.trim();
  if (started !== undefined && started !== '') return started;
  // `ps` may have failed for another reason than that nobody has this pid.
  if (isGone(pid)) return undefined;
  throw new Error(`ps does not tell when process ${pid} started, but it lives.`);
};

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
};

/** What changes with each start of the machine. */
export const bootId = async (outputOf: ProgramOutput = noProgram): Promise<string> => {
  if (process.platform === 'linux') {
    return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  }
  const session = (await outputOf(['sysctl', '-n', 'kern.bootsessionuuid']))?.trim();
  if (session === undefined || session === '') throw new Error('sysctl tells no boot session.');
  return session;
};

/** This process. */
export const ownIdentity = async (
  outputOf: ProgramOutput = noProgram,
): Promise<ProcessIdentity> => {
  const startTime = await processStartTime(process.pid, outputOf);
  if (startTime === undefined) throw new Error(`The start of process ${process.pid} is not known.`);
  const pidNamespace = process.platform === 'linux' ? await readlink('/proc/self/ns/pid') : 'none';
  return {
    pid: process.pid,
    startTime,
    bootId: await bootId(outputOf),
    pidNamespace,
    host: hostname(),
  };
};

/**
 * Whether `owner` is proven dead, as seen from `self` (W3). Only the same host, boot and pid
 * namespace can prove anything; a paused process lives.
 */
export const isProvenDead = async (
  owner: ProcessIdentity,
  self: ProcessIdentity,
  startTimeOf: (pid: number) => Promise<string | undefined> = processStartTime,
): Promise<boolean> => {
  const comparable =
    owner.host === self.host &&
    owner.bootId === self.bootId &&
    owner.pidNamespace === self.pidNamespace;
  return comparable && (await startTimeOf(owner.pid)) !== owner.startTime;
};

/** `/proc/<pid>/stat`: the name in parentheses may hold spaces and parentheses itself. */
const startTicks = async (pid: number): Promise<string | undefined> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return undefined;
    throw error;
  });
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const isOver = fields[0] === 'Z' || fields[0] === 'X';
  return isOver ? undefined : fields[19];
};
