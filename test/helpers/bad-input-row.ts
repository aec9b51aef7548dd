import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { fingerprintOf } from './audit-on-disk.ts';
import type { Ended, Started, Workplace } from './built-program.ts';

/** One bad input: what is done, and what must come of it. */
export type BadInputRow = {
  readonly what: string;
  readonly prepare?: ((place: Workplace) => void | Promise<void>) | undefined;
  readonly args: readonly string[] | ((place: Workplace) => readonly string[]);
  readonly code: number;
  /** In what the call printed, on whichever stream; a call that fails has nothing on stdout. */
  readonly says: RegExp;
  /** The call had begun when it met the trouble: its log may have grown, though it ends with exit 2. */
  readonly begins?: true;
  /** What else is looked at, once the promises of the call are kept. */
  readonly after?: ((place: Workplace) => Promise<void>) | undefined;
};

/** Longer than any call here takes, the huge trees too; a call that is not over then hangs. */
const HANG_MS = 120_000;

/** Every code that the README tells of. */
const DOCUMENTED: readonly (number | undefined)[] = [0, 1, 2, 3, 4];

/**
 * Makes the call of a row and expects what it promises, and what holds for every call: a documented
 * exit code, a sentence in place of a stack trace, no raw control byte, an end, nothing outside of
 * the state folder touched, and each byte of each log still there. A call that ends with exit 2 has
 * changed nothing at all.
 */
export const expectRow = async (place: Workplace, row: BadInputRow): Promise<Ended> => {
  await row.prepare?.(place);
  const args = typeof row.args === 'function' ? row.args(place) : row.args;
  const before = lookAround(place);
  const ended = await endOf(place.start(...args));
  expect([row.what, ended.code, ended.code === row.code ? '' : ended.stderr]).toEqual([
    row.what,
    row.code,
    '',
  ]);
  expect(`${ended.stderr}${ended.stdout}`, row.what).toMatch(row.says);
  expectOrderly(ended, row.what);
  // What doctor prints is its answer, whatever it is.
  if (ended.code === 2 && args[0] !== 'doctor') expect(ended.stdout, row.what).toBe('');
  expectNothingLost(place, before, row.what, { isSame: ended.code === 2 && row.begins !== true });
  await row.after?.(place);
  return ended;
};

/**
 * Rows, two at a time: most of the time is the start of the program. Each in the place it is given.
 *
 * @throws one error that tells of every row that broke its promise.
 */
export const expectRows = async <Row extends BadInputRow>(
  rows: readonly Row[],
  placeOf: (row: Row) => Workplace | Promise<Workplace>,
): Promise<void> => {
  const broken: string[] = [];
  const jobs = rows.map((row) => async () => {
    try {
      await expectRow(await placeOf(row), row);
    } catch (error) {
      broken.push(`${row.what}:\n${error instanceof Error ? error.message : String(error)}`);
    }
  });
  await twoAtATime(jobs);
  if (broken.length > 0) throw new Error(broken.join('\n\n'));
};

export const twoAtATime = async (jobs: readonly (() => Promise<void>)[]): Promise<void> => {
  const waiting = [...jobs];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next();
  };
  await Promise.all([work(), work()]);
};

/** How a call ends. One that has not ended by itself in `hangMs` is killed, and its signal says so. */
export const endOf = async (started: Started, hangMs = HANG_MS): Promise<Ended> => {
  const limit = setTimeout(() => started.kill('SIGKILL'), hangMs);
  const ended = await started.ended;
  clearTimeout(limit);
  return ended;
};

/** What holds for every call, whatever it was given. */
export const expectOrderly = ({ code, signal, stdout, stderr }: Ended, what: string): void => {
  expect([what, signal, DOCUMENTED.includes(code) ? '' : code]).toEqual([what, undefined, '']);
  expect(stderr, what).not.toMatch(/\n +at |internal error/);
  // oxlint-disable-next-line no-control-regex
  expect(`${stdout}${stderr}`, what).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
};

type Seen = {
  readonly outside: string;
  readonly inside: string;
  readonly logs: ReadonlyMap<string, Buffer>;
};

export const lookAround = (place: Workplace): Seen => ({
  outside: [
    fingerprintOf(place.root, ['.casefile']),
    ...['home', 'config']
      .map((name) => join(place.folder, name))
      .map((folder) => (existsSync(folder) ? fingerprintOf(folder) : 'absent')),
  ].join('\n'),
  // The cache is ours too.
  inside: fingerprintOf(place.folder, ['home', 'config', 'calls']),
  logs: new Map(logsOf(place).map((file) => [file, readFileSync(file)])),
});

export const expectNothingLost = (
  place: Workplace,
  before: Seen,
  what: string,
  { isSame }: { readonly isSame: boolean },
): void => {
  const now = lookAround(place);
  expect([what, now.outside === before.outside ? '' : now.outside]).toEqual([what, '']);
  for (const [file, bytes] of before.logs) {
    const kept = now.logs.get(file)?.subarray(0, bytes.length).equals(bytes);
    expect([what, file, kept]).toEqual([what, file, true]);
  }
  if (isSame) expect([what, differences(before.inside, now.inside)]).toEqual([what, []]);
};

const differences = (before: string, after: string): readonly string[] => {
  const known = new Set(before.split('\n'));
  const now = new Set(after.split('\n'));
  return [
    ...[...known].filter((line) => !now.has(line)).map((line) => `- ${line}`),
    ...[...now].filter((line) => !known.has(line)).map((line) => `+ ${line}`),
  ];
};

/** The segments of all logs that can be read as files. */
const logsOf = ({ root }: Workplace): readonly string[] => {
  const audits = join(root, '.casefile', 'audits');
  return namesIn(audits).flatMap((audit) => {
    const events = join(audits, audit, 'events');
    return namesIn(events, '.jsonl').map((name) => join(events, name));
  });
};

/** Names of the folders in a folder, or of the files with an ending. */
const namesIn = (folder: string, ending?: string): readonly string[] => {
  if (!existsSync(folder)) return [];
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) =>
        ending === undefined ? entry.isDirectory() : entry.isFile() && entry.name.endsWith(ending),
      )
      .map(({ name }) => name);
  } catch {
    return [];
  }
};
