import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { PacketBrief } from '../../src/domain/packet-brief.ts';
import { ONE_LENS, packetFiles } from '../helpers/audited-files.ts';
import { auditsOf, eventsOf, findingsOf, logBytes, reportFile } from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';
import { findInEverything, firstStep } from '../helpers/scripted-host.ts';

/** Three packets, nothing audited yet, and an answer to each that somebody has written beforehand. */
let fresh: Workplace;
let answers: readonly string[];
beforeAll(async () => {
  fresh = await createWorkplace(packetFiles(3));
  const asked = await fresh.copy();
  const three = ['--host-can-dispatch-subagents', 'true', '--host-max-active-subagents', '3'];
  const { packets, tree = '' } = await firstStep(asked, ...ONE_LENS, ...three);
  answers = packets.map(({ packetPath }) => {
    const brief = JSON.parse(readFileSync(packetPath, 'utf8')) as PacketBrief;
    return JSON.stringify(findInEverything(brief, tree));
  });
  await asked.close();
  expect(answers).toHaveLength(3);
});
afterAll(() => fresh.close());

const start = async (): Promise<Workplace> => {
  const place = await fresh.copy();
  onTestFinished(place.close);
  return place;
};

const batchIn = async (place: Workplace, count: number): Promise<string> => {
  const batch = join(place.folder, 'batch');
  await mkdir(batch);
  for (const [index, answer] of answers.slice(0, count).entries()) {
    await writeFile(join(batch, `${index}.json`), answer);
  }
  return batch;
};

const RESULTS = { tool: 'sample', results: [] };
const UPDATES = { results: [] };

test('answers given to a run with an agent are held until the plan, used once, and no call is paid for them', async () => {
  const place = await start();
  const file = join(place.folder, 'results.json');
  await writeFile(file, answers[0] ?? '');
  const run = ['run', ...ONE_LENS, ...place.commandOf('answer-clean'), '--parallel', '3'];
  const { code, stderr } = await place.run(...run, '--results', file);
  expect([code, place.calls().length]).toEqual([0, 2]);
  expect(stderr).toContain(`${file}: taken (1 task)`);
  expect(findingsOf(place)).toHaveLength(1);
  const [received, consumed] = ['ExternalInputReceived', 'ExternalInputConsumed'].map((type) =>
    eventsOf(place, type),
  );
  expect([received?.length, consumed?.length]).toEqual([1, 1]);

  const log = logBytes(place);
  const again = await place.run(...run, '--results', file);
  expect([again.code, place.calls().length]).toEqual([0, 2]);
  expect(again.stderr).toContain('known already');
  expect(logBytes(place).equals(log)).toBe(true);
});

test('a batch that answers everything leaves nothing to pay for, and its bad file is told', async () => {
  const place = await start();
  const batch = await batchIn(place, 3);
  await writeFile(join(batch, 'bad.json'), 'no answer');
  const run = ['run', ...ONE_LENS, ...place.commandOf('answer-clean'), '--parallel', '3'];
  const { code, stderr } = await place.run(...run, '--batch-results', batch);
  expect([code, place.calls()]).toEqual([0, []]);
  expect(stderr).toMatch(/bad\.json: refused\n.*unreadable-answer — It is not JSON/);
  expect(findingsOf(place)).toHaveLength(3);
  expect(eventsOf(place, 'AttemptStarted')).toEqual([]);
});

