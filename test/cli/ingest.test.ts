import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { IngestOutput } from '../../src/domain/ingest-output.ts';
import type { NextStep } from '../../src/domain/next-step.ts';
import type { PacketBrief } from '../../src/domain/packet-brief.ts';
import { packetFiles } from '../helpers/audited-files.ts';
import {
  commitsOf,
  eventsOf,
  findingsOf,
  logBytes,
  logFile,
  reportFile,
} from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';
import { driveHost, findNothing, firstStep } from '../helpers/scripted-host.ts';

/** Two packets of two tasks each, offered to a host with two agents. */
const LENSES = ['--lenses', 'security,maintainability'] as const;
const BOTH = ['--host-can-dispatch-subagents', 'true', '--host-max-active-subagents', '2'] as const;
let offered: Workplace;
beforeAll(async () => {
  offered = await createWorkplace(packetFiles(2));
  await firstStep(offered, ...LENSES, ...BOTH);
});
afterAll(() => offered.close());

type Packet = NextStep['packets'][number] & { readonly brief: PacketBrief };
type Offer = {
  readonly place: Workplace;
  readonly first: Packet;
  readonly second: Packet;
  readonly ingest: (...args: readonly string[]) => Promise<Ingested>;
};
type Ingested = {
  readonly code: number | undefined;
  readonly stderr: string;
  readonly files: IngestOutput['files'];
  readonly tasks: IngestOutput['tasks'];
  readonly state: string;
};

const offer = async (): Promise<Offer> => {
  const place = await offered.copy();
  onTestFinished(place.close);
  const [first, second] = (await firstStep(place, ...BOTH)).packets.map((packet) => ({
    ...packet,
    brief: JSON.parse(readFileSync(packet.packetPath, 'utf8')) as PacketBrief,
  }));
  if (first === undefined || second === undefined) throw new Error('Two packets are offered.');
  return { place, first, second, ingest: (...args) => ingestIn(place, ...args) };
};

const ingestIn = async (place: Workplace, ...args: readonly string[]): Promise<Ingested> => {
  const { code, stdout, stderr } = await place.run('ingest', ...args, '--json');
  const { files, tasks, state } = JSON.parse(stdout === '' ? '{}' : stdout) as IngestOutput;
  return { code, stderr, files, tasks, state };
};

const text = (value: unknown): string => JSON.stringify(value);
const clean = ({ brief }: Packet): string => text(findNothing(brief));

/** Says of the first task what is given, and that the others are clean. */
const saying = ({ brief }: Packet, result: Readonly<Record<string, unknown>>): string =>
  text({
    packet: brief.packet,
    results: brief.tasks.map(({ id }, index) => ({
      task: id,
      ...(index === 0 ? result : { verdict: 'clean' }),
    })),
  });

const finding = ({ brief }: Packet, fields: Readonly<Record<string, unknown>> = {}) => ({
  title: 'A plain word',
  category: 'example',
  severity: 'medium',
  confidence: 'high',
  path: brief.tasks[0]?.files[0]?.path ?? '',
  line: 3,
  quote: 'a plain word and one more',
  explanation: 'It is plain.',
  ...fields,
});

const codesOf = ({ files }: Ingested): readonly string[] =>
  files.flatMap(({ refused }) => refused.map(({ code }) => code));

test('the same bytes again change nothing and are told as a repeat; other bytes for a settled task are a conflict, and the first stand (T05)', async () => {
  const { place, first, second, ingest } = await offer();
  await writeFile(first.answerPath, clean(first));
  const taken = await ingest(first.answerPath);
  expect(taken).toMatchObject({ code: 0, tasks: { open: 2 }, files: [{ outcome: 'taken' }] });

  const log = logBytes(place);
  const elsewhere = join(place.folder, 'copy.json');
  await writeFile(elsewhere, clean(first));
  for (const again of [await ingest(first.answerPath), await ingest(elsewhere), await ingest()]) {
    expect(again).toMatchObject({ code: 0, files: [{ outcome: 'repeat', refused: [] }] });
    expect(again.files[0]?.accepted).toEqual(taken.files[0]?.accepted);
  }
  expect(logBytes(place).equals(log)).toBe(true);

  const other = join(place.folder, 'other.json');
  await writeFile(other, saying(first, { verdict: 'findings', findings: [finding(first)] }));
  const conflict = await ingest(other);
  expect(conflict).toMatchObject({ code: 1, tasks: { open: 2 }, files: [{ outcome: 'refused' }] });
  expect(codesOf(conflict)).toEqual(['conflicting-answer', 'already-settled']);
  expect(await ingest(other)).toMatchObject({ code: 1, files: [{ outcome: 'repeat' }] });

  await writeFile(second.answerPath, clean(second));
  expect(await ingest()).toMatchObject({ code: 0, state: 'complete', tasks: { open: 0 } });
  expect(findingsOf(place)).toEqual([]);

  const report = readFileSync(reportFile(place, 'findings.json'));
  const late = join(place.folder, 'late.json');
  await writeFile(late, saying(second, { verdict: 'findings', findings: [finding(second)] }));
  const tooLate = await ingest(late);
  expect(tooLate).toMatchObject({ code: 1, state: 'complete', files: [{ outcome: 'late' }] });
  expect(codesOf(tooLate)).toEqual(['conflicting-answer', 'already-settled']);
  expect(readFileSync(reportFile(place, 'findings.json')).equals(report)).toBe(true);
  const after = logBytes(place);
  expect((await ingest(late)).files[0]?.outcome).toBe('repeat');
  expect(logBytes(place).equals(after)).toBe(true);
});

