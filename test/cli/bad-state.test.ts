import { execFileSync } from 'node:child_process';
import { crc32 } from 'node:zlib';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ONE_LENS, packetFiles } from '../helpers/audited-files.ts';
import { auditFolder, auditsOf, logBytes, logFile } from '../helpers/audit-on-disk.ts';
import { expectRow, twoAtATime, type BadInputRow } from '../helpers/bad-input-row.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';

/** An audit that was stopped after the first of its two packets, and one that waits for a host. */
let stopped: Workplace;
let offered: Workplace;
beforeAll(async () => {
  [stopped, offered] = await Promise.all([
    createWorkplace(packetFiles(2)),
    createWorkplace(packetFiles(2)),
  ]);
  for (const { folder } of [stopped, offered]) {
    writeFileSync(join(folder, 'home', 'answer.json'), '[]');
  }
  const flags = [...ONE_LENS, '--max-runs', '1', ...stopped.commandOf('answer-with-finding')];
  expect((await stopped.run('run', ...flags)).code).toBe(3);
  expect((await offered.run('next', ...ONE_LENS)).code).toBe(0);
});
afterAll(() => Promise.all([stopped.close(), offered.close()]));

type Expected = readonly [code: number, says: RegExp];
type CallName = keyof typeof CALLS;

/** Every command that looks into an audit. */
const CALLS = {
  status: () => ['status'],
  log: () => ['log'],
  replay: () => ['replay', '--verify'],
  verify: () => ['verify'],
  explain: () => ['explain', 'planning'],
  audits: () => ['audits'],
  stats: () => ['stats'],
  ingest: () => ['ingest', '../home/answer.json'],
  assigned: () => ['ingest'],
  answer: () => ['answer', 'q-1', 'yes'],
  next: () => ['next', ...ONE_LENS],
  stop: () => ['stop'],
  plan: (place: Workplace) => ['plan', ...ONE_LENS, ...place.commandOf('answer-clean')],
  run: (place: Workplace) => ['run', ...ONE_LENS, ...place.commandOf('answer-clean')],
  gc: () => ['gc'],
} satisfies Readonly<Record<string, (place: Workplace) => readonly string[]>>;
const NAMES = Object.keys(CALLS) as readonly CallName[];

/** Those that need the log refuse; those that tell of all audits tell of this one too. */
const refusedWith = (says: RegExp, verified: Expected): Readonly<Record<CallName, Expected>> => ({
  status: [2, says],
  log: [2, says],
  replay: [2, says],
  verify: verified,
  explain: [2, says],
  audits: [0, /cannot be read/],
  stats: [0, /1 unreadable/],
  ingest: [2, says],
  assigned: [2, says],
  answer: [2, says],
  next: [2, says],
  stop: verified[0] === 2 ? [2, says] : [0, /No process works on/],
  plan: [2, says],
  run: [2, says],
  gc: [0, /Left alone/],
});

type Damage = {
  readonly what: string;
  readonly damage: (place: Workplace) => void;
  readonly expected: Readonly<Partial<Record<CallName, Expected>>>;
  readonly begins?: true;
  /** What of the audit's folder stands in the way, and is then taken away: the next run completes. */
  readonly mended?: string;
};

/** What may stand in the place of a file. */
const put = {
  noise: (path: string): void => {
    rmSync(path, { recursive: true, force: true });
    writeFileSync(path, '{"state":"compl\u001B[2J\0');
  },
  folder: (path: string): void => {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(join(path, 'inner'), { recursive: true });
  },
  pipe: (path: string): void => {
    rmSync(path, { recursive: true, force: true });
    execFileSync('mkfifo', [path]);
  },
} as const;

/** A command of each kind: one that shows, one that checks, one for all audits, one that works. */
const some = (all: Damage['expected']): Damage['expected'] => {
  const { status, verify, audits, stop, run } = all;
  return {
    ...(status && verify && audits && stop && run && { status, verify, audits, stop, run }),
  };
};