test('results of analyzers are used at once, runtime updates when their turn comes, and each is taken once', async () => {
  const place = await start();
  const [results, updates] = ['analyzer.json', 'updates.json'].map((name) =>
    join(place.folder, name),
  );
  await writeFile(results ?? '', JSON.stringify(RESULTS));
  await writeFile(updates ?? '', JSON.stringify(UPDATES));
  const tools = ['--external-analyzer-results', results ?? '', '--updates', updates ?? ''];
  const run = ['run', ...ONE_LENS, ...place.commandOf('answer-clean')];
  const { code, stderr } = await place.run(...run, '--max-runs', '1', ...tools);
  expect(code).toBe(3);
  expect(stderr).toContain('analyzer.json: taken — sample imported from analyzer.json: 0 leads');
  expect(stderr).toContain('updates.json: kept until it can be used');
  const kinds = (): readonly unknown[] =>
    eventsOf(place, 'ExternalInputReceived').map(({ kind }) => kind);
  expect(kinds()).toEqual(['analyzer-results', 'runtime-updates']);

  const log = logBytes(place);
  const imported = await place.run('import', results ?? '', updates ?? '', '--json');
  expect([imported.code, JSON.parse(imported.stdout)]).toMatchObject([
    0,
    { files: [{ outcome: 'repeat' }, { outcome: 'repeat' }] },
  ]);
  expect(logBytes(place).equals(log)).toBe(true);

  const last = await place.run(...run, '--json');
  expect([last.code, JSON.parse(last.stdout)]).toMatchObject([0, { how: 'full' }]);
  const other = join(place.folder, 'other.json');
  await writeFile(other, JSON.stringify({ ...RESULTS, tool: 'other' }));
  const done = logBytes(place);
  const late = await place.run('import', other);
  expect([late.code, late.stdout]).toEqual([1, expect.stringContaining('The audit is complete')]);
  // A bad file is named once, with what is wrong.
  await writeFile(other, '{"tool":7}');
  const bad = await place.run('import', other);
  expect(bad.stdout).toContain(`${other}: refused — It is no report that casefile can read. Known`);
  await writeFile(other, '{nope');
  expect((await place.run('import', other)).stdout).toContain(
    `${other}: refused — It is not JSON: `,
  );
  // Whoever looks is told what was handed in, and where the report is.
  const [reported, stood] = [/^ {2}report {4}(\S+)$/m, /^ {2}report {7}(\S+)$/m];
  const status = (await place.run('status')).stdout;
  expect(status).toMatch(/^ {2}handed in {4}2 used, 0 kept until they can be used$/m);
  for (const path of [reported.exec(bad.stdout)?.[1], stood.exec(status)?.[1]]) {
    expect(join(place.root, path ?? '')).toBe(reportFile(place, 'report.md'));
  }
  expect(logBytes(place).equals(done)).toBe(true);
});

test('what no run can take is told with exit 2 before an audit begins', async () => {
  const place = await start();
  const batch = await batchIn(place, 1);
  const file = join(batch, '0.json');
  const bad: readonly (readonly [readonly string[], RegExp])[] = [
    [['--results', file, '--batch-results', batch], /exclude each other/],
    [['--results', batch], /is a folder/],
    [['--batch-results', file], /is no folder/],
    [['--results', join(batch, 'none.json')], /none\.json cannot be read: ENOENT/],
    [['--batch-results', join(place.folder, 'home')], /holds no answers/],
    [['--updates', file], /0\.json: .*task_id/],
    [['--external-analyzer-results', file], /0\.json: .*tool/],
  ];
  for (const [flags, says] of bad) {
    const { code, stderr } = await place.run('run', ...ONE_LENS, ...flags);
    expect([code, stderr]).toEqual([2, expect.stringMatching(says)]);
  }
  expect(auditsOf(place)).toEqual([]);
});

test('answers that come with a finished audit are recorded as late, once', async () => {
  const place = await start();
  const run = ['run', ...ONE_LENS, '--provider', 'scripted', '--transcript'];
  const transcript = join(place.folder, 'transcript.json');
  const steps = { contract: 'casefile/transcript/v1', steps: [], otherwise: 'clean' };
  await writeFile(transcript, JSON.stringify(steps));
  expect((await place.run(...run, transcript)).code).toBe(0);
  const file = join(place.folder, 'late.json');
  await writeFile(file, answers[0] ?? '');
  const late = await place.run(...run, transcript, '--results', file);
  expect([late.code, late.stderr]).toEqual([0, expect.stringContaining('recorded as late')]);
  expect(findingsOf(place)).toEqual([]);
  // A host that asks for work is told that other agents have done it.
  const { kind } = await firstStep(place, ...ONE_LENS);
  expect([kind, auditsOf(place).length]).toEqual(['complete', 1]);
});

test('--limit begins so many packets and sees them to their end; the next call may begin as many again', async () => {
  const place = await start();
  const run = ['run', ...ONE_LENS, ...place.commandOf('answer-clean'), '--limit', '2', '--json'];
  const first = await place.run(...run);
  expect([first.code, JSON.parse(first.stdout)]).toMatchObject([
    3,
    {
      coverage: { reviewed: 2 },
      exit: {
        reasons: [
          { message: expect.stringContaining('packets that this call may begin') as string },
        ],
      },
    },
  ]);
  expect(eventsOf(place, 'StopRequested')).toMatchObject([{ reason: 'limit' }]);
  expect((await place.run(...run)).code).toBe(0);
  expect(place.calls()).toHaveLength(3);
});
