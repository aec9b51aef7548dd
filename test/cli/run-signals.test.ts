import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ONE_LENS, packetFiles } from '../helpers/audited-files.ts';
import { eventsOf, reportFile } from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Started, type Workplace } from '../helpers/built-program.ts';
import { until } from '../helpers/real-attempts.ts';

let planned: Workplace;
beforeAll(async () => {
  planned = await createWorkplace(packetFiles(3));
  await planned.run('plan', ...ONE_LENS, ...planned.commandOf('answer-clean'));
});
afterAll(() => planned.close());

type Busy = { readonly place: Workplace; readonly run: Started; readonly gate: string };

/** A run with two workers of which neither ends before the gate file is there. */
const busyRun = async (worker: string, ...flags: readonly string[]): Promise<Busy> => {
  const place = await planned.copy();
  onTestFinished(place.close);
  const gate = join(place.folder, 'gate');
  const run = place.start('run', ...ONE_LENS, ...flags, ...place.commandOf(worker, gate));
  await until(() => place.calls().length === 2);
  return { place, run, gate };
};

const ends = (place: Workplace): readonly unknown[] =>
  eventsOf(place, 'AttemptEnded').map(({ end }) => end);
const CANCELLED = { kind: 'cancelled', by: 'operator' };

const expectCompletion = async (place: Workplace): Promise<void> => {
  expect((await place.run('verify')).code).toBe(0);
  const { code } = await place.run('run', ...ONE_LENS, ...place.commandOf('answer-clean'));
  expect(code).toBe(0);
  expect(eventsOf(place, 'ResultAccepted')).toHaveLength(3);
};

test('after one SIGINT nothing new starts, and answers that come in time are taken: exit 130', async () => {
  const { place, run, gate } = await busyRun('slow-answer', '--grace', '60s');
  run.kill('SIGINT');
  await until(() => eventsOf(place, 'StopRequested').length === 1);
  await writeFile(gate, '');
  const { code, stderr } = await run.ended;
  expect(code).toBe(130);
  expect([place.calls().length, eventsOf(place, 'ResultAccepted').length]).toEqual([2, 2]);
  expect(stderr).toMatch(/Interrupted\./);
  expect(stderr).toMatch(/go on +casefile run/);
  await expectCompletion(place);
});

test('after the grace the workers are ended, uncounted, and a partial report is left', async () => {
  const { place, run } = await busyRun('slow-answer', '--grace', '200ms');
  run.kill('SIGINT');
  expect((await run.ended).code).toBe(130);
  expect(ends(place)).toEqual([CANCELLED, CANCELLED]);
  expect(place.living()).toEqual([]);
  expect(readFileSync(reportFile(place, 'report.md'), 'utf8')).toMatch(/not reviewed/);
  await expectCompletion(place);
});

test('a second SIGINT ends the workers at once, though they ignore being asked', async () => {
  const { place, run } = await busyRun('ignore-sigterm-with-grandchild', '--grace', '10m');
  await until(() => place.living().length === 5);
  run.kill('SIGINT');
  await until(() => eventsOf(place, 'StopRequested').length === 1);
  run.kill('SIGINT');
  expect((await run.ended).code).toBe(130);
  expect(ends(place)).toEqual([CANCELLED, CANCELLED]);
  expect(place.living()).toEqual([]);
  await expectCompletion(place);
});

test('SIGTERM stops a run as SIGINT does: exit 143', async () => {
  const { place, run } = await busyRun('slow-answer', '--grace', '0s', '--json');
  run.kill('SIGTERM');
  const { code, stdout } = await run.ended;
  expect(code).toBe(143);
  expect(JSON.parse(stdout)).toMatchObject({
    state: 'dispatching',
    exit: { code: 143, reason: 'terminated', reasons: [{}, { reason: 'stopped' }] },
  });
  expect(place.living()).toEqual([]);
  await expectCompletion(place);
});

test('a closed terminal stops a run too, and nothing keeps running (B07)', async () => {
  const { place, run } = await busyRun('ignore-sigterm-with-grandchild', '--grace', '100ms');
  await until(() => place.living().length === 5);
  run.kill('SIGHUP');
  const { code, stderr } = await run.ended;
  expect(code).toBe(143);
  expect(stderr).toMatch(/go on +casefile run/);
  expect(ends(place)).toEqual([CANCELLED, CANCELLED]);
  expect(place.living()).toEqual([]);
  expect(readFileSync(reportFile(place, 'report.md'), 'utf8')).toMatch(/not reviewed/);
  await expectCompletion(place);
});

test('a signal while the plan is still derived ends the run too, and it goes on', async () => {
  const place = await createWorkplace(packetFiles(2));
  onTestFinished(place.close);
  const run = place.start('run', ...ONE_LENS, ...place.commandOf('answer-clean'));
  await until(() => run.stderr().includes('deriving'));
  run.kill('SIGINT');
  expect((await run.ended).code).toBe(130);
  expect((await place.run('verify')).code).toBe(0);
  expect((await place.run('run', ...ONE_LENS, ...place.commandOf('answer-clean'))).code).toBe(0);
});

test('a signal wakes a run that sleeps through a cooldown', async () => {
  const place = await planned.copy();
  onTestFinished(place.close);
  const resetAt = new Date(Date.now() + 3_600_000).toISOString();
  const run = place.start(
    'run',
    ...ONE_LENS,
    '--wait',
    ...place.commandOf('limit-with-reset', resetAt),
  );
  await until(() => run.stderr().includes('waiting until'));
  run.kill('SIGINT');
  const { code, stderr } = await run.ended;
  expect(code).toBe(130);
  expect(stderr).toContain(`more can start at ${resetAt}`);
  expect((await place.run('verify')).code).toBe(0);
});
