import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { AttemptEnd } from '../domain/attempt-end.ts';
import { messageOf } from '../std/message-of.ts';
import {
  attemptFiles,
  collectFiles,
  lastWriteAt,
  lookAtFiles,
  type AttemptFiles,
} from './attempt-files.ts';
import type { AttemptRunner, Launch, ProcessReport } from './attempt-runner.ts';
import type { Clock } from './clock.ts';
import type { Disk } from './disk.ts';
import { bootId, processStartTime } from './process-identity.ts';
import { leaderWithMarker, MARKER_VARIABLE } from './process-table.ts';
import { endTree } from './process-tree.ts';
import { LOOK_EVERY_MS, stoppedBy, watchProcess, type Cause } from './process-watch.ts';
import { createRedaction, type Redaction } from './redaction.ts';
import {
  createStartedFile,
  readStartedFile,
  startedPath,
  type LeaderIdentity,
  type StartedWriter,
} from './started-file.ts';
import { outputOf, startProcess, type ExitStatus } from './subprocess.ts';

export type ProcessAttemptRunnerOptions = {
  readonly disk: Disk;
  readonly clock: Clock;
  /** Between SIGTERM and SIGKILL of an attempt that is to end. */
  readonly graceMs?: number;
};

/** Runs attempts as processes of this machine (A1, A2). */
export const createProcessAttemptRunner = ({
  disk,
  clock,
  graceMs = 1000,
}: ProcessAttemptRunnerOptions): AttemptRunner => {
  /** Watches, ends what is left of the tree, and then reads: so nothing can change any more. */
  const see = async (
    launch: Launch,
    stop: AbortSignal,
    living: LivingProcess,
  ): Promise<ProcessReport> => {
    const files = attemptFiles(launch);
    const { outputBytesMax } = launch.limits;
    const cause = await watchProcess({
      exited: living.exited,
      limits: launch.limits,
      beforeMs: living.beforeMs,
      look: () => lookAtFiles(files, outputBytesMax),
      stop,
    });
    // A pid is not given away while its group has members: if it lives, after its end, it is a
    // stranger's, and so is the group.
    const isStranger =
      cause.kind === 'ended' && (await processStartTime(living.pid, outputOf)) !== undefined;
    await endTree({ group: isStranger ? undefined : living.pid, marker: launch.marker, graceMs });
    const left = await collectFiles(files, outputBytesMax, redactionFor(launch));
    return { end: endOf(cause, left.answer !== undefined), ...left };
  };

  const launchNew = async (
    launch: Launch,
    stop: AbortSignal,
    started: StartedWriter,
  ): Promise<ProcessReport> => {
    const start = await spawnInto(attemptFiles(launch), launch);
    if (start.kind === 'not-started') return notStarted(start.message);
    try {
      const leader = await identify(start.pid);
      if (leader !== undefined) await started.addLeader(leader);
    } catch (error) {
      // A process that the disk does not know of must not run on.
      await endTree({ group: start.pid, marker: launch.marker, graceMs });
      return notStarted(`its start could not be recorded: ${messageOf(error)}`);
    }
    return see(launch, stop, { ...start, beforeMs: { whole: 0, silent: 0 } });
  };

  const adopt = async (launch: Launch, stop: AbortSignal): Promise<ProcessReport> => {
    const started = await readStartedFile(disk, launch.scratch);
    const leader =
      started.leader === undefined
        ? await findByMarker(launch.marker)
        : await ifAlive(started.leader);
    if (leader === undefined) {
      // Its group may be somebody else's by now; what still carries the marker is ours.
      await endTree({ marker: launch.marker, graceMs });
      const files = attemptFiles(launch);
      const { outputBytesMax } = launch.limits;
      const left = await collectFiles(files, outputBytesMax, redactionFor(launch));
      return {
        end: endOf({ kind: 'ended', status: undefined }, left.answer !== undefined),
        ...left,
      };
    }
    const now = clock.now();
    const startedAt = started.at ?? now;
    const aliveAt = Math.max(startedAt, await lastWriteAt(attemptFiles(launch)));
    const over = new AbortController();
    try {
      return await see(launch, stop, {
        pid: leader.pid,
        exited: goneFrom(leader, over.signal),
        beforeMs: { whole: Math.max(0, now - startedAt), silent: Math.max(0, now - aliveAt) },
      });
    } finally {
      over.abort();
    }
  };

  return {
    run: async (launch, stop) => {
      if (stop.aborted && (await disk.sizeOf(startedPath(launch.scratch))) === undefined) {
        return { end: { kind: 'cancelled', by: stoppedBy(stop.reason) }, ...NOTHING };
      }
      let started: StartedWriter | undefined;
      try {
        const { marker } = launch;
        started = await createStartedFile(disk, launch.scratch, { marker, at: clock.now() });
      } catch (error) {
        return notStarted(messageOf(error));
      }
      if (started === undefined) return adopt(launch, stop);
      try {
        return await launchNew(launch, stop, started);
      } finally {
        await started.close();
      }
    },
  };
};