test('of two files that claim one packet only the one in its assigned place is read; the other is told and left (T07)', async () => {
  const { place, first, ingest } = await offer();
  const folder = dirname(dirname(first.answerPath));
  const rival = join(folder, 'aaa.json');
  await writeFile(rival, saying(first, { verdict: 'findings', findings: [finding(first)] }));
  await writeFile(first.answerPath, clean(first));
  const { code, files } = await ingest(folder);
  expect(code).toBe(1);
  expect(files).toMatchObject([
    { file: first.answerPath, outcome: 'taken' },
    { file: rival, outcome: 'unexpected', accepted: [], message: expect.any(String) as string },
  ]);
  expect(existsSync(rival)).toBe(true);
  expect(eventsOf(place, 'ExternalInputReceived')).toHaveLength(1);
});

test('an answer that breaks a rule is refused with its name, mended and taken; the log has both (T09)', async () => {
  const { place, first, ingest } = await offer();
  const bad = { verdict: 'findings', findings: [finding(first, { line: 5000 })] };
  await writeFile(first.answerPath, saying(first, bad));
  const refused = await ingest();
  expect([refused.code, refused.tasks.open]).toEqual([1, 3]);
  expect(codesOf(refused)).toEqual(['invalid-location']);
  // The rest of the packet is asked for by itself; an answer to the whole still counts for it.
  const step = await firstStep(place);
  expect(step).toMatchObject({ kind: 'review', packets: [{ tasks: 1 }] });
  expect(step.packets[0]?.packet).not.toBe(first.packet);

  await writeFile(
    first.answerPath,
    saying(first, { verdict: 'findings', findings: [finding(first)] }),
  );
  const mended = await ingest();
  expect(mended).toMatchObject({ code: 0, tasks: { open: 2 } });
  expect(codesOf(mended)).toEqual(['already-settled']);
  expect(eventsOf(place, 'ResultRejected')[0]).toMatchObject({ code: 'invalid-location' });
  expect(eventsOf(place, 'ResultAccepted')).toHaveLength(2);
});

test('no findings without a verdict is no verdict; with the statement it is clean; the statement with findings is refused (T10)', async () => {
  const { first, second, ingest } = await offer();
  await writeFile(first.answerPath, saying(first, { findings: [] }));
  expect(codesOf(await ingest(first.answerPath))).toEqual(['no-verdict']);
  await writeFile(first.answerPath, clean(first));
  expect(await ingest(first.answerPath)).toMatchObject({ code: 0, tasks: { open: 2 } });
  const both = { verdict: 'clean', findings: [finding(second)] };
  await writeFile(second.answerPath, saying(second, both));
  const refused = await ingest(second.answerPath);
  expect(codesOf(refused)).toEqual(['wrong-shape']);
  expect([refused.code, refused.tasks.open]).toEqual([1, 1]);
});

