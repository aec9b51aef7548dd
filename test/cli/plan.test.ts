import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { planOutput, type PlanOutput } from '../../src/domain/plan-output.ts';
import { logFile } from '../helpers/audit-on-disk.ts';
import { packetFiles } from '../helpers/audited-files.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';

/** A monorepo with a file of every kind that is left out. */
const FILES = {
  'package.json': '{ "name": "shop", "workspaces": ["packages/*"] }\n',
  'package-lock.json': '{ "lockfileVersion": 3 }\n',
  LICENSE: 'MIT License\n\nPermission is hereby granted, free of charge, to any person\n',
  'packages/web/package.json': '{ "name": "@shop/web" }\n',
  'packages/web/src/page.js':
    "import { pay } from '@shop/core';\nexport const page = () => pay();\n",
  'packages/web/dist.min.js': `var a=1;${'a+=1;'.repeat(2000)}\n`,
  'packages/core/package.json': '{ "name": "@shop/core", "main": "src/pay.js" }\n',
  'packages/core/src/pay.js': 'export const pay = () => 1;\n',
  'packages/core/src/empty.js': '',
};

let place: Workplace;
beforeAll(async () => {
  place = await createWorkplace(FILES);
});
afterAll(() => place.close());

const planned = async (at: Workplace, ...flags: readonly string[]): Promise<PlanOutput> => {
  const { code, stdout } = await at.run('plan', '--json', ...flags);
  expect(code).toBe(0);
  return planOutput.parse(JSON.parse(stdout));
};
const AGENT = ['--provider', 'command'];

test('plan --json is what its schema says, and its totals reconcile', async () => {
  const plan = await planned(place, ...AGENT);
  expect(plan.files.total).toBe(Object.keys(FILES).length);
  const { included = 0, ...others } = plan.files.byStatus;
  expect(plan.excluded.reduce((sum, { files }) => sum + files, 0)).toBe(
    plan.files.total - included,
  );
  expect(Object.values(others).reduce((sum, count) => sum + count, 0)).toBe(
    plan.files.total - included,
  );
  expect(plan.excluded.flatMap(({ examples }) => examples).toSorted()).toEqual([
    'LICENSE',
    'package-lock.json',
    'packages/core/src/empty.js',
    'packages/web/dist.min.js',
  ]);
  expect(plan.cells.total).toBe(plan.files.total * 11);
  expect(plan.cells.asked).toBe(plan.lenses.reduce((sum, { cells }) => sum + cells, 0));
  expect(plan.tokens.high).toBe(plan.packets.reduce((sum, { tokens }) => sum + tokens, 0));
  expect(plan.units.reduce((sum, { tasks }) => sum + tasks, 0)).toBe(plan.tasks);
  expect(plan.components.map(({ id, name }) => [id, name])).toEqual([
    ['.', 'shop'],
    ['packages/core', '@shop/core'],
    ['packages/web', '@shop/web'],
  ]);
  expect(plan.costUsd).toBeNull();
});

test('a component of a monorepo is a scope, by its folder or its name; the rest is said to be left out', async () => {
  const [byName, byFolder] = [
    await planned(place, ...AGENT, '--component', '@shop/core'),
    await planned(place, ...AGENT, '--component', 'packages/core/'),
  ];
  expect(byName.packets.map(({ id }) => id)).toEqual(byFolder.packets.map(({ id }) => id));
  expect(byName.units.map(({ id }) => id).every((id) => id.startsWith('packages/core'))).toBe(true);
  expect(byName.skipped).toContainEqual(
    expect.objectContaining({ by: 'selection', reason: 'in no component that is asked for' }),
  );
  const { asked, skipped, total } = byName.cells;
  expect(asked + skipped).toBe(total);
  const none = await place.run('plan', ...AGENT, '--component', '@shop/none');
  expect([none.code, none.stdout]).toEqual([2, '']);
  expect(none.stderr).toMatch(
    /no component "@shop\/none" here\.\n {2}Components are \. \(shop\), /,
  );
});

