import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, afterAll, expect, onTestFinished, test } from 'vitest';
import { ONE_LENS } from '../helpers/audited-files.ts';
import {
  auditFolder,
  auditsOf,
  eventsOf,
  fingerprintOf,
  reportFile,
} from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';
import { git } from '../helpers/git-repository.ts';
import { until } from '../helpers/real-attempts.ts';

/** Two complete audits by workers, the newer one after a change, and a third that stopped early. */
let three: Workplace;
beforeAll(async () => {
  three = await createWorkplace({ 'notes.txt': 'A sentence.\n' });
  const flags = [...ONE_LENS, ...three.commandOf('answer-clean')];
  for (const text of ['One.\n', 'Two.\n']) {
    await writeFile(join(three.root, 'notes.txt'), text);
    expect((await three.run('run', ...flags)).code).toBe(0);
  }
  await writeFile(join(three.root, 'notes.txt'), 'Three.\n');
  const crash = [...ONE_LENS, ...three.commandOf('crash-always'), '--max-runs', '1'];
  expect((await three.run('run', ...crash)).code).toBe(3);
  expect(auditsOf(three)).toHaveLength(3);
});
afterAll(() => three.close());

const copy = async (): Promise<Workplace> => {
  const place = await three.copy();
  onTestFinished(place.close);
  return place;
};
const cacheOf = (place: Workplace): string => join(place.folder, 'cache', 'casefile');
/** Facts of contents lie beside the copies; they serve all audits, and gc leaves them alone. */
const copiesIn = (place: Workplace): readonly string[] =>
  readdirSync(cacheOf(place))
    .filter((name) => name !== 'facts')
    .toSorted();
const attemptsOf = (place: Workplace, audit: string | undefined): readonly string[] =>
  readdirSync(join(place.root, '.casefile', 'audits', audit ?? '', 'attempts'));

test('gc removes copies of complete audits and scratch of ended attempts, and keeps every answer and report', async () => {
  const place = await copy();
  const [first, second, third] = auditsOf(place);
  const reports = [reportFile(place, 'report.md')].map((file) => readFileSync(file, 'utf8'));
  const { code, stdout, stderr } = await place.run('gc');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^Removed 5 folders, [\d.]+ k?B:\n/);
  expect(stdout).toContain(`frozen copy of ${first}`);
  expect(stdout).toContain(`scratch of ended attempts of ${third}`);
  expect(copiesIn(place)).toEqual([third]);
  for (const audit of [first, second, third]) expect(attemptsOf(place, audit)).toEqual([]);
  expect(auditsOf(place)).toEqual([first, second, third]);
  expect(readFileSync(reportFile(place, 'report.md'), 'utf8')).toBe(reports[0]);
  for (const audit of auditsOf(place)) {
    expect((await place.run('verify', '--audit', audit)).code).toBe(0);
  }
  // What it is left with is as good as before: the unfinished audit goes on.
  const flags = [...ONE_LENS, ...place.commandOf('answer-clean')];
  const on = await place.run('run', ...flags);
  expect([on.code, on.stderr]).toEqual([0, expect.stringContaining('Going on with audit')]);
  expect((await place.run('gc', '--dry-run')).stdout).not.toContain(String(first));
});

test('gc --dry-run says the same and touches nothing', async () => {
  const place = await copy();
  const before = fingerprintOf(place.folder);
  const dry = JSON.parse((await place.run('gc', '--dry-run', '--keep', '1', '--json')).stdout) as {
    readonly bytes: number;
    readonly removed: readonly { readonly kind: string; readonly path: string }[];
  };
  expect(fingerprintOf(place.folder)).toBe(before);
  const wet = JSON.parse((await place.run('gc', '--keep', '1', '--json')).stdout) as typeof dry;
  const what = ({ removed }: typeof dry) => removed.map(({ kind, path }) => [kind, path]);
  expect(what(wet)).toEqual(what(dry));
  expect(dry.removed).toHaveLength(5);
});

test('gc --copies leaves the audits as they are but for the owner that it was', async () => {
  const place = await copy();
  const before = auditsOf(place).map((audit) => attemptsOf(place, audit));
  expect((await place.run('gc', '--copies')).code).toBe(0);
  expect(copiesIn(place)).toEqual([auditsOf(place)[2]]);
  expect(auditsOf(place).map((audit) => attemptsOf(place, audit))).toEqual(before);
});

test('gc --keep removes whole complete audits but the newest n, and never an unfinished one', async () => {
  const place = await copy();
  const [, second, third] = auditsOf(place);
  await place.run('gc', '--keep', '1');
  expect(auditsOf(place)).toEqual([second, third]);
  await place.run('cleanup', '--keep', '0');
  expect(auditsOf(place)).toEqual([third]);
  expect(readdirSync(join(place.root, '.casefile', 'audits'))).toEqual([third]);
});

test('gc removes copies of audits of this state directory that are gone, and nobody else’s', async () => {
  const place = await copy();
  const [first, second] = auditsOf(place);
  // The origin names the place; the copied workplace has another one than where it was made.
  for (const audit of auditsOf(place)) {
    const origin = { stateDirectory: join(place.root, '.casefile') };
    writeFileSync(join(cacheOf(place), audit, 'origin.json'), JSON.stringify(origin));
  }
  const others = ['20200101T000000000Z-aaaaaa', '20200101T000000000Z-bbbbbb', 'not-an-audit'];
  for (const name of others) await mkdir(join(cacheOf(place), name));
  writeFileSync(join(cacheOf(place), others[0] ?? '', 'origin.json'), '{"stateDirectory":"/else"}');
  rmSync(join(place.root, '.casefile', 'audits', first ?? ''), { recursive: true });
  const { stdout } = await place.run('gc', '--copies');
  expect(stdout).toContain(`frozen copy of ${first}`);
  expect(stdout).toContain(`frozen copy of ${second}`);
  expect(new Set(copiesIn(place))).toEqual(new Set([...others, auditsOf(place)[1]]));
});