type LivingProcess = {
  readonly pid: number;
  readonly exited: Promise<ExitStatus | undefined>;
  readonly beforeMs: { readonly whole: number; readonly silent: number };
};

const NOTHING = { stdout: new Uint8Array(), stderr: new Uint8Array() };

const redactionFor = (launch: Launch): Redaction =>
  createRedaction(process.env, launch.environment);

const notStarted = (message: string): ProcessReport => ({
  end: { kind: 'not-started', message },
  ...NOTHING,
});

/** Gives the process opened files; ours are closed as soon as it has its own. */
const spawnInto = async (files: AttemptFiles, launch: Launch): ReturnType<typeof startProcess> => {
  const opened: FileHandle[] = [];
  const descriptor = async (path: string, flags: 'r' | 'a'): Promise<number> => {
    const file = await open(path, flags);
    opened.push(file);
    return file.fd;
  };
  try {
    return await startProcess({
      command: launch.command,
      folder: launch.scratch,
      environment: { ...launch.environment, [MARKER_VARIABLE]: launch.marker },
      stdin: launch.stdinFile === undefined ? undefined : await descriptor(launch.stdinFile, 'r'),
      // Appending, so that a file that is cut while a process writes does not get a hole.
      stdout: await descriptor(files.stdout, 'a'),
      stderr: await descriptor(files.stderr, 'a'),
    });
  } catch (error) {
    return { kind: 'not-started', message: messageOf(error) };
  } finally {
    await Promise.all(opened.map((file) => file.close()));
  }
};

/** Undefined when it has already ended. */
const identify = async (pid: number): Promise<LeaderIdentity | undefined> => {
  const startTime = await processStartTime(pid, outputOf);
  return startTime === undefined ? undefined : { pid, startTime, bootId: await bootId(outputOf) };
};

const ifAlive = async (leader: LeaderIdentity): Promise<LeaderIdentity | undefined> => {
  const isThisBoot = leader.bootId === (await bootId(outputOf));
  const isAlive = isThisBoot && (await processStartTime(leader.pid, outputOf)) === leader.startTime;
  return isAlive ? leader : undefined;
};

/**
 * Looks more than once: when casefile was killed in the middle of a spawn, the new process does not
 * yet carry its own environment for a moment.
 */
const findByMarker = async (marker: string): Promise<LeaderIdentity | undefined> => {
  for (let look = 0; look < 5; look += 1) {
    const pid = await leaderWithMarker(marker);
    if (pid !== undefined) return identify(pid);
    await wait(LOOK_EVERY_MS);
  }
  return undefined;
};

/** Resolves when a process that is not our child is gone. Its exit status is nobody's to ask. */
const goneFrom = async (leader: LeaderIdentity, over: AbortSignal): Promise<undefined> => {
  // What cannot be looked at just now is not known to be gone.
  const look = () => processStartTime(leader.pid, outputOf).catch(() => leader.startTime);
  while (!over.aborted && (await look()) === leader.startTime) {
    await wait(LOOK_EVERY_MS, undefined, { signal: over }).catch(() => undefined);
  }
};

const endOf = (cause: Cause, hasAnswer: boolean): AttemptEnd => {
  switch (cause.kind) {
    case 'stopped':
      return { kind: 'cancelled', by: cause.by };
    case 'limit':
      return { kind: 'timed-out', limit: cause.limit, afterMs: cause.afterMs };
    case 'ended':
      return cause.status === undefined
        ? { kind: hasAnswer ? 'exited' : 'lost' }
        : endOfExit(cause.status);
  }
};

const endOfExit = (status: ExitStatus): AttemptEnd => {
  switch (status.kind) {
    case 'signal':
      return { kind: 'crashed', signal: status.signal };
    case 'code':
      return status.code === 0 ? { kind: 'exited' } : { kind: 'crashed', exitCode: status.code };
  }
};