test('plan tells people how much, how long, what is left out and why, and the first packets', async () => {
  const { stdout } = await place.run('plan', ...AGENT);
  for (const line of [
    /^ {2}files {6}9 files, 5 to look at$/m,
    /^ {2}components 3: shop, @shop\/core, @shop\/web \(--component/m,
    /^ {2}cells {6}\d+ of 99 \(file × lens\) in \d+ tasks$/m,
    /^ {2}tokens {5}[\d,]+ to [\d,]+ to read every packet once/m,
    /^ {2}cost {7}unknown: /m,
    /^ {2}time {7}60 s to 8 min with \d+ at a time \(assumed: 60 s to 8 min a packet/m,
    /^ {4}1 minified +.*: packages\/web\/dist\.min\.js$/m,
    /^ {4}p-[0-9a-f]{16} +5 files +\d+ tasks/m,
  ]) {
    expect(stdout).toMatch(line);
  }
  expect((await place.run('plan')).stdout).toMatch(/^ {2}cost {7}none: /m);
});

test('plan --files tells of every file once what becomes of it, and why', async () => {
  const { stdout } = await place.run('plan', ...AGENT, '--files', '--json');
  const { files } = JSON.parse(stdout) as { files: Record<string, unknown>[] };
  expect(files.map(({ path }) => path)).toEqual(Object.keys(FILES).toSorted());
  const page = FILES['packages/web/src/page.js'];
  expect(files.find(({ path }) => path === 'packages/web/src/page.js')).toEqual({
    path: 'packages/web/src/page.js',
    status: 'included',
    reason: 'text that people write',
    size: page.length,
    lines: 2,
    encoding: 'utf-8',
    language: 'JavaScript',
    digest: createHash('sha256').update(page).digest('hex'),
    unit: 'packages/web/src',
    risk: expect.any(Number),
    riskParts: expect.any(Object),
    packets: 1,
  });
  const text = (await place.run('plan', ...AGENT, '--files')).stdout;
  expect(text).toMatch(/^ {2}lockfile .* package-lock\.json {2}\(/m);
  expect(text.trim().split('\n')).toHaveLength(files.length + 1);
  expect((await place.run('plan', '--files', '--packet', 'p-1')).code).toBe(2);
});

test('after some attempts the time is what they took', async () => {
  const busy = await createWorkplace(
    Object.fromEntries(
      Array.from({ length: 6 }, (_, index) => [
        `part${index}/a.js`,
        `export const a${index} = ${'1 + '.repeat(20)}1;\n`.repeat(600),
      ]),
    ),
  );
  onTestFinished(busy.close);
  const before = await planned(busy, ...AGENT, '--lenses', 'security');
  expect(before.time).toMatchObject({ basis: 'assumed', attempts: 0 });
  await busy.run('run', ...busy.commandOf('answer-clean'), '--lenses', 'security');
  const done = await planned(busy, ...AGENT, '--lenses', 'security');
  expect(done).toMatchObject({ state: 'complete', left: { packets: 0, tasks: 0 } });
  expect([done.tokens.high, done.time?.totalMs.high]).toEqual([0, 0]);
  const after = await planned(busy, ...AGENT, '--lenses', 'security', '--fresh');
  expect(after.time?.basis).toBe('measured');
  expect(after.time?.attempts).toBe(busy.calls().length);
  const { packetMs, totalMs, width } = after.time ?? {};
  const rounds = Math.ceil(after.packets.length / (width ?? 1));
  expect(totalMs?.high).toBe(rounds * (packetMs?.high ?? 0));
  expect(packetMs?.high).toBeGreaterThanOrEqual(packetMs?.low ?? Infinity);
});

test('a plan of an audit that is under way counts what is left, and changes nothing of it', async () => {
  const half = await createWorkplace(packetFiles(4));
  onTestFinished(half.close);
  const flags = ['--lenses', 'security', ...half.commandOf('answer-clean')];
  const whole = await planned(half, ...AGENT, '--lenses', 'security');
  await half.run('run', ...flags, '--limit', '1');
  const before = readFileSync(logFile(half));
  const { stdout } = await half.run('plan', ...flags, '--parallel', '3');
  expect(stdout).toMatch(/^Plan of audit .*; 1 of 4 packets done\)$/m);
  expect(stdout).toMatch(/^ {2}packets {4}3 of 4 packets left, /m);
  expect(stdout).toMatch(/^Go on with: casefile run --lenses security /m);
  const rest = await planned(half, ...flags);
  expect(rest.left).toEqual({ packets: 3, tasks: 3 });
  expect(rest.tokens.high).toBeLessThan(whole.tokens.high);
  expect(readFileSync(logFile(half))).toEqual(before);
});

test('what was only planned is planned anew when the tree has changed', async () => {
  const edited = await createWorkplace(packetFiles(2));
  onTestFinished(edited.close);
  const first = await planned(edited, ...AGENT);
  expect((await planned(edited, ...AGENT)).audit).toBe(first.audit);
  appendFileSync(join(edited.root, 'part-01', 'notes.txt'), 'more\n');
  const { stdout, stderr } = await edited.run('plan', ...AGENT, '--json');
  expect((JSON.parse(stdout) as PlanOutput).audit).not.toBe(first.audit);
  expect(stderr).not.toMatch(/stale/);
});

test('files that are not asked say why, and the plan counts those that are', async () => {
  const flags = [...AGENT, '--component', '@shop/core'];
  const { files } = JSON.parse((await place.run('plan', ...flags, '--files', '--json')).stdout) as {
    files: { path: string; status: string; reason: string }[];
  };
  expect(files.find(({ path }) => path === 'packages/web/src/page.js')).toMatchObject({
    status: 'not asked',
    reason: 'in no component that is asked for',
  });
  const risks = (await planned(place, ...AGENT)).units.map(({ risk }) => risk);
  expect(risks).toEqual(risks.toSorted((left, right) => right - left));
  expect(new Set(risks).size).toBeGreaterThan(1);
  const view = await planned(place, ...flags);
  expect(view.files.asked).toBeLessThan(view.files.byStatus['included'] ?? 0);
  expect((await place.run('plan', ...flags)).stdout).toMatch(
    /^ {2}files .* to look at of 5 that /m,
  );
});

test('a file that a question about the design leads to is not asked by that', async () => {
  const flags = [...AGENT, '--component', '@shop/web'];
  const { packets } = await planned(place, ...flags);
  const design = packets.filter(({ units }) => units.some((unit) => unit.startsWith('design:')));
  const [id = ''] = design.map((packet) => packet.id);
  expect((await place.run('plan', ...flags, '--packet', id)).stdout).toMatch(/core\/src\/pay\.js/);
  const { files } = JSON.parse((await place.run('plan', ...flags, '--files', '--json')).stdout) as {
    files: { path: string; status: string }[];
  };
  expect(files.find(({ path }) => path === 'packages/core/src/pay.js')?.status).toBe('not asked');
});

test('a lens that only an agent can look under is refused for the analyzers', async () => {
  const file = join(place.folder, 'money.md');
  writeFileSync(file, 'money that is lost\n');
  const { code, stderr } = await place.run('plan', '--lenses', file);
  expect(code).toBe(2);
  expect(stderr).toMatch(/Only an agent can look under money/);
});
