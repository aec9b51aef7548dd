import type { AttemptEnd } from '../../src/domain/attempt-end.ts';
import type { Instant } from '../../src/domain/ids.ts';
import type { AttemptRunner, Launch, ProcessReport } from '../../src/platform/attempt-runner.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { stoppedBy } from '../../src/platform/process-watch.ts';

/**
 * The world outside of casefile, for as long as a test lasts: the attempts' processes and the files
 * they write. It survives when the simulated casefile is stopped, and it counts from outside what
 * was started, so that it can be the oracle.
 *
 *   life 1   run ── started ── spawned ── (crash)
 *   world                     └───────── works ────── answers ── ends
 *   life 2                                  run ─────────────────── adopts, reports
 */
export type OutsideWorld = {
  /** A runner for one life of casefile. */
  readonly createRunner: () => AttemptRunner;
  /** Stops every life so far, wherever it is: its runs never settle and do nothing more. */
  readonly crash: () => void;
  /** The machine loses its power: no process lives on. What one had written is there. */
  readonly powerCut: () => void;
  /** Every process that was ever started, in order. */
  readonly processes: () => readonly SimulatedProcess[];
  /** Those that run now. */
  readonly running: () => readonly SimulatedProcess[];
  /** Every call of `run`, also of those that adopt: the marker and when. */
  readonly calls: () => readonly { readonly marker: string; readonly at: Instant }[];
};

/** What a process does. It works for `durationMs`, writes its files, and then `then` happens. */
export type SimulatedWork = {
  readonly durationMs: number;
  readonly answer?: Uint8Array;
  readonly signal?: Uint8Array;
  readonly stdout?: Uint8Array;
  readonly stderr?: Uint8Array;
  readonly then:
    | { readonly kind: 'exits'; readonly exitCode: number }
    | { readonly kind: 'dies'; readonly signal: string }
    | { readonly kind: 'hangs' };
  /** Shows no life while it works, so that the idle limit counts from its start. */
  readonly isSilent?: boolean;
  /** Outlives SIGTERM by the whole grace. */
  readonly ignoresSigterm?: boolean;
};

export type SimulatedProcess = {
  readonly marker: string;
  readonly startedAt: Instant;
  /** When it ended, and whether casefile killed it; undefined while it runs. */
  readonly ended: { readonly at: Instant; readonly killed: boolean } | undefined;
};

/** Where a crash can be put: the callback may throw, or wait for ever, to stop a life there. */
export type RunnerStep = 'called' | 'started' | 'spawned' | 'ended';

export type OutsideWorldOptions = {
  readonly clock: Clock;
  readonly script: (launch: Launch) => SimulatedWork;
  readonly graceMs?: number;
  readonly onStep?: (step: RunnerStep, launch: Launch) => void | Promise<void>;
};

export const createOutsideWorld = ({
  clock,
  script,
  graceMs = 1000,
  onStep = () => undefined,
}: OutsideWorldOptions): OutsideWorld => {
  /** The `started` files; the process behind it is missing when the spawn never came. */
  const attempts = new Map<string, { process: Running | undefined }>();
  const processes: Running[] = [];
  const calls: { readonly marker: string; readonly at: Instant }[] = [];
  let life = new AbortController();

  const runIn = async (
    ownLife: AbortSignal,
    launch: Launch,
    stop: AbortSignal,
  ): Promise<ProcessReport> => {
    /** Every step of a life that is over waits for ever. */
    const reach = async (step: RunnerStep): Promise<void> => {
      await onStep(step, launch);
      if (ownLife.aborted) await new Promise(() => undefined);
    };
    const { marker } = launch;
    calls.push({ marker, at: clock.now() });
    await reach('called');
    const known = attempts.get(marker);
    if (known === undefined && stop.aborted) return cancelled(stop);

    let running = known?.process;
    if (known === undefined) {
      const attempt: { process: Running | undefined } = { process: undefined };
      attempts.set(marker, attempt);
      await reach('started');
      running = { marker, startedAt: clock.now(), work: script(launch), killedAt: undefined };
      attempt.process = running;
      processes.push(running);
      await reach('spawned');
    }
    if (running === undefined) return { end: { kind: 'lost' }, ...NOTHING };
    const isOurs = known === undefined;

    const isOver = (): boolean => endedAt(running, clock.now()) !== undefined;
    const limit = nearestLimit(running, launch);
    const wake = AbortSignal.any([stop, ownLife]);
    const naturalEnd = naturalEndOf(running);
    while (!wake.aborted && !isOver() && clock.now() < limit.at) {
      await clock.sleepUntil(Math.min(naturalEnd, limit.at), wake);
    }
    if (ownLife.aborted) await new Promise(() => undefined);

    let cause: AttemptEnd | undefined;
    if (!isOver()) {
      const afterMs = clock.now() - running.startedAt;
      cause = stop.aborted
        ? { kind: 'cancelled', by: stoppedBy(stop.reason) }
        : { kind: 'timed-out', limit: limit.limit, afterMs: Math.max(0, afterMs) };
      if (running.work.ignoresSigterm === true) {
        await clock.sleepUntil(clock.now() + graceMs, ownLife);
        if (ownLife.aborted) await new Promise(() => undefined);
      }
      running.killedAt ??= clock.now();
    }
    await reach('ended');
    const left = leftBehind(running, clock.now(), launch);
    const end = cause ?? endOf(running, isOurs, left.answer !== undefined);
    return { end, ...left };
  };

  const snapshot = (running: Running): SimulatedProcess => {
    const at = endedAt(running, clock.now());
    return {
      marker: running.marker,
      startedAt: running.startedAt,
      ended: at === undefined ? undefined : { at, killed: at === running.killedAt },
    };
  };

  return {
    createRunner: () => {
      const ownLife = life.signal;
      return { run: (launch, stop) => runIn(ownLife, launch, stop) };
    },
    crash: () => {
      life.abort();
      life = new AbortController();
    },
    powerCut: () => {
      for (const running of processes) running.killedAt ??= clock.now();
    },
    processes: () => processes.map(snapshot),
    running: () => processes.map(snapshot).filter(({ ended }) => ended === undefined),
    calls: () => [...calls],
  };
};

