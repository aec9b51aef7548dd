import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ONE_LENS, packetFiles } from '../helpers/audited-files.ts';
import {
  auditFolder,
  auditsOf,
  commitsOf,
  eventsOf,
  findingsOf,
} from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';
import { until } from '../helpers/real-attempts.ts';

/** Three packets of one task each, planned; nothing was started yet. */
let planned: Workplace;
beforeAll(async () => {
  planned = await createWorkplace(packetFiles(3));
  const plan = await planned.run(
    'plan',
    ...ONE_LENS,
    ...planned.commandOf('answer-clean'),
    '--json',
  );
  expect(JSON.parse(plan.stdout)).toMatchObject({ tasks: 3, packets: [{}, {}, {}] });
});
afterAll(() => planned.close());

const fromPlan = async (): Promise<Workplace> => {
  const copy = await planned.copy();
  onTestFinished(copy.close);
  return copy;
};

test('plan starts nothing, and run goes on with it', async () => {
  const place = await fromPlan();
  expect(place.calls()).toEqual([]);
  const { code } = await place.run('run', ...ONE_LENS, ...place.commandOf('answer-with-finding'));
  expect([code, auditsOf(place).length, place.calls().length]).toEqual([0, 1, 3]);
  expect(findingsOf(place).map(({ place: { path } }) => path)).toEqual([
    'part-01/notes.txt',
    'part-02/notes.txt',
    'part-03/notes.txt',
  ]);
});

test('what an audit keeps is a closed list, and every blob of it is named by an event (W62)', async () => {
  const place = await fromPlan();
  await place.run('run', ...ONE_LENS, ...place.commandOf('answer-with-finding'));
  const kept = readdirSync(auditFolder(place)).toSorted();
  expect(kept).toEqual(['attempts', 'blobs', 'events', 'report', 'state.json', 'writers']);
  const blobs = readdirSync(join(auditFolder(place), 'blobs'), {
    recursive: true,
    encoding: 'utf8',
  })
    .filter((name) => name.includes('/'))
    .map((name) => basename(name));
  expect(new Set(blobs)).toEqual(new Set(blobsNamedIn(eventsOf(place))));
});

test('each attempt of a packet has a folder of its own, with the prompt and the answer of that attempt alone (W97)', async () => {
  const place = await createWorkplace({ 'src/two.js': 'export const two = (one) => one + 1;\n' });
  onTestFinished(place.close);
  const lenses = ['--lenses', 'security,correctness'];
  const { code } = await place.run('run', ...lenses, ...place.commandOf('partial-answer'));
  expect(code).toBe(0);
  const started = commitsOf(place).flatMap(({ seq, events }) =>
    events.flatMap(({ type, packet }, index) =>
      type === 'AttemptStarted' ? [{ token: seq + index, packet: String(packet) }] : [],
    ),
  );
  expect(started).toHaveLength(2);
  const attempts = join(auditFolder(place), 'attempts');
  expect(readdirSync(attempts).map(Number)).toEqual(started.map(({ token }) => token));
  const prompts = new Map(packetsIn(eventsOf(place)).map(({ id, prompt }) => [id, prompt.digest]));
  for (const { token, packet } of started) {
    const file = (name: string): Buffer => readFileSync(join(attempts, String(token), name));
    expect(JSON.parse(file('packet.json').toString())).toMatchObject({ packet });
    expect(sha256(file('prompt.md'))).toBe(prompts.get(packet));
    const end = eventsOf(place, 'AttemptEnded').find((one) => one['token'] === token);
    expect(end?.['answer']).toMatchObject({ digest: sha256(file('answer.json')) });
  }
});

test('--max-runs 1 is a step: exit 3 until the last packet, then 0', async () => {
  const place = await fromPlan();
  const codes: unknown[] = [];
  for (let step = 1; step <= 3; step += 1) {
    const { code, stderr } = await place.run(
      ...['run', ...ONE_LENS, '--max-runs', '1', ...place.commandOf('answer-clean')],
    );
    codes.push(code);
    expect(place.calls()).toHaveLength(step);
    if (step < 3) expect(stderr).toMatch(/The starts of this call are used up/);
  }
  expect(codes).toEqual([3, 3, 0]);
});

test('--parallel is how many workers run at a time', async () => {
  const place = await fromPlan();
  const gate = join(place.folder, 'gate');
  const run = place.start(
    'run',
    ...ONE_LENS,
    '--parallel',
    '2',
    ...place.commandOf('slow-answer', gate),
  );
  await until(() => place.calls().length === 2);
  await until(() => eventsOf(place, 'AttemptStarted').length === 2);
  await writeFile(gate, '');
  expect((await run.ended).code).toBe(0);
  expect(inFlightMost(place)).toBe(2);
});

