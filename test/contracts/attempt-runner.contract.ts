import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AttemptLimits } from '../../src/domain/settings.ts';
import type { AttemptRunner, Launch, ProcessReport } from '../../src/platform/attempt-runner.ts';

/** What a worker does. `slow`: it works until it is let go, showing life, and then answers. */
export type Behaviour =
  | 'answers'
  | 'answers-and-fails'
  | 'answers-then-hangs'
  | 'crashes'
  | 'hangs'
  | 'says-limit'
  | 'slow'
  | 'ignores-sigterm';

export type RunnerWorld = {
  /** A runner for one life of casefile. */
  readonly createRunner: () => AttemptRunner;
  readonly launchOf: (behaviour: Behaviour, limits?: Partial<AttemptLimits>) => Promise<Launch>;
  /** Waits for a report; a simulated world moves its clock meanwhile. */
  readonly settle: (report: Promise<ProcessReport>) => Promise<ProcessReport>;
  /** Resolves when the attempt's process works. */
  readonly whenWorking: (launch: Launch) => Promise<void>;
  /** Lets a `slow` worker go on. */
  readonly letGo: (launch: Launch) => Promise<void>;
  /** Starts the attempt in another life of casefile, which is killed while the process works. */
  readonly startInALifeThatIsKilled: (launch: Launch) => Promise<void>;
  /** Leaves the attempt as a life does that is killed before it spawns. */
  readonly dieBeforeSpawn: (launch: Launch) => Promise<void>;
  /** Resolves when nothing of the attempt runs any more. */
  readonly whenGone: (launch: Launch) => Promise<void>;
  /** How often its process was started, counted from outside. */
  readonly starts: (launch: Launch) => Promise<number>;
  /** How many processes of it run now, counted from outside. */
  readonly running: (launch: Launch) => Promise<number>;
  readonly close: () => Promise<void>;
};