test('a new audit’s copy says whose it is', () => {
  const [first] = auditsOf(three);
  const origin = readFileSync(join(cacheOf(three), first ?? '', 'origin.json'), 'utf8');
  expect(JSON.parse(origin)).toEqual({ stateDirectory: join(three.root, '.casefile') });
});

test('gc follows no link and removes nothing outside of the state directory and the cache (R34)', async () => {
  const place = await copy();
  const outside = join(place.folder, 'home', 'outside');
  await mkdir(join(outside, '1'), { recursive: true });
  await writeFile(join(outside, '1', 'file'), 'x');
  const [first, second] = auditsOf(place);
  const audits = join(place.root, '.casefile', 'audits');
  // Links in place of the scratch folder, of the copy, and of a whole audit.
  const scratch = join(audits, first ?? '', 'attempts');
  const token = readdirSync(scratch)[0] ?? '';
  renameSync(join(scratch, token), join(outside, 'scratch'));
  symlinkSync(join(outside, 'scratch'), join(scratch, token));
  renameSync(join(cacheOf(place), first ?? ''), join(outside, 'copy'));
  symlinkSync(join(outside, 'copy'), join(cacheOf(place), first ?? ''));
  renameSync(join(audits, second ?? ''), join(outside, 'audit'));
  symlinkSync(join(outside, 'audit'), join(audits, second ?? ''));
  const before = fingerprintOf(join(outside, 'audit'));
  const { code, stdout } = await place.run('gc', '--keep', '0');
  expect(code).toBe(0);
  expect(stdout).toContain('Left alone');
  expect(fingerprintOf(join(outside, 'audit'))).toBe(before);
  for (const kept of ['scratch/started', 'copy/tree.complete', '1/file', 'audit/events']) {
    expect(existsSync(join(outside, kept)), kept).toBe(true);
  }
});

test('gc leaves an audit alone that a living or paused process owns, and names it', async () => {
  const place = await createWorkplace({ 'notes.txt': 'A sentence.\n' });
  onTestFinished(place.close);
  const gate = join(place.folder, 'gate');
  const work = [...ONE_LENS, '--max-attempts', '5'];
  // One ended attempt, whose scratch could go.
  await place.run('run', ...work, '--max-runs', '1', ...place.commandOf('crash-always'));
  const owner = place.start('run', ...work, ...place.commandOf('slow-answer', gate));
  await until(() => eventsOf(place, 'AttemptStarted').length === 2);
  await until(() => place.calls().length === 2);
  owner.kill('SIGSTOP');
  const attempts = readdirSync(join(auditFolder(place), 'attempts'));
  const { code, stdout } = await place.run('gc', '--keep', '0');
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`Left alone: audit .*pid ${owner.pid} on`));
  expect(readdirSync(join(auditFolder(place), 'attempts'))).toEqual(attempts);
  owner.kill('SIGCONT');
  await writeFile(gate, '');
  expect((await owner.ended).code).toBe(0);
});

test('scratch of an attempt that is still open stays, so that the next run adopts its worker', async () => {
  const place = await createWorkplace({ 'notes.txt': 'A sentence.\n' });
  onTestFinished(place.close);
  const gate = join(place.folder, 'gate');
  const work = [...ONE_LENS, ...place.commandOf('slow-answer', gate)];
  const killed = place.start('run', ...work);
  await until(() => place.calls().length === 1);
  killed.kill('SIGKILL');
  await killed.ended;
  const { code, stdout, stderr } = await place.run('gc', '--keep', '0');
  expect([code, stdout, stderr]).toEqual([0, 'There is nothing to remove.\n', '']);
  await writeFile(gate, '');
  expect((await place.run('run', ...work)).code).toBe(0);
  expect(place.calls()).toHaveLength(1);
});

test('gc refuses a state directory that came with the repository, and keeps what it cannot read', async () => {
  const place = await copy();
  const [first] = auditsOf(place);
  writeFileSync(
    join(place.root, '.casefile', 'audits', first ?? '', 'events', '000000000001.jsonl'),
    '{"v":9,"seq":1}\n',
  );
  const { code, stdout } = await place.run('gc', '--keep', '0');
  expect([code, auditsOf(place)[0]]).toEqual([0, first]);
  expect(stdout).toMatch(new RegExp(`Left alone: audit ${first}\\. It`));
  git(place.root, 'add', '--force', '.casefile');
  const before = fingerprintOf(place.folder);
  const refused = await place.run('gc');
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('git tracks them')]);
  expect(fingerprintOf(place.folder)).toBe(before);
});

test('what a killed cleaning had only renamed is removed by the next one', async () => {
  const place = await copy();
  const audits = join(place.root, '.casefile', 'audits');
  const [first, , third] = auditsOf(place);
  renameSync(join(audits, first ?? ''), join(audits, `.removed-${first}-0000`));
  const scratch = join(audits, third ?? '', 'attempts');
  await mkdir(join(scratch, '.removed-9-0000'));
  await place.run('gc');
  expect(readdirSync(audits).filter((name) => name.startsWith('.'))).toEqual([]);
  expect(readdirSync(scratch)).toEqual([]);
});
