import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Launch } from '../../src/platform/attempt-runner.ts';
import { createSystemClock } from '../../src/platform/clock.ts';
import type { Disk } from '../../src/platform/disk.ts';
import { createNodeDisk } from '../../src/platform/node-disk.ts';
import { createProcessAttemptRunner } from '../../src/platform/process-attempt-runner.ts';
import { runProgram } from '../../src/platform/subprocess.ts';
import {
  createRealAttempts,
  isRunning,
  livingWith,
  PROMPT,
  startAndKillOrchestrator,
  until,
  type RealAttempts,
} from '../helpers/real-attempts.ts';

/** What only real processes can show; the rest is in the attempt runner's contract. */
describe('attempts as processes', () => {
  let attempts: RealAttempts;
  beforeEach(async () => {
    attempts = await createRealAttempts();
  });
  afterEach(() => attempts.close());

  const never = new AbortController().signal;
  const runnerOver = (disk: Disk) =>
    createProcessAttemptRunner({ disk, clock: createSystemClock(), graceMs: 100 });
  const run = (launch: Launch, stop = never) => runnerOver(createNodeDisk()).run(launch, stop);
  const pidsOf = (launch: Launch): readonly number[] =>
    readFileSync(join(launch.scratch, 'pids'), 'utf8').trim().split(' ').map(Number);

  test('a worker that reads stdin to its end gets the prompt and goes on (B04)', async () => {
    const launch = await attempts.launchOf('reads-stdin-to-eof');
    const { end, answer } = await run(launch);
    expect(end).toEqual({ kind: 'exited' });
    expect(JSON.parse(Buffer.from(answer ?? []).toString())).toEqual({ prompt: PROMPT });
  });

  test('without a prompt file, stdin is at its end from the start (B04)', async () => {
    const { stdinFile, ...launch } = await attempts.launchOf('reads-stdin-to-eof');
    expect(stdinFile).toBeDefined();
    const { end, stdout } = await run(launch);
    expect(end).toEqual({ kind: 'exited' });
    expect(Buffer.from(stdout).toString()).toBe('read 0 characters\n');
  });

  test.each([
    ['in the same group, without the marker,', ['exit', 'same-group', 'no-marker']],
    ['in a group of its own, with the marker,', ['exit']],
  ])(
    'a grandchild %s that holds stdout open delays no exit and does not live on (R28)',
    async (_where, args) => {
      const launch = await attempts.launchOf('ignore-sigterm-with-grandchild', args);
      const { end } = await run(launch);
      expect(end).toEqual({ kind: 'exited' });
      expect(pidsOf(launch).map(isRunning)).toEqual([false, false]);
    },
  );

  test.each([['same-group'], ['own-group']])(
    'at a limit the whole tree is ended, though all of it ignores SIGTERM: %s (B06)',
    async (where) => {
      const limits = { wallMs: 2500 };
      const launch = await attempts.launchOf('ignore-sigterm-with-grandchild', [where], limits);
      const { end, answer } = await run(launch);
      expect(end).toMatchObject({ kind: 'timed-out', limit: 'wall' });
      expect(answer).toBeUndefined();
      expect(pidsOf(launch).map(isRunning)).toEqual([false, false]);
      expect(livingWith(launch.marker)).toEqual([]);
    },
  );

  test('endless output ends the attempt; its first bytes are kept, on disk too (R49)', async () => {
    const launch = await attempts.launchOf('prints-forever', [], { outputBytesMax: 5000 });
    const { end, stdout } = await run(launch);
    expect(end).toMatchObject({ kind: 'timed-out', limit: 'output' });
    expect(Buffer.from(stdout).toString()).toBe('x'.repeat(5000));
    expect(statSync(join(launch.scratch, 'stdout')).size).toBe(5000);
  });

  test('a program that is not there is told as such', async () => {
    const launch = await attempts.launchOf('answer-clean');
    const { end } = await run({ ...launch, command: ['no-such-worker'] });
    expect(end).toMatchObject({ kind: 'not-started' });
    expect(JSON.stringify(end)).toContain('no-such-worker');
  });

  test('however many lives are killed, the process is started once (R5)', async () => {
    const launch = await attempts.launchOf('slow-answer', ['go']);
    await startAndKillOrchestrator(launch, () => attempts.starts(launch) > 0);
    const [pid] = livingWith(launch.marker);
    const before = statSync(join(launch.scratch, 'stdout')).size;
    await startAndKillOrchestrator(launch, () => sizeOfStdout(launch) > before);
    expect(livingWith(launch.marker)).toEqual([pid]);
    const report = run(launch);
    await writeFile(join(launch.scratch, 'go'), '');
    const { end, stdout } = await report;
    expect(end).toEqual({ kind: 'exited' });
    expect(Buffer.from(stdout).toString()).toMatch(/^(waiting\n)+$/);
    expect(attempts.starts(launch)).toBe(1);
  });

  test('a process whose pid was never written down is found by its marker', async () => {
    const launch = await attempts.launchOf('slow-answer', ['go']);
    await startAndKillOrchestrator(launch, () => attempts.starts(launch) > 0);
    const started = join(launch.scratch, 'started');
    await truncate(started, readFileSync(started, 'utf8').indexOf('\n') + 1);
    // Only who watches it can tell that it was stopped.
    const { end } = await run(launch, AbortSignal.abort('settled'));
    expect(end).toEqual({ kind: 'cancelled', by: 'settled' });
    expect([attempts.starts(launch), livingWith(launch.marker)]).toEqual([1, []]);
  });

  test('a grandchild that outlived its parent and every life is ended when it is lost', async () => {
    const launch = await attempts.launchOf('ignore-sigterm-with-grandchild');
    await startAndKillOrchestrator(launch, () => existsSync(join(launch.scratch, 'pids')));
    const [parent, grandchild] = pidsOf(launch);
    process.kill(parent ?? 0, 'SIGKILL');
    await until(() => !isRunning(parent ?? 0));
    expect(isRunning(grandchild ?? 0)).toBe(true);
    expect((await run(launch)).end).toEqual({ kind: 'lost' });
    expect(isRunning(grandchild ?? 0)).toBe(false);
  });

  test.each([
    ['start time', { startTime: '1' }],
    ['boot', { bootId: 'another' }],
  ])(
    "a pid that is now somebody else's is neither adopted nor ended: other %s",
    async (_, other) => {
      const stranger = await attempts.launchOf('slow-answer', ['go']);
      const strangerReport = run(stranger);
      await until(() => attempts.starts(stranger) > 0 && sizeOfStdout(stranger) > 0);
      const [, line] = readFileSync(join(stranger.scratch, 'started'), 'utf8').split('\n');
      const launch = await attempts.launchOf('answer-clean');
      await mkdir(launch.scratch, { recursive: true });
      const leader = { ...(JSON.parse(line ?? '') as object), ...other };
      const first = { marker: launch.marker, at: Date.now() };
      const text = `${JSON.stringify(first)}\n${JSON.stringify(leader)}\n`;
      await writeFile(join(launch.scratch, 'started'), text);
      expect((await run(launch)).end).toEqual({ kind: 'lost' });
      await writeFile(join(stranger.scratch, 'go'), '');
      expect((await strangerReport).end).toEqual({ kind: 'exited' });
    },
  );

  test('limits go on from the start: an adopted process may be over them at once', async () => {
    const launch = await attempts.launchOf('slow-answer', ['go']);
    await startAndKillOrchestrator(launch, () => attempts.starts(launch) > 0);
    const started = join(launch.scratch, 'started');
    const hourAgo = `"at":${Date.now() - 3_600_000}`;
    await writeFile(started, readFileSync(started, 'utf8').replace(/"at":\d+/, hourAgo));
    const { end } = await run(launch);
    expect(end).toMatchObject({ kind: 'timed-out', limit: 'wall' });
    expect(livingWith(launch.marker)).toEqual([]);
  });

  test('the start is durable before there is a process (A1)', async () => {
    const launch = await attempts.launchOf('answer-clean');
    const disk = createNodeDisk();
    const steps: string[] = [];
    const note = (step: string): void => {
      steps.push(`${step} ${attempts.starts(launch)} ${livingWith(launch.marker).length}`);
    };
    await runnerOver({
      ...disk,
      open: async (path, mode) => {
        const file = await disk.open(path, mode);
        note(mode);
        return {
          ...file,
          datasync: async () => {
            await file.datasync();
            note('datasync');
          },
        };
      },
      syncDirectory: async (directory) => {
        await disk.syncDirectory(directory);
        note('syncDirectory');
      },
    }).run(launch, never);
    expect(steps.slice(0, 3)).toEqual(['create 0 0', 'datasync 0 0', 'syncDirectory 0 0']);
    expect(steps[3]).toMatch(/^datasync . 1$/);
  });

  test.each([[1], [2]])(
    'a start that the disk does not take leaves no process: sync %i fails',
    async (failing) => {
      const launch = await attempts.launchOf('hang');
      const disk = createNodeDisk();
      let syncs = 0;
      const { end } = await runnerOver({
        ...disk,
        open: async (path, mode) => ({
          ...(await disk.open(path, mode)),
          datasync: () => {
            syncs += 1;
            return syncs === failing ? Promise.reject(new Error('EIO')) : Promise.resolve();
          },
        }),
      }).run(launch, never);
      expect(end).toMatchObject({ kind: 'not-started' });
      expect(livingWith(launch.marker)).toEqual([]);
    },
  );

  test('an answer that is a link or a pipe is no answer and hangs nobody', async () => {
    const { scratch, ...launch } = await attempts.launchOf('limit-with-reset', [
      '2026-01-01T00:00:00Z',
    ]);
    const secret = join(attempts.folder, 'secret');
    await writeFile(secret, 'of somebody else');
    await mkdir(scratch, { recursive: true });
    await symlink(secret, launch.answerFile);
    await runProgram({
      program: 'mkfifo',
      args: ['pipe'],
      cwd: scratch,
      timeoutMs: 5000,
      outputBytesMax: 100,
    });
    const report = await run({ scratch, ...launch, signalFile: launch.signalFile });
    expect(report.answer).toBeUndefined();
    const again = await run({ scratch, ...launch, answerFile: join(scratch, 'pipe') });
    expect(again.answer).toBeUndefined();
  });

  test('secrets of the environment leave neither by the report nor on disk', async () => {
    const canary = 'canary-5b1f9a7c3d';
    const { environment, ...launch } = await attempts.launchOf('answer-clean');
    const script = `console.log('key ' + process.env.SOME_API_KEY); console.error(process.env.SOME_API_KEY);
      require('fs').writeFileSync(process.env.CASEFILE_ANSWER, JSON.stringify({ told: process.env.SOME_API_KEY }))`;
    const { stdout, stderr, answer } = await run({
      ...launch,
      environment: { ...environment, SOME_API_KEY: canary },
      command: [process.execPath, '-e', script],
    });
    expect(Buffer.from(stdout).toString()).toBe('key [redacted]\n');
    for (const bytes of [stdout, stderr, answer]) {
      expect(Buffer.from(bytes ?? []).toString()).not.toContain(canary);
    }
    for (const name of ['stdout', 'stderr', 'answer.json']) {
      expect(readFileSync(join(launch.scratch, name), 'utf8')).toContain('[redacted]');
    }
  });

  const sizeOfStdout = (launch: Launch): number => statSync(join(launch.scratch, 'stdout')).size;
});
