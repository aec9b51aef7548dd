import { spawn, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ONE_LENS } from '../helpers/audited-files.ts';
import {
  auditFolder,
  auditsOf,
  commitsOf,
  fingerprintOf,
  logFile,
} from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Ended, type Workplace } from '../helpers/built-program.ts';
import { PROGRAM } from '../helpers/built-paths.ts';

/** Many tasks and little text: the log grows beyond any other file of the audit. */
const FILES = Object.fromEntries(
  Array.from({ length: 60 }, (_, index) => [`part-${index}/file-${index}.txt`, `Line ${index}.\n`]),
);

let place: Workplace;
beforeAll(async () => {
  place = await createWorkplace(FILES);
  expect((await place.run('run', ...ONE_LENS, ...place.commandOf('answer-clean'))).code).toBe(0);
});
afterAll(() => place.close());

const copy = async (): Promise<Workplace> => {
  const other = await place.copy();
  onTestFinished(other.close);
  return other;
};

/** Runs the program behind a shell script, which gets it as its arguments. */
const behind = (
  shell: readonly [string, ...string[]],
  script: string,
  of: Workplace,
  args: readonly string[],
): Promise<Ended> =>
  new Promise((resolve) => {
    const [program, ...before] = shell;
    const child = spawn(
      program,
      [...before, 'sh', '-c', script, 'sh', process.execPath, PROGRAM, ...args],
      {
        cwd: of.root,
        env: {
          PATH: process.env['PATH'],
          HOME: join(of.folder, 'home'),
          XDG_CACHE_HOME: join(of.folder, 'cache'),
          AT: join(of.root, '.casefile'),
          TREE: of.root,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const text = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text.stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.stderr += chunk));
    child.once('close', (code, signal) =>
      resolve({ code: code ?? undefined, signal: signal ?? undefined, ...text }),
    );
  });

/** Mounts of its own need rights that a plain user has not everywhere. */
const canMount =
  spawnSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs none /mnt'], { stdio: 'ignore' })
    .status === 0;
const ALONE = ['unshare', '-m'] as const;
const READ_ONLY =
  'mount --bind "$TREE" "$TREE" && mount -o remount,bind,ro "$TREE" && cd "$TREE" && exec "$@"';

test.skipIf(!canMount)(
  'reading commands work on a read-only file system, and a run fails before any worker starts (B14)',
  async () => {
    const there = await copy();
    const readers = ['status', 'log', 'replay', 'verify', 'explain', 'audits', 'stats', 'stop'];
    for (const reader of [
      ...readers.map((name) => [name]),
      ['gc', '--dry-run'],
      ['run', ...ONE_LENS],
    ]) {
      const { code, stderr } = await behind(ALONE, READ_ONLY, there, reader);
      expect([reader, code, stderr.includes('casefile:')]).toEqual([reader, 0, false]);
    }
    const before = fingerprintOf(there.root);
    const calls = there.calls();
    for (const command of ['run', 'plan', 'gc']) {
      const work =
        command === 'gc' ? [] : ['--fresh', ...ONE_LENS, ...there.commandOf('answer-clean')];
      const { code, stderr } = await behind(ALONE, READ_ONLY, there, [command, ...work]);
      expect([command, code]).toEqual([command, 2]);
      expect(stderr).toMatch(
        /state directory .*cannot be written.*EROFS.*\n {2}Make it writable.*--state-dir/,
      );
    }
    expect([there.calls(), fingerprintOf(there.root)]).toEqual([calls, before]);
  },
);

test('a log that cannot grow stops the run with its cause; nothing is lost, and the next run goes on', async () => {
  const there = await copy();
  const whole = statSync(logFile(there)).size;
  const others = readdirSync(join(auditFolder(there), 'blobs'), {
    recursive: true,
    encoding: 'utf8',
  });
  const largest = Math.max(
    ...others.map((name) => statSync(join(auditFolder(there), 'blobs', name)).size),
  );
  expect(whole).toBeGreaterThan(largest + 1024);
  rmSync(join(there.root, '.casefile'), { recursive: true });
  // The shell counts in blocks of 512 bytes.
  const blocks = Math.ceil((largest + whole) / 2 / 512);
  const work = [...ONE_LENS, ...there.commandOf('answer-clean')];
  const full = await behind(['env'], `ulimit -f ${blocks}; exec "$@"`, there, ['run', ...work]);
  expect([full.code, full.stdout]).toEqual([2, '']);
  expect(full.stderr).toMatch(
    /the log cannot be written: .*EFBIG.*\n {2}What was recorded before is safe\. .*full.*run again/,
  );
  expect(full.stderr).not.toMatch(/at .*\.js:\d+/);
  await expectToGoOn(there, work);
});

test.skipIf(!canMount)(
  'a disk that fills up anywhere stops the run with its cause; with space again the next run goes on',
  async () => {
    const there = await copy();
    const state = join(there.root, '.casefile');
    const kept = join(there.folder, 'home', 'kept');
    const used = sizeOf(state);
    const work = [...ONE_LENS, ...there.commandOf('answer-clean')];
    for (const share of [0.1, 0.5]) {
      rmSync(state, { recursive: true, force: true });
      rmSync(kept, { recursive: true, force: true });
      const pages = Math.max(8, Math.ceil((used * share) / 4096));
      const script = `mkdir -p "$AT" && mount -t tmpfs -o size=${pages * 4}k none "$AT" && { "$@"; code=$?; cp -a "$AT" "$HOME/kept"; exit $code; }`;
      const { code, stderr } = await behind(ALONE, script, there, ['run', ...work]);
      expect([share, code]).toEqual([share, expect.toBeOneOf([2, 3])]);
      expect(stderr).toMatch(/ENOSPC/);
      expect(stderr).not.toMatch(/at .*\.js:\d+|internal error/);
      rmSync(state, { recursive: true, force: true });
      cpSync(kept, state, { recursive: true });
      await expectToGoOn(there, work);
    }
  },
);

/** What was durable stays; the next run takes the rest, and all is whole. */
const expectToGoOn = async (there: Workplace, work: readonly string[]): Promise<void> => {
  const before = auditsOf(there).length === 0 ? [] : wholeCommits(there);
  const on = await there.run('run', ...work);
  expect([on.code, on.stderr]).toEqual([0, expect.any(String)]);
  expect(commitsOf(there).slice(0, before.length)).toEqual(before);
  expect((await there.run('verify')).code).toBe(0);
};

const wholeCommits = (there: Workplace): readonly unknown[] => {
  const lines = readFileSync(logFile(there), 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as unknown);
};

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, { size }) => sum + Math.ceil(size / 4096) * 4096, 0);