test('a limit ends the run with exit 3 and says when it can go on; until then nothing is started', async () => {
  const place = await fromPlan();
  const resetAt = new Date(Date.now() + 3_600_000).toISOString();
  const limited = place.commandOf('limit-with-reset', resetAt);
  const first = await place.run('run', ...ONE_LENS, '--json', '--parallel', '1', ...limited);
  expect(first.code).toBe(3);
  expect(JSON.parse(first.stdout)).toMatchObject({
    state: 'cooldown',
    exit: { reason: 'cooling', reasons: [{ message: expect.stringContaining(resetAt) as string }] },
  });
  expect(first.stderr).toContain(`waiting until ${resetAt}`);
  const second = await place.run('run', ...ONE_LENS, ...place.commandOf('answer-clean'));
  expect([second.code, place.calls().length]).toEqual([3, 1]);
  expect(second.stderr).toContain(resetAt);
});

test('with --wait a run sleeps through the cooldown and finishes', async () => {
  const place = await fromPlan();
  const reset = join(place.folder, 'reset');
  const { code } = await place.run(
    ...[
      'run',
      ...ONE_LENS,
      '--wait',
      '--parallel',
      '1',
      ...place.commandOf('limit-until', reset, '3000'),
    ],
  );
  expect(code).toBe(0);
  const resetAt = Date.parse(readFileSync(reset, 'utf8'));
  expect(eventsOf(place, 'CooldownStarted').map(({ until: end }) => end)).toEqual([resetAt]);
  const [limited, ...later] = eventsOf(place, 'AttemptStarted').map(({ at }) => Number(at));
  expect(limited).toBeLessThan(resetAt);
  expect(later).toHaveLength(3);
  expect(Math.min(...later)).toBeGreaterThanOrEqual(resetAt);
});

test('workers that fail use up the attempts of their packets, and the audit ends in part: exit 4', async () => {
  const place = await fromPlan();
  const { code, stderr, stdout } = await place.run(
    ...[
      'run',
      ...ONE_LENS,
      '--json',
      '--wait',
      '--max-attempts',
      '2',
      ...place.commandOf('crash-always'),
    ],
  );
  expect([code, place.calls().length]).toEqual([4, 6]);
  expect(JSON.parse(stdout)).toMatchObject({
    how: 'partial',
    coverage: { reviewed: 0, failed: 3 },
    spend: { attempts: { started: 6, ended: 6, counted: 6 } },
    exit: { reason: 'partial' },
  });
  expect(eventsOf(place, 'TaskAbandoned')).toHaveLength(3);
  expect(stderr).toMatch(/3 tasks failed/);

  const again = await place.run('run', ...ONE_LENS, ...place.commandOf('answer-clean'));
  expect([again.code, place.calls().length]).toEqual([4, 6]);
  expect(again.stderr).toMatch(/Nothing has changed since[\s\S]* again +casefile run --again/);
});

test('a program that is not there blocks the audit: exit 3 with the remedy, and no attempt is lost', async () => {
  const place = await fromPlan();
  const flags = ['--provider', 'command', '--command', 'no-such-reviewer {prompt}'];
  const { code, stderr, stdout } = await place.run('run', ...ONE_LENS, '--json', ...flags);
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({
    state: 'blocked',
    blocker: { message: expect.stringContaining('no-such-reviewer') as string },
    exit: {
      reason: 'blocked',
      reasons: [{ message: expect.stringMatching(/ENOENT\. Mend the provider/) as string }],
    },
  });
  expect(stderr).toMatch(/blocked/);
  const mended = await place.run('run', ...ONE_LENS, ...place.commandOf('answer-clean'));
  expect(mended.code).toBe(0);
});

test('provider command without --command is a usage error: exit 2, and nothing is made', async () => {
  const place = await createWorkplace({ 'notes.txt': 'A sentence.\n' });
  onTestFinished(place.close);
  const { code, stderr } = await place.run('run', '--provider', 'command');
  expect(code).toBe(2);
  expect(stderr).toMatch(/needs the program to run\.\n {2}Give it with --command/);
  expect(auditsOf(place)).toEqual([]);
});

const inFlightMost = (place: Workplace): number => {
  let inFlight = 0;
  let most = 0;
  for (const { type } of eventsOf(place)) {
    if (type === 'AttemptStarted') inFlight += 1;
    if (type === 'AttemptEnded') inFlight -= 1;
    most = Math.max(most, inFlight);
  }
  return most;
};

type PlannedPacket = { readonly id: string; readonly prompt: { readonly digest: string } };

/** The packets that events plan, those of what an answer left out too. */
const packetsIn = (value: unknown): readonly PlannedPacket[] => {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'id' in value && 'prompt' in value ? [value as PlannedPacket] : [];
  return [...own, ...Object.values(value).flatMap(packetsIn)];
};

/** The digests of everything in events that is a reference to a blob. */
const blobsNamedIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const { digest, bytes } = value as { readonly digest?: unknown; readonly bytes?: unknown };
  const own = typeof digest === 'string' && typeof bytes === 'number' ? [digest] : [];
  return [...own, ...Object.values(value).flatMap(blobsNamedIn)];
};

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
