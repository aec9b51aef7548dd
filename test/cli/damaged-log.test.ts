import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ONE_LENS, packetFiles } from '../helpers/audited-files.ts';
import {
  auditFolder,
  commitsOf,
  findingsOf,
  fingerprintOf,
  logBytes,
  logFile,
  reportFile,
} from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';

/** An audit that was stopped after the first of its two packets, and closed well. */
let stopped: Workplace;
let undisturbed: readonly unknown[];
beforeAll(async () => {
  stopped = await createWorkplace(packetFiles(2));
  const worker = stopped.commandOf('answer-with-finding');
  expect((await stopped.run('run', '--max-runs', '1', ...ONE_LENS, ...worker)).code).toBe(3);
  const whole = await stopped.copy();
  expect((await whole.run('run', ...ONE_LENS, ...worker)).code).toBe(0);
  undisturbed = findingsOf(whole);
  await whole.close();
});
afterAll(() => stopped.close());

const damagedBy = async (damage: (log: Buffer) => Buffer): Promise<Workplace> => {
  const place = await stopped.copy();
  onTestFinished(place.close);
  writeFileSync(logFile(place), damage(logBytes(place)));
  return place;
};

const lastLine = (log: Buffer): Buffer => log.subarray(log.lastIndexOf(0x0a, log.length - 2) + 1);

/** What can happen to the end of a log. */
const TORN: readonly (readonly [string, (log: Buffer) => Buffer])[] = [
  ['its last byte cut', (log) => log.subarray(0, -1)],
  ['its last 7 bytes cut', (log) => log.subarray(0, -7)],
  ['its last 100 bytes cut', (log) => log.subarray(0, -100)],
  ['a partial row on its own line', (log) => Buffer.concat([log, lastLine(log).subarray(0, 60)])],
  [
    'a partial row glued to the last one',
    (log) => Buffer.concat([log.subarray(0, -1), lastLine(log).subarray(0, 60)]),
  ],
  ['its last row twice', (log) => Buffer.concat([log, lastLine(log)])],
  ['its last 4 kB zeroed', (log) => Buffer.concat([log.subarray(0, -4096), Buffer.alloc(4096)])],
];

test.each(TORN)(
  'a log with %s: readers show what stands before, and say so; the run saves the tail and finds the same',
  async (_, damage) => {
    const place = await damagedBy(damage);
    await expectReadersToSayTorn(place);
    await expectRunToGoOn(place);
  },
);

test('a cut tail is dropped with a notice and the run goes on; damage in the middle is refused by its line (T03, B09)', async () => {
  await expectRunToGoOn(await damagedBy((log) => log.subarray(0, -20)));

  const place = await damagedBy((log) => flipped(log, lineStart(log, 5) + 40));
  await expectRefusal(place, 5);
  const damaged = logBytes(place);
  const repaired = await place.run('repair');
  expect(repaired.code).toBe(0);
  expect(repaired.stdout).toMatch(/Cut at events\/0{11}1\.jsonl, line 5/);
  expect(savedTails(place)).toEqual([damaged.subarray(lineStart(damaged, 5))]);
  const { code, stderr } = await place.run(
    'run',
    ...ONE_LENS,
    ...place.commandOf('answer-with-finding'),
  );
  expect([code, findingsOf(place)]).toEqual([0, undisturbed]);
  expect(stderr).not.toMatch(/gone without closing/);
  expect((await place.run('verify')).code).toBe(0);
});

/** V4, and nothing is written. */
const expectReadersToSayTorn = async (place: Workplace): Promise<void> => {
  const state = fingerprintOf(join(place.root, '.casefile'));
  const readers = ['status', 'log', 'replay'] as const;
  const read = await Promise.all(readers.map((reader) => place.run(reader)));
  expect(read.map(({ code }) => code)).toEqual([0, 0, 0]);
  for (const { stderr } of read) {
    expect(stderr).toMatch(
      /The end of the log is torn .*\(events\/0{11}1\.jsonl, line \d+, \d+ bytes\)/,
    );
  }
  const verified = await place.run('verify');
  expect(verified.code).toBe(1);
  expect(verified.stdout).toMatch(/torn tail: events\/0{11}1\.jsonl, line \d+/);
  expect(fingerprintOf(join(place.root, '.casefile'))).toBe(state);
};