/** What the engine and the providers may rely on, over real processes and over simulated ones. */
export const attemptRunnerContract = (name: string, create: () => Promise<RunnerWorld>): void => {
  describe(`${name} keeps the attempt runner contract`, () => {
    let world: RunnerWorld;
    beforeEach(async () => {
      world = await create();
    });
    afterEach(() => world.close());

    const never = new AbortController().signal;
    const run = (launch: Launch, stop: AbortSignal = never): Promise<ProcessReport> =>
      world.createRunner().run(launch, stop);
    const leavesNothing = async (launch: Launch): Promise<void> => {
      expect([await world.starts(launch), await world.running(launch)]).toEqual([1, 0]);
    };

    test('a worker that answers and ends well has exited, with its answer', async () => {
      const launch = await world.launchOf('answers');
      const report = await world.settle(run(launch));
      expect(report.end).toEqual({ kind: 'exited' });
      expect(report.answer?.length).toBeGreaterThan(0);
      await leavesNothing(launch);
    });

    test('an answer is handed over whatever the exit code', async () => {
      const launch = await world.launchOf('answers-and-fails');
      const report = await world.settle(run(launch));
      expect(report.end).toEqual({ kind: 'crashed', exitCode: 1 });
      expect(report.answer?.length).toBeGreaterThan(0);
    });

    test('a worker that crashes says with what code, and why on stderr', async () => {
      const launch = await world.launchOf('crashes');
      const report = await world.settle(run(launch));
      expect(report.end).toEqual({ kind: 'crashed', exitCode: 9 });
      expect(report.answer).toBeUndefined();
      expect(Buffer.from(report.stderr).toString()).toContain('the worker crashed');
      await leavesNothing(launch);
    });

    test('what the worker signals comes back beside its exit code', async () => {
      const launch = await world.launchOf('says-limit');
      const report = await world.settle(run(launch));
      expect(report.end).toEqual({ kind: 'crashed', exitCode: 75 });
      expect(Buffer.from(report.signal ?? []).toString()).toContain('"rate"');
    });

    test('silence for the idle limit ends it long before the wall limit (B04)', async () => {
      const launch = await world.launchOf('hangs', { idleMs: 700, wallMs: 600_000 });
      const report = await world.settle(run(launch));
      expect(report.end).toMatchObject({ kind: 'timed-out', limit: 'idle' });
      await leavesNothing(launch);
    });

    test('a worker that shows life all the time is ended at the wall limit', async () => {
      const launch = await world.launchOf('slow', { idleMs: 2000, wallMs: 2500 });
      const report = await world.settle(run(launch));
      expect(report.end).toMatchObject({ kind: 'timed-out', limit: 'wall' });
      await leavesNothing(launch);
    });

    test('a worker that answers and hangs on is ended, and its answer kept (B06)', async () => {
      const launch = await world.launchOf('answers-then-hangs', { idleMs: 2000 });
      const report = await world.settle(run(launch));
      expect(report.end).toMatchObject({ kind: 'timed-out', limit: 'idle' });
      expect(report.answer?.length).toBeGreaterThan(0);
      await leavesNothing(launch);
    });

    test.each(['operator', 'settled', 'budget'] as const)(
      'who stops it is told in its end: %s',
      async (by) => {
        const launch = await world.launchOf('slow');
        const stop = new AbortController();
        const report = run(launch, stop.signal);
        await world.whenWorking(launch);
        stop.abort(by);
        expect((await world.settle(report)).end).toEqual({ kind: 'cancelled', by });
        await leavesNothing(launch);
      },
    );

    test('a worker that ignores SIGTERM is ended all the same', async () => {
      const launch = await world.launchOf('ignores-sigterm');
      const stop = new AbortController();
      const report = run(launch, stop.signal);
      await world.whenWorking(launch);
      stop.abort();
      const { end } = await world.settle(report);
      expect(end).toEqual({ kind: 'cancelled', by: 'operator' });
      await leavesNothing(launch);
    });

    test('what is stopped before it starts is never started', async () => {
      const launch = await world.launchOf('answers');
      const report = await world.settle(run(launch, AbortSignal.abort('budget')));
      expect(report.end).toEqual({ kind: 'cancelled', by: 'budget' });
      expect(await world.starts(launch)).toBe(0);
    });

    test('a second life adopts the living process and brings its answer (R5)', async () => {
      const launch = await world.launchOf('slow');
      await world.startInALifeThatIsKilled(launch);
      expect(await world.running(launch)).toBe(1);
      const report = run(launch);
      await world.letGo(launch);
      const { end, answer } = await world.settle(report);
      expect(end).toEqual({ kind: 'exited' });
      expect(answer?.length).toBeGreaterThan(0);
      await leavesNothing(launch);
    });

    test('an answer that came while nobody watched is taken', async () => {
      const launch = await world.launchOf('slow');
      await world.startInALifeThatIsKilled(launch);
      await world.letGo(launch);
      await world.whenGone(launch);
      const { end, answer } = await world.settle(run(launch));
      expect(end).toEqual({ kind: 'exited' });
      expect(answer?.length).toBeGreaterThan(0);
      await leavesNothing(launch);
    });

    test('limits go on from the start, not from the adoption', async () => {
      const launch = await world.launchOf('slow', { wallMs: 3000 });
      await world.startInALifeThatIsKilled(launch);
      const { end } = await world.settle(run(launch));
      expect(end).toMatchObject({ kind: 'timed-out', limit: 'wall' });
      await leavesNothing(launch);
    });

    test('an adopted process can be stopped', async () => {
      const launch = await world.launchOf('slow');
      await world.startInALifeThatIsKilled(launch);
      const stop = new AbortController();
      const report = run(launch, stop.signal);
      stop.abort('settled');
      const { end } = await world.settle(report);
      expect(end).toEqual({ kind: 'cancelled', by: 'settled' });
      await leavesNothing(launch);
    });

    test('an attempt whose spawn never came is lost, not started again', async () => {
      const launch = await world.launchOf('answers');
      await world.dieBeforeSpawn(launch);
      const { end } = await world.settle(run(launch));
      expect(end).toEqual({ kind: 'lost' });
      expect(await world.starts(launch)).toBe(0);
    });

    test('asked again after its end it is lost without an answer', async () => {
      const launch = await world.launchOf('crashes');
      await world.settle(run(launch));
      expect((await world.settle(run(launch))).end).toEqual({ kind: 'lost' });
      await leavesNothing(launch);
    });

    test('asked again after its end it brings its answer again', async () => {
      const launch = await world.launchOf('answers');
      const first = await world.settle(run(launch));
      const second = await world.settle(run(launch));
      expect(second.end).toEqual({ kind: 'exited' });
      expect(second.answer).toEqual(first.answer);
      await leavesNothing(launch);
    });
  });
};