const lineStart = (log: Buffer, line: number): number => {
  let start = 0;
  for (let current = 1; current < line; current += 1) start = log.indexOf(0x0a, start) + 1;
  return start;
};
const rewrite = (change: (log: Buffer) => Uint8Array) => (place: Workplace) =>
  writeFileSync(logFile(place), change(logBytes(place)));

const DAMAGED = /the log is damaged\. .*\n {2}Nothing was changed\. See: casefile verify\./;

const LOGS: readonly Damage[] = [
  {
    what: 'a byte changed in the middle',
    damage: rewrite((log) => {
      const at = lineStart(log, 4) + 60;
      log[at] = (log[at] ?? 0) ^ 1;
      return log;
    }),
    expected: refusedWith(DAMAGED, [1, /damaged: events\/0{11}1\.jsonl, line 4/]),
  },
  {
    what: 'nothing in it',
    damage: rewrite(() => new Uint8Array()),
    expected: refusedWith(DAMAGED, [1, /damaged: /]),
  },
  {
    what: 'noise in its place',
    damage: rewrite((log) => log.map((byte, index) => (byte * 7 + index * 13) % 256)),
    expected: some(refusedWith(DAMAGED, [1, /damaged: |torn tail: /])),
  },
  {
    what: 'a folder in its place',
    damage: (place) => put.folder(logFile(place)),
    expected: some(refusedWith(/EISDIR/, [2, /EISDIR/])),
  },
  {
    what: 'a pipe in its place',
    damage: (place) => put.pipe(logFile(place)),
    expected: some(refusedWith(/not a regular file/, [2, /not a regular file/])),
  },
  {
    what: 'a file in place of its folder',
    damage: (place) => put.noise(join(auditFolder(place), 'events')),
    expected: some(refusedWith(/ENOTDIR/, [2, /ENOTDIR/])),
  },
  {
    what: 'a last line of a newer version',
    damage: rewrite((log) => {
      const last = log.lastIndexOf(0x0a, log.length - 2) + 1;
      const head = log
        .toString('latin1', last)
        .replace('{"v":1', '{"v":9')
        .replace(/,"crc".*\n$/, '');
      const crc = crc32(Buffer.from(head, 'latin1')).toString(16).padStart(8, '0');
      return Buffer.concat([
        log.subarray(0, last),
        Buffer.from(`${head},"crc":"${crc}"}\n`, 'latin1'),
      ]);
    }),
    expected: some(refusedWith(/written by a newer casefile/, [1, /newer: /])),
  },
];

/** Views of the log and scratch: nobody reads them. */
const VIEWS: readonly string[] = ['state.json', 'report', 'attempts', 'hand-offs'];
const SHOWN: Damage['expected'] = {
  status: [0, /Audit/],
  log: [0, /AuditOpened/],
  replay: [0, /verified/],
  verify: [0, /Everything is whole/],
  explain: [0, /planning/],
  audits: [0, /dispatching/],
  stats: [0, /1 unfinished/],
  stop: [0, /No process works on/],
};
const COMPLETE: Expected = [0, /Audit \S+ of project: complete/];

const inAudit =
  (name: string, how: keyof typeof put) =>
  (place: Workplace): void =>
    put[how](join(auditFolder(place), name));

const inHandOff =
  (name: string, how: keyof typeof put) =>
  (place: Workplace): void =>
    put[how](join(handOffIn(place), name));

/** The folder of the first packet that was handed off. */
const handOffIn = (place: Workplace): string => {
  const handOffs = join(auditFolder(place), 'hand-offs');
  const [packet = 'none'] = readdirSync(handOffs).filter((entry) => entry.startsWith('p-'));
  return join(handOffs, packet);
};

