import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answer } from '../../src/domain/answer.ts';
import type { AttemptRunner, Launch, ProcessReport } from '../../src/platform/attempt-runner.ts';
import { createSystemClock } from '../../src/platform/clock.ts';
import { createNodeDisk } from '../../src/platform/node-disk.ts';
import { createProcessAttemptRunner } from '../../src/platform/process-attempt-runner.ts';
import { createCommandProvider } from '../../src/providers/command.ts';
import { brief, jobIn, treeOf } from '../helpers/attempt-job.ts';
import { workerPath } from '../helpers/real-attempts.ts';

const never = new AbortController().signal;
const disk = createNodeDisk();
const goodAnswer = Buffer.from(
  JSON.stringify({
    packet: brief.packet,
    results: brief.tasks.map(({ id }) => ({ task: id, verdict: 'clean' })),
  }),
);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casefile-command-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('how the command contract reads an end', () => {
  const reportOf = async (report: Partial<ProcessReport>) => {
    const nothing = { stdout: new Uint8Array(), stderr: new Uint8Array() };
    const runner: AttemptRunner = {
      run: () => Promise.resolve({ end: { kind: 'exited' }, ...nothing, ...report }),
    };
    const provider = createCommandProvider({ command: ['worker'], runner, disk });
    return provider.run(jobIn(folder), never);
  };
  const crashed = (exitCode: number) => ({ kind: 'crashed', exitCode }) as const;
  const signal = (content: unknown): Uint8Array => Buffer.from(JSON.stringify(content));

  test('a valid answer is an answer whatever the exit code', async () => {
    const codes = fc.integer({ min: 1, max: 255 });
    await fc.assert(
      fc.asyncProperty(codes, async (exitCode) => {
        const report = await reportOf({ end: crashed(exitCode), answer: goodAnswer });
        expect(report.answer).toBe(goodAnswer);
      }),
      { numRuns: 20 },
    );
  });

  test('beside a valid answer, a limit is recorded all the same', async () => {
    const report = await reportOf({ end: crashed(75), answer: goodAnswer });
    expect(report).toMatchObject({ end: { kind: 'limited', limit: 'rate' }, answer: goodAnswer });
  });

  test('75 is a limit until the time that the signal file says, in any offset', async () => {
    const resetAt = '2026-11-30T15:44:00+05:30';
    const report = await reportOf({
      end: crashed(75),
      signal: signal({ limit: { kind: 'quota', resetAt } }),
    });
    const instant = Date.UTC(2026, 10, 30, 10, 14);
    expect(report.end).toEqual({ kind: 'limited', limit: 'quota', resetAt: instant });
  });

  test.each([
    ['missing', undefined],
    ['damaged', Buffer.from('{"limit":{"kind":"qu')],
    ['of an unknown kind', signal({ limit: { kind: 'monthly', resetAt: '2026-11-30T10:00:00Z' } })],
    ['without an offset', signal({ limit: { kind: 'quota', resetAt: '2026-11-30T10:00:00' } })],
    ['no object', signal('rate')],
  ])('with a signal file that is %s, 75 is a limit without a reset', async (_, bytes) => {
    const report = await reportOf({
      end: crashed(75),
      ...(bytes === undefined ? {} : { signal: bytes }),
    });
    expect(report.end).toEqual({ kind: 'limited', limit: 'rate' });
  });

  test('a signal file without exit code 75 is no limit', async () => {
    const said = signal({ limit: { kind: 'rate' } });
    expect((await reportOf({ end: crashed(1), signal: said })).end).toEqual(crashed(1));
    expect((await reportOf({ signal: said })).end).toEqual({ kind: 'exited' });
  });

  test('of an adopted process, whose exit code nobody knows, the signal file is believed', async () => {
    const said = signal({ limit: { kind: 'rate' } });
    const report = await reportOf({ end: { kind: 'lost' }, signal: said });
    expect(report.end).toEqual({ kind: 'limited', limit: 'rate' });
  });

  test('an answer that is none is handed over as it is, to be recorded and judged', async () => {
    const garbage = Buffer.from('Great code!');
    expect(await reportOf({ answer: garbage })).toMatchObject({
      end: { kind: 'exited' },
      answer: garbage,
    });
  });

  test('half an answer that a limit cut off does not count against the packet', async () => {
    const half = goodAnswer.subarray(0, 20);
    const report = await reportOf({ end: crashed(75), answer: half });
    expect(report.answer).toBeUndefined();
  });
});