const expectRunToGoOn = async (place: Workplace): Promise<void> => {
  const damaged = logBytes(place);
  const good = goodPartOf(damaged);
  const { code, stderr } = await place.run(
    'run',
    ...ONE_LENS,
    ...place.commandOf('answer-with-finding'),
  );
  expect(code, stderr).toBe(0);
  expect(stderr).toMatch(/The end of the log was torn \(\d+ bytes .*cut and saved as events\//);
  expect(savedTails(place)).toEqual([damaged.subarray(good)]);
  expect(logBytes(place).subarray(0, good).equals(damaged.subarray(0, good))).toBe(true);
  expect((await place.run('verify')).code).toBe(0);
  expect(findingsOf(place)).toEqual(undisturbed);
};

const expectRefusal = async (place: Workplace, line: number): Promise<void> => {
  const state = fingerprintOf(join(place.root, '.casefile'));
  const commands = [
    ['status'],
    ['log'],
    ['replay'],
    ['run', ...ONE_LENS, ...place.commandOf('answer-clean')],
  ];
  const ended = await Promise.all(commands.map((command) => place.run(...command)));
  expect(ended.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
  const where = `events/000000000001.jsonl, line ${line}, `;
  for (const { stderr } of ended) {
    expect(stderr).toContain(`casefile: the log is damaged. ${where}`);
    expect(stderr).toContain('casefile repair');
  }
  const verified = await place.run('verify');
  expect([verified.code, verified.stdout]).toEqual([
    1,
    expect.stringContaining(`damaged: ${where}`),
  ]);
  expect(fingerprintOf(join(place.root, '.casefile'))).toBe(state);
};

test('repair leaves a whole log alone', async () => {
  const place = await damagedBy((log) => log);
  const state = fingerprintOf(join(place.root, '.casefile'));
  const { code, stdout } = await place.run('repair');
  expect([code, fingerprintOf(join(place.root, '.casefile'))]).toEqual([0, state]);
  expect(stdout).toMatch(/^Nothing is damaged/);
});

test('the torn tail of a finished audit is cut by the next run, which does nothing else', async () => {
  const place = await damagedBy((log) => log);
  await place.run('run', ...ONE_LENS, ...place.commandOf('answer-with-finding'));
  const report = readFileSync(reportFile(place, 'findings.json'));
  const log = logBytes(place);
  writeFileSync(logFile(place), log.subarray(0, -1));
  const { code, stderr } = await place.run('run', ...ONE_LENS, ...place.commandOf('answer-clean'));
  expect(code).toBe(0);
  expect(stderr).toMatch(/it was cut and saved as/);
  expect(stderr).toMatch(/Nothing has changed since/);
  expect(commitsOf(place).slice(-2)).toMatchObject([
    { cause: { command: 'OpenWriter' } },
    { cause: { command: 'CloseWriter' } },
  ]);
  expect((await place.run('verify')).code).toBe(0);
  expect(readFileSync(reportFile(place, 'findings.json')).equals(report)).toBe(true);
});

const flipped = (log: Buffer, at: number): Buffer => {
  log[at] = (log[at] ?? 0) ^ 1;
  return log;
};

const lineStart = (log: Buffer, line: number): number => {
  let start = 0;
  for (let current = 1; current < line; current += 1) start = log.indexOf(0x0a, start) + 1;
  return start;
};

/** Length of the leading lines that are as they were written, found without the code under test. */
const goodPartOf = (damaged: Buffer): number => {
  const written = logBytes(stopped);
  let good = 0;
  for (let end = written.indexOf(0x0a); end >= 0; end = written.indexOf(0x0a, end + 1)) {
    if (!damaged.subarray(0, end + 1).equals(written.subarray(0, end + 1))) break;
    good = end + 1;
  }
  return good;
};

/** What was cut from the log and kept beside it. */
const savedTails = (place: Workplace): readonly Buffer[] => {
  const folder = join(auditFolder(place), 'events');
  return readdirSync(folder)
    .filter((name) => !name.endsWith('.jsonl'))
    .map((name) => readFileSync(join(folder, name)));
};
