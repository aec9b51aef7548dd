import { describe, expect, test } from 'vitest';
import { runProgram, splitCommandLine, type ProgramRun } from '../../src/platform/subprocess.ts';
import { isRunning, until, workerPath } from '../helpers/real-attempts.ts';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const node = (script: string, options: Partial<ProgramRun> = {}) =>
  runProgram({
    program: process.execPath,
    args: ['-e', script],
    cwd: tmpdir(),
    timeoutMs: 20_000,
    outputBytesMax: 1_000_000,
    ...options,
  });

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe('a helper program', () => {
  test('gives its exit code and its output, byte for byte', async () => {
    const report = await node(
      "process.stdout.write(Buffer.from([0, 255, 10])); process.stderr.write('why\\n'); process.exitCode = 3",
    );
    expect(report).toMatchObject({ kind: 'done', exitCode: 3 });
    if (report.kind !== 'done') return;
    expect([...report.stdout]).toEqual([0, 255, 10]);
    expect(text(report.stderr)).toBe('why\n');
  });

  test('gets its input and its end', async () => {
    const report = await node('process.stdin.pipe(process.stdout)', { input: Buffer.from('in') });
    expect(report.kind === 'done' && text(report.stdout)).toBe('in');
  });

  test('that is not there, or whose folder is not, is a value', async () => {
    expect(await node('', { program: 'no-such-program' })).toMatchObject({ kind: 'missing' });
    expect(await node('', { cwd: '/no/such/folder' })).toMatchObject({ kind: 'missing' });
  });

  test('that takes too long is ended', async () => {
    expect(await node('', { args: [workerPath('hang')], timeoutMs: 300 })).toEqual({
      kind: 'timed-out',
    });
  });

  test('that writes too much is ended and never taken for complete', async () => {
    const report = await node('', {
      args: [workerPath('prints-forever')],
      outputBytesMax: 100_000,
    });
    expect(report).toMatchObject({ kind: 'ended', by: 'output' });
  });

  test('that leaves a grandchild with its pipes open is not waited for (R28)', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'casefile-helper-'));
    const report = await node('', {
      args: [workerPath('ignore-sigterm-with-grandchild'), 'exit'],
      cwd: folder,
    });
    expect(report).toMatchObject({ kind: 'done', exitCode: 0 });
    const [, grandchild] = readFileSync(join(folder, 'pids'), 'utf8').trim().split(' ').map(Number);
    process.kill(grandchild ?? 0, 'SIGKILL');
    rmSync(folder, { recursive: true });
  });

  test('that is stopped is ended with what it started', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'casefile-helper-'));
    const pidFile = join(folder, 'pids');
    const stop = new AbortController();
    const args = [workerPath('ignore-sigterm-with-grandchild'), 'same-group'];
    const report = node('', { args, cwd: folder, stop: stop.signal });
    await until(() => existsSync(pidFile));
    stop.abort();
    expect(await report).toMatchObject({ kind: 'ended', by: 'stop' });
    const pids = readFileSync(pidFile, 'utf8').trim().split(' ').map(Number);
    await until(() => !pids.some(isRunning));
    rmSync(folder, { recursive: true });
  });

  test('that is stopped before it starts is not started', async () => {
    const report = await node('process.exit(0)', { stop: AbortSignal.abort() });
    expect(report).toMatchObject({ kind: 'ended', by: 'stop' });
  });

  test('that kills itself is told by its signal', async () => {
    const report = await node("process.kill(process.pid, 'SIGKILL')");
    expect(report).toEqual({ kind: 'ended', by: 'signal', message: 'SIGKILL' });
  });

  test('sees the built environment and nothing else', async () => {
    process.env['CASEFILE_TEST_CANARY'] = 'inherited';
    const script = 'console.log(Object.keys(process.env).sort().join())';
    const report = await node(script, { environment: { GIVEN: 'yes', HOME: undefined } });
    delete process.env['CASEFILE_TEST_CANARY'];
    const names = report.kind === 'done' ? text(report.stdout).trim().split(',') : [];
    expect(names).toContain('GIVEN');
    expect(names).toContain('PATH');
    expect(names).not.toContain('CASEFILE_TEST_CANARY');
    expect(names).not.toContain('HOME');
  });
});

describe('a command line', () => {
  test.each([
    ['node worker.mjs {prompt}', ['node', 'worker.mjs', '{prompt}']],
    [`node 'my worker.mjs' "a b" c\\ d`, ['node', 'my worker.mjs', 'a b', 'c d']],
    [`w --name='x y'z "" 'a\\b'`, ['w', '--name=x yz', '', 'a\\b']],
    ['w $HOME *.js | tee > out &', ['w', '$HOME', '*.js', '|', 'tee', '>', 'out', '&']],
    ['  ', []],
  ])('is split by quotes and blanks alone: %s', async (line, words) => {
    expect(await splitCommandLine(line)).toEqual(words);
  });

  test('with an open quote is an error', async () => {
    await expect(splitCommandLine(`node 'worker`)).rejects.toThrow(/quote/i);
  });
});