describe('a worker command', () => {
  const launchedBy = async (command: readonly string[]): Promise<Launch> => {
    let launched: Launch | undefined;
    const runner: AttemptRunner = {
      run: (launch) => {
        launched = launch;
        const nothing = new Uint8Array();
        return Promise.resolve({ end: { kind: 'exited' }, stdout: nothing, stderr: nothing });
      },
    };
    const provider = createCommandProvider({ command, runner, disk });
    await provider.run(jobIn(folder, { tree: treeOf({}, '/the/tree') }), never);
    if (launched === undefined) throw new Error('nothing was launched');
    return launched;
  };

  test('gets the paths anywhere in its arguments and in its environment', async () => {
    const launch = await launchedBy([
      'w',
      '--in={prompt}',
      '{packet}:{answer}',
      '{signal}',
      '{tree}/x',
    ]);
    const path = (name: string): string => join(folder, name);
    expect(launch.command).toEqual([
      'w',
      `--in=${path('prompt.md')}`,
      `${path('packet.json')}:${path('answer.json')}`,
      path('signal.json'),
      '/the/tree/x',
    ]);
    expect(launch.environment).toEqual({
      CASEFILE_PROMPT: path('prompt.md'),
      CASEFILE_PACKET: path('packet.json'),
      CASEFILE_ANSWER: path('answer.json'),
      CASEFILE_SIGNAL: path('signal.json'),
      CASEFILE_TREE: '/the/tree',
    });
    expect(launch.stdinFile).toBe(path('prompt.md'));
  });

  test('finds the prompt and the packet as it is', async () => {
    await launchedBy(['w']);
    expect(await readFile(join(folder, 'prompt.md'), 'utf8')).toBe('Review the packet.\n');
    expect(JSON.parse(await readFile(join(folder, 'packet.json'), 'utf8'))).toEqual(brief);
  });

  test('is never read as a shell would: no word of it is split, joined or expanded', async () => {
    const words = fc.array(
      fc.string().filter((word) => !/\{[A-Za-z]/.test(word)),
      { maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(words, async (args) => {
        expect((await launchedBy(['w', ...args])).command).toEqual(['w', ...args]);
      }),
      { numRuns: 20 },
    );
  });

  test.each([
    [['w', '{promt}'], /unknown placeholder \{promt\}/],
    [[], /empty/],
    [['{tree}/worker'], /placeholder/],
  ])('that cannot be meant is refused before anything starts: %j', (command, message) => {
    const runner: AttemptRunner = { run: () => Promise.reject(new Error('started')) };
    expect(() => createCommandProvider({ command, runner, disk })).toThrow(message);
  });

  test('that needs files is not started where there are none', async () => {
    const runner: AttemptRunner = { run: () => Promise.reject(new Error('started')) };
    const provider = createCommandProvider({ command: ['w', '{tree}'], runner, disk });
    const report = await provider.run(jobIn(folder), never);
    expect(report.end).toMatchObject({ kind: 'not-started' });
  });
});

describe('the command provider over real processes', () => {
  const runner = createProcessAttemptRunner({ disk, clock: createSystemClock(), graceMs: 100 });
  const run = (worker: string, args: readonly string[] = [], prompt = 'Review.\n') => {
    const command = [process.execPath, workerPath(worker), ...args];
    const provider = createCommandProvider({ command, runner, disk });
    const tree = treeOf({}, join(folder, 'tree'));
    return provider.run(jobIn(join(folder, 'scratch'), { prompt, tree }), never);
  };

  test('a worker that writes its answer has answered, and need do nothing else (R12)', async () => {
    const report = await run('answer-clean');
    expect(report.end).toEqual({ kind: 'exited' });
    const given = answer.parse(JSON.parse(Buffer.from(report.answer ?? []).toString()));
    expect(given.results.map(({ task }) => task)).toEqual(brief.tasks.map(({ id }) => id));
  });

  test('a worker reads the tree and finds something there', async () => {
    await mkdir(join(folder, 'tree', 'src'), { recursive: true });
    await writeFile(join(folder, 'tree', 'src', 'greet.js'), '\nexport const greet = 1;\n');
    const report = await run('answer-with-finding');
    const given = answer.parse(JSON.parse(Buffer.from(report.answer ?? []).toString()));
    expect(given.results[0]).toMatchObject({
      verdict: 'findings',
      findings: [{ line: 2, quote: 'export const greet = 1;' }],
    });
  });

  test('a limit with its reset comes through', async () => {
    const report = await run('limit-with-reset', ['2026-11-30T12:00:00Z']);
    const resetAt = Date.UTC(2026, 10, 30, 12);
    expect(report.end).toEqual({ kind: 'limited', limit: 'rate', resetAt });
  });

  test('a prompt of megabytes goes by stdin and stands in no argument (R29)', async () => {
    const prompt = 'All of these paths, please. '.repeat(100_000);
    const script = `
      const { readFileSync, writeFileSync } = require('node:fs');
      const seen = { stdin: readFileSync(0).length, argv: readFileSync('/proc/self/cmdline').length,
        environ: readFileSync('/proc/self/environ').length };
      writeFileSync(process.argv[1], JSON.stringify(seen));`;
    const command = [process.execPath, '-e', script, '{answer}', '{prompt}'];
    const provider = createCommandProvider({ command, runner, disk });
    const report = await provider.run(jobIn(join(folder, 'scratch'), { prompt }), never);
    const seen = JSON.parse(Buffer.from(report.answer ?? []).toString()) as Record<string, number>;
    expect(seen['stdin']).toBe(prompt.length);
    expect(seen['argv']).toBeLessThan(2000);
    expect(seen['environ']).toBeLessThan(20_000);
  });
});
