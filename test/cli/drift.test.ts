import {
  appendFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { beforeAll, afterAll, expect, onTestFinished, test } from 'vitest';
import { ONE_LENS, packetFiles } from '../helpers/audited-files.ts';
import { auditFolder, auditsOf, eventsOf, reportFile } from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';
import { until } from '../helpers/real-attempts.ts';
import { PROJECT } from '../helpers/built-paths.ts';
import { firstStep, reviewPacket } from '../helpers/scripted-host.ts';

/** Three packets of one task each; one is reviewed, two are open. */
let begun: Workplace;
beforeAll(async () => {
  begun = await createWorkplace(packetFiles(3));
  const { code } = await runIn(begun, '--max-runs', '1');
  expect([code, begun.calls().length]).toEqual([3, 1]);
});
afterAll(() => begun.close());

const goneOnWith = async (): Promise<Workplace> => {
  const copy = await begun.copy();
  onTestFinished(copy.close);
  return copy;
};

const runIn = (place: Workplace, ...more: readonly string[]) =>
  place.run('run', ...ONE_LENS, ...place.commandOf('answer-clean'), ...more);

/** Paths of the tasks whose results were accepted, in this audit. */
const acceptedPaths = (place: Workplace): readonly string[] => {
  const planned = eventsOf(place, 'TasksPlanned').flatMap(
    ({ tasks }) => tasks as readonly { readonly id: string; readonly paths: readonly string[] }[],
  );
  return eventsOf(place, 'ResultAccepted').map(
    ({ task }) => planned.find(({ id }) => id === task)?.paths[0] ?? '',
  );
};

test('a file that grows while workers run spoils no honest answer, and on resume its task alone is stale (R40, W03)', async () => {
  const place = await createWorkplace(packetFiles(3));
  onTestFinished(place.close);
  const gate = join(place.folder, 'gate');
  const run = place.start(
    ...['run', ...ONE_LENS, '--parallel', '3', ...place.commandOf('slow-answer', gate)],
  );
  await until(() => place.calls().length === 3);
  appendFileSync(join(place.root, 'part-02', 'notes.txt'), 'One more line.\n');
  writeFileSync(gate, '');
  expect((await run.ended).code).toBe(0);
  // Judged by the frozen files, which are what the workers read: no line count is from the disk.
  expect(acceptedPaths(place)).toHaveLength(3);
  expect(eventsOf(place, 'ResultRejected')).toEqual([]);

  const other = await goneOnWith();
  const [done] = acceptedPaths(other);
  const [edited = ''] = ['part-01', 'part-02', 'part-03']
    .map((part) => `${part}/notes.txt`)
    .filter((path) => path !== done);
  appendFileSync(join(other.root, edited), 'One more line.\n');
  const { code, stdout } = await runIn(other, '--json');
  expect([code, JSON.parse(stdout)]).toMatchObject([4, { coverage: { reviewed: 2 } }]);
  expect(eventsOf(other, 'InputDrifted')).toMatchObject([{ paths: [{ path: edited }] }]);
  expect(acceptedPaths(other)).not.toContain(edited);
  expect(other.calls()).toHaveLength(2);
});

test('another version of the tool goes on with an audit: nothing is stale, nothing is asked again (R41)', async () => {
  const place = await goneOnWith();
  const upgraded = programIn(join(place.folder, 'newer'), place);
  expect(upgraded('--version').stdout).toContain('99.0.0');
  const flags = ['run', ...ONE_LENS, ...place.commandOf('answer-clean')];
  const { status, stderr } = upgraded(...flags);
  expect(stderr).toContain('2 of 3 tasks are open');
  expect([status, auditsOf(place).length, place.calls().length]).toEqual([0, 1, 3]);
  expect(eventsOf(place, 'WriterOpened').map(({ tool }) => tool)).toContain('99.0.0');
  expect(eventsOf(place, 'ArtifactsStale')).toEqual([]);
  expect(eventsOf(place, 'ArtifactDerived').filter(isOf('planning'))).toHaveLength(1);
  // A new audit by the newer one takes over what the older one has, as long as the question is the same.
  appendFileSync(join(place.root, 'part-02', 'notes.txt'), 'One more line.\n');
  expect(upgraded(...flags).status).toBe(0);
  expect(place.calls()).toHaveLength(4);
});

test('a step that derives nothing reads no file of the tool, and where it lies changes no fact (W31)', async () => {
  const place = await createWorkplace({
    ...packetFiles(2),
    'src/two.js': 'export const two = 2;\n',
  });
  onTestFinished(place.close);
  const first = await firstStep(place, ...ONE_LENS);
  const elsewhere = programIn(join(place.folder, 'elsewhere'), place);
  const facts = factsOf(place);
  expect(facts.length).toBeGreaterThan(0);
  expect(elsewhere('plan', '--fresh', ...ONE_LENS).status).toBe(0);
  expect(factsOf(place)).toEqual(facts);

  // Who reads all files of the tool, to tell what it would derive, comes across this one.
  const poisoned = programIn(join(place.folder, 'poisoned'), place);
  const poison = join(place.folder, 'poisoned', 'dist', 'src', 'cli', 'poison.js');
  symlinkSync(join(place.folder, 'nowhere'), poison);
  const { status, stderr } = poisoned('plan', '--fresh', ...ONE_LENS);
  expect([status, stderr]).toMatchObject([3, expect.stringContaining('poison.js')]);
  const audit = ['--audit', first.audit];
  const again = poisoned('next', ...audit, '--json');
  expect([again.status, JSON.parse(again.stdout)]).toMatchObject([
    0,
    { packets: [{ packet: first.packets[0]?.packet }] },
  ]);
  for (const packet of first.packets) await reviewPacket(packet, first.tree ?? '');
  expect(poisoned('ingest', ...audit).status).toBe(0);
  expect(poisoned('status', ...audit).status).toBe(0);
});

test('what an audit has is what its log says: files that go make no stage run again, and a report that comes late is added to what was known (R11, W16)', async () => {
  const place = await goneOnWith();
  const before = eventsOf(place, 'ArtifactDerived').length;
  rmSync(join(auditFolder(place), 'state.json'), { force: true });
  rmSync(join(auditFolder(place), 'report'), { recursive: true, force: true });
  const results = join(place.folder, 'results.json');
  writeFileSync(results, JSON.stringify({ tool: 'linter', results: [] }));
  await place.run('import', results, '--json');
  expect(eventsOf(place, 'ExternalInputReceived')).toMatchObject([{ kind: 'analyzer-results' }]);
  const { code, stdout } = await runIn(place, '--json');
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { how: 'full' }]);
  expect(eventsOf(place, 'ExternalInputConsumed')).toHaveLength(1);
  // What the report may have changed, and the end; nothing before it, and no work that was paid for.
  expect(
    eventsOf(place, 'ArtifactDerived')
      .slice(before)
      .map(({ obligation }) => obligation),
  ).toEqual(['enrichment', 'planning', 'synthesis']);
  expect(place.calls()).toHaveLength(3);
  const { analyzers } = JSON.parse(readFileSync(reportFile(place, 'findings.json'), 'utf8')) as {
    readonly analyzers: readonly { readonly name: string }[];
  };
  expect(analyzers.map(({ name }) => name)).toEqual([
    ...['oxc-parser', 'oxlint', 'secretlint', 'casefile-rules', 'jscpd', 'casefile-flows'],
    'linter',
  ]);
});

/** The program as it is installed in a folder of its own, in a version of its own. */
const programIn = (folder: string, place: Workplace) => {
  cpSync(join(PROJECT, 'dist'), join(folder, 'dist'), { recursive: true });
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  const manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as object;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version: '99.0.0' }));
  return (...args: readonly string[]) =>
    spawnSync(process.execPath, [join(folder, 'dist', 'src', 'cli', 'main.js'), ...args], {
      cwd: place.root,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        HOME: join(place.folder, 'home'),
        XDG_CACHE_HOME: join(place.folder, 'cache'),
      },
    });
};

/** What is kept of files across audits, by name. */
const factsOf = (place: Workplace): readonly string[] =>
  readdirSync(join(place.folder, 'cache', 'casefile', 'facts'), {
    recursive: true,
    encoding: 'utf8',
  }).toSorted();

const isOf =
  (obligation: string) =>
  (event: Readonly<Record<string, unknown>>): boolean =>
    event['obligation'] === obligation;