test('an answer about files that changed since answers a previous version, and the packet of now stays open (T12)', async () => {
  const { place, first, second, ingest } = await offer();
  const path = first.brief.tasks[0]?.files[0]?.path ?? '';
  await writeFile(join(place.root, path), 'Something else altogether.\n');
  await writeFile(first.answerPath, clean(first));
  const drifted = await ingest(first.answerPath);
  expect(codesOf(drifted)).toEqual(['answers-previous-version', 'answers-previous-version']);
  expect([drifted.code, drifted.tasks.open]).toEqual([1, 2]);

  await writeFile(second.answerPath, clean(second));
  expect(await ingest(second.answerPath)).toMatchObject({ code: 0, state: 'complete' });
  // The next audit asks about the file as it is now; nothing of the old answer settles that.
  const now = await firstStep(place, ...LENSES);
  expect(now.packets.map(({ packet }) => packet)).not.toContain(first.packet);
  const { open } = now.progress.tasks;
  const old = await ingest(first.answerPath);
  expect(codesOf(old)).toEqual(['answers-previous-version']);
  expect([old.code, old.tasks.open]).toEqual([1, open]);
  expect((await firstStep(place)).packets).toEqual(now.packets);
});

test('what was offered earlier is taken whatever was begun or asked since (R36)', async () => {
  const { place, first, second, ingest } = await offer();
  await firstStep(place, '--host-name', 'another');
  expect((await place.run('run')).code).toBe(3);
  expect((await place.run('plan', '--provider', 'handoff', ...LENSES)).code).toBe(0);
  await firstStep(place);
  for (const packet of [first, second]) {
    await writeFile(packet.answerPath, clean(packet));
    expect(await ingest(packet.answerPath)).toMatchObject({ code: 0 });
  }
  expect(eventsOf(place, 'AuditCompleted')).toHaveLength(1);
});

test('the bad files of a batch stop none of the others, and the batch again changes nothing (R37)', async () => {
  const { place, first, second, ingest } = await offer();
  const batch = join(place.folder, 'batch');
  await mkdir(batch);
  const put = (name: string, content: string | Uint8Array) => writeFile(join(batch, name), content);
  await put('a-good.json', clean(first));
  await put('b-no-json.json', '{"packet":');
  await put('c-empty.json', '');
  await put('d-not-utf8.json', Buffer.from([0x22, 0xff, 0xfe, 0x22]));
  await put('e-deep.json', '['.repeat(200_000) + ']'.repeat(200_000));
  await put('f-deep.json', `{"packet":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`);
  await put('g-of-nobody.json', text({ packet: 'p-0000000000000000', results: [] }));
  await put('h-null.json', 'null');
  await put('i-huge.json', '');
  await truncate(join(batch, 'i-huge.json'), 60_000_000);
  execFileSync('mkfifo', [join(batch, 'j-fifo.json')]);
  await put('z-good.json', clean(second));
  const { code, files, state } = await ingest(batch);
  expect([code, state]).toEqual([1, 'complete']);
  const outcomes = files.map(({ file, outcome, refused }) => [
    file.slice(batch.length + 1),
    outcome,
    ...refused.map((one) => one.code),
  ]);
  expect(outcomes).toEqual([
    ['a-good.json', 'taken'],
    ['b-no-json.json', 'refused', 'unreadable-answer'],
    ['c-empty.json', 'refused', 'unreadable-answer'],
    ['d-not-utf8.json', 'refused', 'unreadable-answer'],
    ['e-deep.json', 'refused', 'wrong-shape'],
    ['f-deep.json', 'refused', 'wrong-shape'],
    ['g-of-nobody.json', 'refused', 'unknown-packet'],
    ['h-null.json', 'refused', 'wrong-shape'],
    ['z-good.json', 'taken'],
    ['i-huge.json', 'unreadable'],
    ['j-fifo.json', 'unreadable'],
  ]);
  const log = logBytes(place);
  const again = await ingest(batch);
  expect(again.code).toBe(1);
  expect(new Set(again.files.map(({ outcome }) => outcome))).toEqual(
    new Set(['repeat', 'unreadable']),
  );
  expect(logBytes(place).equals(log)).toBe(true);
});

