import { describe, expect, test } from 'vitest';
import { watchProcess, type SignOfLife } from '../../src/platform/process-watch.ts';

/** The cause of an end is the first one, whatever follows while the tree is being ended. */
describe('the watch over a process', () => {
  const limits = { attemptsMax: 3, wallMs: 60_000, idleMs: 60_000, outputBytesMax: 1000 };
  const beforeMs = { whole: 0, silent: 0 };
  const quiet: SignOfLife = { mark: '', isOverOutput: false };
  const look = () => Promise.resolve(quiet);
  const forever = new Promise<never>(() => undefined);
  const never = new AbortController().signal;

  test('an exit before an abort stays an exit', async () => {
    const stop = new AbortController();
    const exited = Promise.resolve({ kind: 'code', code: 0 } as const);
    // The abort comes while the watch is still busy with its look at the files.
    const slowLook = async (): Promise<SignOfLife> => {
      await exited;
      stop.abort('budget');
      return quiet;
    };
    const watched = { exited, limits, beforeMs, look: slowLook, stop: stop.signal };
    expect(await watchProcess(watched)).toEqual({
      kind: 'ended',
      status: { kind: 'code', code: 0 },
    });
  });

  test('an abort before an exit stays an abort', async () => {
    const stop = new AbortController();
    let exit: (status: { kind: 'code'; code: number }) => void = () => undefined;
    const exited = new Promise<{ kind: 'code'; code: number }>((resolve) => (exit = resolve));
    const slowLook = async (): Promise<SignOfLife> => {
      stop.abort('budget');
      exit({ kind: 'code', code: 0 });
      await exited;
      return quiet;
    };
    const watched = { exited, limits, beforeMs, look: slowLook, stop: stop.signal };
    expect(await watchProcess(watched)).toEqual({ kind: 'stopped', by: 'budget' });
  });

  test.each([
    ['wall', { whole: 60_000, silent: 0 }],
    ['idle', { whole: 0, silent: 60_000 }],
  ] as const)('time before the watch counts: %s', async (limit, before) => {
    const cause = await watchProcess({
      exited: forever,
      limits,
      beforeMs: before,
      look,
      stop: never,
    });
    expect(cause).toMatchObject({ kind: 'limit', limit });
  });

  test('too much output is told as such, also when time is over as well', async () => {
    const cause = await watchProcess({
      exited: forever,
      limits,
      beforeMs: { whole: 60_000, silent: 60_000 },
      look: () => Promise.resolve({ mark: '', isOverOutput: true }),
      stop: never,
    });
    expect(cause).toMatchObject({ kind: 'limit', limit: 'output' });
  });

  test('each change is life: only silence brings the idle limit', async () => {
    let looks = 0;
    const started = performance.now();
    const cause = await watchProcess({
      exited: forever,
      limits: { ...limits, idleMs: 150 },
      beforeMs,
      look: () => {
        looks += 1;
        return Promise.resolve({ mark: String(Math.min(looks, 5)), isOverOutput: false });
      },
      stop: never,
    });
    expect(cause).toMatchObject({ kind: 'limit', limit: 'idle' });
    expect(performance.now() - started).toBeGreaterThan(4 * 100 + 149);
  });
});
