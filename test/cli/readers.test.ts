import { chmodSync, copyFileSync, existsSync, readdirSync, truncateSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ONE_LENS, packetFiles } from '../helpers/audited-files.ts';
import {
  commitsOf,
  fingerprintOf,
  lastNumber,
  logBytes,
  logFile,
  type LoggedCommit,
} from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';
import { until } from '../helpers/real-attempts.ts';
import { PROGRAM } from '../helpers/built-paths.ts';

/** What `status --json` said after each step of an audit, by the number of the last event then. */
const liveStatus = new Map<number, unknown>();
let place: Workplace;
let commits: readonly LoggedCommit[];

/** An audit made in three steps, with one failing worker among them. */
beforeAll(async () => {
  place = await createWorkplace(packetFiles(2));
  for (const worker of ['answer-clean', 'crash-always', 'answer-clean']) {
    const step = ['run', ...ONE_LENS, '--parallel', '1', '--max-runs', '1'];
    await place.run(...step, ...place.commandOf(worker));
    const status = JSON.parse((await place.run('status', '--json')).stdout) as { seq: number };
    liveStatus.set(status.seq, status);
  }
  commits = commitsOf(place);
  expect(commits.at(-2)?.to).toBe('complete');
});
afterAll(() => place.close());

test('log, status and replay start nothing and write nothing (T25)', async () => {
  const copy = await place.copy();
  onTestFinished(copy.close);
  const state = join(copy.root, '.casefile');
  const home = readdirSync(copy.folder);
  // Not even when they could not: root may write in spite of the mode, so the bytes are compared.
  setMode(state, 0o555, 0o444);
  const before = fingerprintOf(copy.root);
  const readers = [
    ['status'],
    ['status', '--json'],
    ['log'],
    ['log', '--json', '--type', 'AttemptEnded'],
    ['log', '--follow'],
    ['replay', '--verify'],
    ['replay', '--to', '7', '--json'],
    ['verify'],
    ['machine', 'attempt'],
  ];
  for (const reader of readers) {
    const { code, stderr } = await copy.run(...reader);
    expect([reader, code, stderr]).toEqual([reader, 0, '']);
  }
  expect(fingerprintOf(copy.root)).toBe(before);
  expect(readdirSync(copy.folder)).toEqual(home);
  expect(copy.calls()).toEqual(place.calls());
  setMode(state, 0o755, 0o644);
});

test('replay --verify agrees with the recorded transition of every commit', async () => {
  const { code, stdout } = await place.run('replay', '--verify', '--json');
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    { verified: { commits: commits.length, differences: [] } },
  ]);
});

test('replay --to N is what status said when the log ended at N, at every commit', async () => {
  const cut = await place.copy();
  onTestFinished(cut.close);
  const whole = logBytes(place);
  let end = 0;
  for (const commit of commits) {
    end = whole.indexOf(0x0a, end) + 1;
    copyFileSync(logFile(place), logFile(cut));
    truncateSync(logFile(cut), end);
    const number = String(lastNumber(commit));
    const [status, replayed] = await Promise.all([
      cut.run('status', '--json'),
      place.run('replay', '--to', number, '--json'),
    ]);
    expect([status.code, replayed.code]).toEqual([0, 0]);
    expect(replayed.stdout).toBe(status.stdout);
    const live = liveStatus.get(lastNumber(commit));
    if (live !== undefined) expect(JSON.parse(replayed.stdout)).toEqual(live);
  }
  expect(commits.map(lastNumber)).toEqual(expect.arrayContaining([...liveStatus.keys()]));
  expect(liveStatus.size).toBe(3);
});

test('replay --at an instant is the replay to the last commit that had happened by then', async () => {
  const commit = commits[9]!;
  const last = commits.filter(({ at }) => at <= commit.at).at(-1)!;
  const { stdout } = await place.run('replay', '--at', commit.at, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ seq: lastNumber(last), state: last.to });
});

test('log --json gives the commits of the log, one a line, with each event numbered', async () => {
  const { stdout } = await place.run('log', '--json');
  const lines = stdout.split('\n').slice(0, -1);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
    commits.map(({ seq, at, epoch, cause, events, from, to }) => ({
      ...{ seq, at, epoch, cause, from, to },
      events: events.map((event, index) => ({ number: seq + index, ...event })),
    })),
  );
});

test('log --type, --from and --to choose events', async () => {
  const all = commits.flatMap(({ seq, events }) =>
    events.map(({ type }, index) => ({ number: seq + index, type })),
  );
  const numbersOf = (text: string): readonly number[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => Number(line.trim().split(' ')[0]));
  const chosen = ['AttemptStarted', 'AttemptEnded'];
  const flags = chosen.flatMap((type) => ['--type', type]);
  const byType = await place.run('log', ...flags);
  expect(numbersOf(byType.stdout)).toEqual(
    all.filter(({ type }) => chosen.includes(type)).map(({ number }) => number),
  );
  const byNumber = await place.run('log', '--from', '5', '--to', '9');
  expect(numbersOf(byNumber.stdout)).toEqual([5, 6, 7, 8, 9]);
});

test('log --follow shows what is added and ends when the audit is complete', async () => {
  const busy = await createWorkplace({ 'notes.txt': 'A sentence.\n' });
  onTestFinished(busy.close);
  const gate = join(busy.folder, 'gate');
  const run = busy.start('run', ...ONE_LENS, ...busy.commandOf('slow-answer', gate));
  await until(() => busy.calls().length === 1);
  const follower = busy.start('log', '--follow', '--json');
  await until(() => follower.stdout().includes('"AttemptStarted"'));
  expect(follower.isOver()).toBe(false);
  await writeFile(gate, '');
  expect((await run.ended).code).toBe(0);
  const { code, stdout, stderr } = await follower.ended;
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('"AuditCompleted"');
});

test.each(['audit', 'attempt', 'account'])(
  'machine prints the chart of %s for other tools',
  async (name) => {
    const [mermaid, dot, json] = await Promise.all(
      ['mermaid', 'dot', 'json'].map((format) => place.run('machine', name, '--format', format)),
    );
    expect(mermaid?.stdout).toMatch(/^stateDiagram-v2\n/);
    expect(dot?.stdout).toMatch(/^digraph /);
    expect(JSON.parse(json?.stdout ?? '')).toMatchObject({ id: name });
  },
);

test('a reader that goes away ends the command without an error', () => {
  const script = `for i in 1 2 3 4 5; do node "$1" log --json "$2"; done | head -1`;
  const { stdout, stderr, status } = spawnSync('sh', ['-c', script, 'sh', PROGRAM, place.root], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({ seq: 1 });
});

const setMode = (path: string, folderMode: number, fileMode: number): void => {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) setMode(inner, folderMode, fileMode);
    else chmodSync(inner, fileMode);
  }
  if (existsSync(path)) chmodSync(path, folderMode);
};