const expectDamages = async (of: Workplace, damages: readonly Damage[]): Promise<void> => {
  const broken: string[] = [];
  await twoAtATime(
    damages.map(({ what, damage, expected, begins, mended }) => async () => {
      const place = await of.copy();
      try {
        damage(place);
        for (const name of NAMES) {
          const [code, says] = expected[name] ?? [];
          if (code === undefined || says === undefined) continue;
          const row: BadInputRow = {
            what: `${what}: ${name}`,
            args: CALLS[name](place),
            code,
            says,
            ...(begins !== undefined && { begins }),
          };
          await expectRow(place, row).catch((error: unknown) =>
            broken.push(`${row.what}:\n${String(error)}`),
          );
        }
        if (mended !== undefined) {
          const inTheWay = join(auditFolder(place), mended);
          // What was written aside to take its place is not left there, once a run.
          expect(readdirSync(dirname(inTheWay)).filter((name) => name.endsWith('.new'))).toEqual(
            [],
          );
          rmSync(inTheWay, { recursive: true });
          expect((await place.run(...CALLS.run(place))).code, what).toBe(0);
          expect((await place.run('verify')).code, what).toBe(0);
        }
        expect(auditsOf(place)).toHaveLength(1);
      } finally {
        await place.close();
      }
    }),
  );
  if (broken.length > 0) throw new Error(broken.join('\n\n'));
};

test('whatever stands in place of a log, every command says so by its exit code and changes nothing', () =>
  expectDamages(stopped, LOGS));

test('what stands in place of views and scratch is seen by no reader (R33)', () =>
  expectDamages(
    stopped,
    (['noise', 'folder', 'pipe'] as const).map((how) => ({
      what: `${how} in place of all views`,
      damage: (place) => {
        for (const view of VIEWS) inAudit(view, how)(place);
      },
      expected: SHOWN,
    })),
  ));

test('a run writes views again; what it cannot put in their place it names, and goes on once that is gone', () =>
  expectDamages(stopped, [
    ...(['noise', 'folder', 'pipe'] as const).map((how): Damage => ({
      what: `${how} for state.json`,
      damage: inAudit('state.json', how),
      expected: { run: COMPLETE, verify: SHOWN['verify'] ?? COMPLETE },
    })),
    {
      what: 'noise for report.md',
      damage: inAudit('report/report.md', 'noise'),
      expected: { run: COMPLETE },
    },
    {
      what: 'a folder for report.md',
      damage: inAudit('report/report.md', 'folder'),
      expected: { run: [2, /EISDIR.*report\.md'\n {2}Mend the cause and run again/] },
      begins: true,
      mended: 'report/report.md',
    },
    {
      what: 'a pipe for the reports',
      damage: inAudit('report', 'pipe'),
      expected: { run: [2, /EEXIST.*report'\n {2}Mend the cause and run again/] },
      begins: true,
      mended: 'report',
    },
    {
      what: 'noise for scratch',
      damage: inAudit('attempts', 'noise'),
      expected: { run: [2, /ENOTDIR.*attempts.*\n {2}Mend the cause and run again/] },
      begins: true,
      mended: 'attempts',
    },
  ]));

test('a damaged hand-off is written again, and what is no answer is not taken for one', () =>
  expectDamages(offered, [
    {
      what: 'noise for a prompt and a packet',
      damage: (place) => {
        inHandOff('prompt.md', 'noise')(place);
        inHandOff('packet.json', 'noise')(place);
        put.noise(`${handOffIn(place)}.claim`);
      },
      expected: { next: [0, /Review 1 packet/] },
    },
    {
      what: 'a folder for a prompt',
      damage: inHandOff('prompt.md', 'folder'),
      expected: { next: [2, /EISDIR.*prompt\.md'\n {2}Mend the cause/] },
      begins: true,
    },
    {
      what: 'a pipe for an answer',
      damage: inHandOff('answer.json', 'pipe'),
      expected: { assigned: [2, /No answer lies in the place/], next: [0, /Review 1 packet/] },
    },
    {
      what: 'a folder for an answer',
      damage: inHandOff('answer.json', 'folder'),
      expected: { assigned: [2, /No answer lies in the place/], next: [0, /Review 1 packet/] },
    },
    {
      what: 'noise for an answer',
      damage: inHandOff('answer.json', 'noise'),
      expected: { assigned: [1, /unreadable-answer/], next: [0, /Review 1 packet/] },
    },
  ]));
