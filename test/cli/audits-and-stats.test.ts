import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ONE_LENS } from '../helpers/audited-files.ts';
import {
  auditsOf,
  eventsOf,
  findingsOf,
  fingerprintOf,
  logFile,
} from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';

let place: Workplace;
/** One audit with a finding, and one that stopped after a crash. */
beforeAll(async () => {
  place = await createWorkplace({ 'notes.txt': 'A sentence.\n' });
  await place.run('run', ...ONE_LENS, ...place.commandOf('answer-with-finding'));
  await writeFile(join(place.root, 'notes.txt'), 'Another one.\n');
  await place.run('run', ...ONE_LENS, '--max-runs', '1', ...place.commandOf('crash-always'));
  expect(auditsOf(place)).toHaveLength(2);
});
afterAll(() => place.close());

/** The line as a later casefile would write it: another version, and its own checksum. */
const newerLine = (line: string): string => {
  const covered = line.slice(0, line.lastIndexOf(',"crc":')).replace('{"v":1,', '{"v":9,');
  return `${covered},"crc":"${crc32(covered).toString(16).padStart(8, '0')}"}\n`;
};

const audits = async (of: Workplace): Promise<readonly Record<string, unknown>[]> => {
  const { code, stdout } = await of.run('audits', '--json');
  expect(code).toBe(0);
  return (JSON.parse(stdout) as { audits: readonly Record<string, unknown>[] }).audits;
};

test('audits lists each with its state, tasks, findings, spend and size', async () => {
  const [first, second] = await audits(place);
  expect(first).toMatchObject({
    audit: auditsOf(place)[0],
    state: 'complete',
    how: 'full',
    provider: 'command',
    tasks: { done: 1, total: 1 },
    findings: { total: 1, isRough: false },
    spend: { attempts: { started: 1 } },
  });
  expect(second).toMatchObject({
    audit: auditsOf(place)[1],
    state: 'dispatching',
    tasks: { done: 0, total: 1 },
    findings: { total: 0 },
  });
  expect(first?.['bytes']).toBeGreaterThan(5000);
  const { stdout, stderr } = await place.run('audits');
  expect(stderr).toBe('');
  expect(stdout).toMatch(
    /^\d{8}T\S+ {2}complete \(full\) {2}[\d.]+ kB\n {4}2\d{3}-.* provider command\n/,
  );
});

test('what cannot be read is listed with the reason, and hides nothing else', async () => {
  const copy = await place.copy();
  onTestFinished(copy.close);
  const [first, second] = auditsOf(copy);
  const folder = join(copy.root, '.casefile', 'audits');
  const newer = '20990101T000000000Z-aaaaaa';
  cpSync(join(folder, first ?? ''), join(folder, newer), { recursive: true });
  const newerLog = join(folder, newer, 'events', '000000000001.jsonl');
  writeFileSync(newerLog, newerLine(readFileSync(newerLog, 'utf8').split('\n')[0] ?? ''));
  mkdirSync(join(folder, '20990102T000000000Z-bbbbbb'));
  mkdirSync(join(folder, 'something else'));
  const damaged = join(folder, second ?? '', 'events', '000000000001.jsonl');
  writeFileSync(damaged, readFileSync(damaged).fill(0x20, 40, 60));
  const before = fingerprintOf(copy.folder);
  const all = await audits(copy);
  expect(all.map(({ audit, state }) => [audit, state])).toEqual([
    [first, 'complete'],
    [second, 'unreadable'],
    [newer, 'unreadable'],
    ['20990102T000000000Z-bbbbbb', 'not-begun'],
  ]);
  expect(all[1]?.['reason']).toMatch(/damaged\. events\/000000000001\.jsonl, line 1/);
  expect(all[2]?.['reason']).toMatch(/newer casefile/);
  const stats = JSON.parse((await copy.run('stats', '--json')).stdout) as object;
  expect(stats).toMatchObject({ audits: { total: 4, full: 1, unreadable: 2, unfinished: 1 } });
  expect(fingerprintOf(copy.folder)).toBe(before);
});

test('a log of a newer version is refused by every command that needs it, and none changes it', async () => {
  const copy = await place.copy();
  onTestFinished(copy.close);
  rmSync(join(copy.root, '.casefile', 'audits', auditsOf(copy)[0] ?? ''), { recursive: true });
  const lines = readFileSync(logFile(copy), 'utf8').split('\n');
  appendFileSync(logFile(copy), newerLine(lines.at(-2) ?? ''));
  const before = fingerprintOf(copy.root);
  for (const command of ['run', 'plan', 'status', 'log', 'replay', 'explain', 'repair']) {
    const { code, stderr } = await copy.run(command);
    expect([command, code, stderr]).toEqual([
      command,
      2,
      expect.stringMatching(/newer casefile.*\n.*Update/),
    ]);
  }
  for (const command of ['gc', 'stop', 'audits', 'stats']) {
    expect([command, (await copy.run(command)).code]).toEqual([command, 0]);
  }
  expect(fingerprintOf(copy.root)).toBe(before);
});

test('an audit whose blobs are lost is told by its log', async () => {
  const copy = await place.copy();
  onTestFinished(copy.close);
  const blobs = join(copy.root, '.casefile', 'audits', auditsOf(copy)[0] ?? '', 'blobs');
  rmSync(blobs, { recursive: true });
  expect((await audits(copy))[0]).toMatchObject({ findings: { total: 1, isRough: true } });
});

test('stats adds up what all audits say, by provider', async () => {
  const { code, stdout } = await place.run('stats', '--json');
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    {
      audits: { total: 2, full: 1, partial: 0, unfinished: 1, unreadable: 0 },
      findings: { total: findingsOf({ ...place }).length + 1 },
      providers: [
        {
          provider: 'command',
          attempts: 2,
          ends: { answered: 1, crashed: 1 },
          tokens: { input: 0, output: 0, unknown: 2 },
          costUsd: { sum: 0, unknown: 2 },
          answers: { whole: 1, part: 0, refused: 0 },
          results: { accepted: 1, rejected: 0 },
          acceptance: 1,
        },
      ],
    },
  ]);
  expect((await place.run('stats')).stdout).toMatch(/acceptance +100 % \(1 of 1 judged parts\)/);
  expect(eventsOf(place, 'AttemptEnded')).toHaveLength(1);
});

test('the beginning of an id names an audit; one that fits several lists them; one that fits none says so', async () => {
  const [first, second] = auditsOf(place) as [string, string];
  const status = await place.run('status', '--audit', first, '--json');
  expect((JSON.parse(status.stdout) as { audit: string }).audit).toBe(first);
  const apart = first.split('').findIndex((letter, index) => letter !== second[index]);
  for (const command of ['status', 'log', 'replay', 'verify', 'explain', 'repair', 'stop']) {
    const args = command === 'explain' ? [command, 'audit'] : [command];
    const short = await place.run(...args, '--audit', first.slice(0, apart + 1));
    expect([command, short.code, short.stderr]).toEqual([command, 0, '']);
    const several = await place.run(...args, '--audit', first.slice(0, apart));
    expect([command, several.code]).toEqual([command, 2]);
    expect(several.stderr).toContain(`${first}\n    ${second}\n`);
    const none = await place.run(...args, '--audit', '19991231');
    expect([command, none.code, none.stderr]).toEqual([
      command,
      2,
      expect.stringMatching(/There is no audit 19991231 in .*\n.*casefile audits/),
    ]);
  }
});