test('what cannot be read at all is told with exit 2, and nothing is claimed', async () => {
  const { place, first, ingest } = await offer();
  const log = logBytes(place);
  const folder = join(place.folder, 'empty');
  await mkdir(folder);
  await writeFile(join(folder, 'notes.txt'), 'no answer\n');
  const fifo = join(place.folder, 'fifo');
  execFileSync('mkfifo', [fifo]);
  const huge = join(place.folder, 'huge.json');
  await writeFile(huge, '');
  await truncate(huge, 60_000_000);
  const shut = join(place.folder, 'shut.json');
  await writeFile(shut, clean(first));
  await chmod(shut, 0o000);
  const bad: [string[], RegExp][] = [
    [[folder], /holds no answers/],
    [[fifo], /fifo cannot be read: .*not a regular file/],
    [[huge], /60000000 bytes; at most 50000000/],
    [[join(place.folder, 'nowhere.json')], /nowhere\.json cannot be read: ENOENT/],
    [[], /No answer lies in the place of a packet/],
    ...(process.getuid?.() === 0 ? [] : [[[shut], /shut\.json cannot be read: EACCES/] as never]),
  ];
  for (const [args, says] of bad) {
    const { code, stderr } = await ingest(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(says);
  }
  expect(logBytes(place).equals(log)).toBe(true);
});

test('a file that is written while it is read is taken as it was read, once it is whole', async () => {
  const { place, first, ingest } = await offer();
  const whole = clean(first);
  let isOver = false;
  const writing = (async () => {
    for (let length = 1; !isOver; length = (length % whole.length) + 1) {
      await writeFile(first.answerPath, whole.slice(0, length));
    }
  })();
  await writeFile(first.answerPath, whole);
  for (let time = 0; time < 3; time += 1) {
    const { code } = await ingest(first.answerPath);
    expect([0, 1]).toContain(code);
  }
  isOver = true;
  await writing;
  await writeFile(first.answerPath, whole);
  expect(await ingest(first.answerPath)).toMatchObject({ code: 0, tasks: { open: 2 } });
  expect((await place.run('verify')).code).toBe(0);
  expect(eventsOf(place, 'ResultAccepted')).toHaveLength(2);
});

test('an array of results in the form of the predecessor may be about tasks of several packets', async () => {
  const { place, first, second, ingest } = await offer();
  const resultOf = ({ id, unit, lens, files }: PacketBrief['tasks'][number]) => ({
    task_id: id,
    unit_id: unit,
    pass_id: `pass:${lens}`,
    lens,
    agent_role: 'auditor',
    file_coverage: files.map(({ path, lines }) => ({ path, total_lines: lines })),
    findings: [],
  });
  const tasks = [...first.brief.tasks, ...second.brief.tasks];
  const file = join(place.folder, 'results.json');
  const stray = { ...resultOf(tasks[0] as never), task_id: 't-of-nobody' };
  await writeFile(file, text([...tasks.map(resultOf), stray, 'no result']));
  const output = await ingest(file);
  expect(codesOf(output)).toEqual(['unknown-task', 'wrong-shape']);
  expect(output).toMatchObject({
    code: 1,
    state: 'complete',
    files: [{ outcome: 'taken', packets: [first.packet, second.packet] }],
  });
  expect(output.files[0]?.accepted.toSorted()).toEqual(tasks.map(({ id }) => id).toSorted());
});

test('cut off after any commit of an ingest, the same ingest again comes to the same end', async () => {
  const { place, first, ingest } = await offer();
  const before = commitsOf(place).length;
  await writeFile(first.answerPath, clean(first));
  const whole = await ingest(first.answerPath);
  const lines = logBytes(place).toString('utf8').split('\n').slice(0, -1);
  expect(lines.length).toBeGreaterThan(before + 3);
  for (let kept = before + 1; kept < lines.length; kept += 1) {
    // As after a SIGKILL: the owner's file stays, and its process is gone.
    await writeFile(
      logFile(place),
      lines
        .slice(0, kept)
        .map((line) => `${line}\n`)
        .join(''),
    );
    const again = await ingest(first.answerPath);
    expect([kept, again.code, again.tasks]).toEqual([kept, 0, whole.tasks]);
    expect(again.files[0]?.accepted).toEqual(whole.files[0]?.accepted);
    expect(eventsOf(place, 'ResultAccepted')).toHaveLength(2);
  }
});

test('a file that was in the wrong place is taken in the right one', async () => {
  const { first, second, ingest } = await offer();
  await writeFile(second.answerPath, clean(first));
  const misplaced = await ingest();
  expect(codesOf(misplaced)).toEqual(['wrong-packet']);
  await writeFile(first.answerPath, clean(first));
  expect(await ingest(first.answerPath)).toMatchObject({ code: 0, files: [{ outcome: 'taken' }] });
});

test('a hand-off can be gone on with where the log was copied to', async () => {
  const { place } = await offer();
  const elsewhere = await place.copy();
  onTestFinished(elsewhere.close);
  const { last } = await driveHost(elsewhere.run, LENSES, findNothing);
  expect(last).toMatchObject({ state: 'complete' });
  expect(last.report?.json.startsWith(elsewhere.folder)).toBe(true);
});