type Running = {
  readonly marker: string;
  readonly startedAt: Instant;
  readonly work: SimulatedWork;
  killedAt: Instant | undefined;
};

const NOTHING = { stdout: new Uint8Array(), stderr: new Uint8Array() };

const cancelled = (stop: AbortSignal): ProcessReport => ({
  end: { kind: 'cancelled', by: stoppedBy(stop.reason) },
  ...NOTHING,
});

const doneAt = ({ startedAt, work }: Running): Instant => startedAt + work.durationMs;

const naturalEndOf = (running: Running): Instant =>
  running.work.then.kind === 'hangs' ? Number.MAX_SAFE_INTEGER : doneAt(running);

/** When it ended, if it has by now; a process that was killed first did not end by itself. */
const endedAt = (running: Running, now: Instant): Instant | undefined => {
  const at = Math.min(naturalEndOf(running), running.killedAt ?? Number.MAX_SAFE_INTEGER);
  return at <= now ? at : undefined;
};

const nearestLimit = (
  running: Running,
  { limits }: Launch,
): { readonly at: Instant; readonly limit: 'wall' | 'idle' } => {
  const wall = running.startedAt + limits.wallMs;
  const lastLife = running.work.isSilent === true ? running.startedAt : doneAt(running);
  const idle = lastLife + limits.idleMs;
  return wall <= idle ? { at: wall, limit: 'wall' } : { at: idle, limit: 'idle' };
};

/** Its files, if it came to writing them. */
const leftBehind = (
  running: Running,
  now: Instant,
  { limits }: Launch,
): Omit<ProcessReport, 'end'> => {
  const { work } = running;
  const wrote = doneAt(running) <= (endedAt(running, now) ?? now);
  if (!wrote) return NOTHING;
  const kept = (output: Uint8Array | undefined): Uint8Array =>
    (output ?? new Uint8Array()).subarray(0, limits.outputBytesMax);
  return {
    ...(work.answer === undefined || work.answer.length === 0 ? {} : { answer: work.answer }),
    ...(work.signal === undefined || work.signal.length === 0 ? {} : { signal: work.signal }),
    stdout: kept(work.stdout),
    stderr: kept(work.stderr),
  };
};

/** The status of a process that another life started is nobody's to ask. */
const endOf = ({ work, killedAt }: Running, isOurs: boolean, hasAnswer: boolean): AttemptEnd => {
  if (!isOurs) return { kind: hasAnswer ? 'exited' : 'lost' };
  if (killedAt !== undefined) return { kind: 'crashed', signal: 'SIGKILL' };
  switch (work.then.kind) {
    case 'exits':
      return work.then.exitCode === 0
        ? { kind: 'exited' }
        : { kind: 'crashed', exitCode: work.then.exitCode };
    case 'dies':
      return { kind: 'crashed', signal: work.then.signal };
    case 'hangs':
      return { kind: 'lost' };
  }
};
