import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { NextStep } from '../../src/domain/next-step.ts';
import { FLAWED_PROJECT, ONE_LENS, packetFiles } from '../helpers/audited-files.ts';
import {
  auditFolder,
  auditsOf,
  eventsOf,
  findingsOf,
  fingerprintOf,
  logBytes,
} from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Ended, type Workplace } from '../helpers/built-program.ts';
import {
  allowed,
  driveHost,
  findNothing,
  firstStep,
  read,
  reviewPacket,
  wordsOf,
  type Call,
  type HostRun,
} from '../helpers/scripted-host.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';

const PACKETS = 3;
const KILLS = 12;
const SEED = 20_261_130;

/** Offered to a host; nobody has answered anything yet. */
let offered: Workplace;
/** The same files, audited whole by one host. */
let finished: Workplace;
let host: HostRun;
beforeAll(async () => {
  offered = await createWorkplace(packetFiles(PACKETS));
  finished = await offered.copy();
  await firstStep(offered, ...ONE_LENS);
  host = await driveHost(finished.run, ONE_LENS);
});
afterAll(async () => {
  await offered.close();
  await finished.close();
});

const fromOffer = async (): Promise<Workplace> => {
  const copy = await offered.copy();
  onTestFinished(copy.close);
  return copy;
};

/** The same findings (protocol section 4), whoever found them. */
const sameFindings = (place: Workplace): string =>
  JSON.stringify(
    findingsOf(place),
    (key, value: unknown) => (key === 'provider' ? 'somebody' : value),
    1,
  );

const expectEachAcceptedOnce = (place: Workplace): void => {
  const accepted = eventsOf(place, 'ResultAccepted').map(({ task }) => task);
  expect([accepted.length, new Set(accepted).size]).toEqual([PACKETS, PACKETS]);
  expect(auditsOf(place)).toHaveLength(1);
};

test('a host that knows only next and ingest comes to the findings of a run', async () => {
  const place = await createWorkplace(packetFiles(PACKETS));
  onTestFinished(place.close);
  const flags = ['run', ...ONE_LENS, ...place.commandOf('answer-with-finding')];
  expect((await place.run(...flags)).code).toBe(0);
  expect(host.reviewed).toHaveLength(PACKETS);
  expect(host.last).toMatchObject({ state: 'complete', progress: { tasks: { open: 0 } } });
  expect(findingsOf(finished)).toHaveLength(PACKETS);
  expect(sameFindings(finished)).toBe(sameFindings(place));
  expectEachAcceptedOnce(finished);
});

test.each([
  ['its own state folder', []],
  ['a state folder elsewhere', ['--state-dir', '../kept']],
])(
  'every command of a step leads to its repository and %s from any folder (W92)',
  async (_what, flags) => {
    const place = await createWorkplace(packetFiles(PACKETS));
    onTestFinished(place.close);
    const elsewhere: Call = (...args) => place.startIn(place.folder, ...args).ended;
    const checks: string[] = [];
    let call: Call = place.run;
    const moved: Call = async (...args) => {
      const ended = await call(...args);
      call = elsewhere;
      const step = args[0] === 'next' ? read<NextStep>(ended) : undefined;
      checks.push(...(step?.packets ?? []).map(({ check }) => check));
      return ended;
    };
    const { reviewed, last } = await driveHost(moved, [...ONE_LENS, ...flags]);
    expect(new Set(reviewed).size).toBe(PACKETS);
    for (const check of checks) expect((await elsewhere(...wordsOf(check))).code).toBe(0);
    const status = await elsewhere(...(allowed(last, 'status') ?? []));
    expect([status.code, status.stdout]).toMatchObject([0, expect.stringContaining(last.audit)]);
  },
);

test('what people are told to call next leads back to the repository from where they are (W92)', async () => {
  const place = await createWorkplace(packetFiles(PACKETS));
  onTestFinished(place.close);
  const above = place.folder;
  const hand = [place.root, '--provider', 'handoff', ...ONE_LENS, '--state-dir', 'kept'];
  const calls: [string, readonly string[], RegExp][] = [
    [above, ['plan', ...hand], /^Start it with: casefile (run .*)$/m],
    [above, ['run', ...hand], / go on +casefile (ingest .*) \(takes/],
    [above, ['run', ...hand], /one by one: casefile (next .*)/],
    [above, ['ingest', '--root', place.root, '--state-dir', 'kept'], / next +casefile (next .*)/],
    [place.root, ['ingest', '--state-dir', '../kept'], / next +casefile (next .*)/],
  ];
  for (const [folder, args, told] of calls) {
    const { stdout, stderr } = await place.startIn(folder, ...args).ended;
    const words = told.exec(stdout + stderr)?.[1] ?? '';
    expect(words.includes(place.root)).toBe(folder === above);
    const followed = await place.startIn(folder, ...words.split(' ')).ended;
    if (!words.startsWith('next')) continue;
    expect(followed.stdout).toContain('1 packet');
    const [, promptPath = ''] = / prompt +(.*)/.exec(followed.stdout) ?? [];
    const beside = (name: string): string => join(promptPath, '..', name);
    const places = { packetPath: beside('packet.json'), answerPath: beside('answer.json') };
    await reviewPacket(places, '', findNothing);
  }
});

test('what a host is to review is planned as for a run with agents, to the byte (W41)', async () => {
  const [plan, hosted] = await Promise.all([1, 2].map(() => createWorkplace(FLAWED_PROJECT)));
  if (plan === undefined || hosted === undefined) throw new Error('two places were made');
  onTestFinished(plan.close);
  onTestFinished(hosted.close);
  const flags = ['--lenses', 'security,correctness', '--exclude', 'README.md'];
  expect((await plan.run('plan', ...flags, ...plan.commandOf('answer-clean'))).code).toBe(0);
  await firstStep(hosted, ...flags);
  const planned = (place: Workplace): readonly unknown[] =>
    ['ArtifactDerived', 'TasksPlanned', 'PacketsPlanned'].map((type) =>
      eventsOf(place, type).map(({ at: _at, ...event }) => event),
    );
  expect(eventsOf(plan, 'TasksPlanned')).toHaveLength(1);
  expect(planned(hosted)).toEqual(planned(plan));
});

test('rounds share one plan: each obligation is derived once, and each round has its own packet (W96)', () => {
  expect(new Set(host.reviewed).size).toBe(PACKETS);
  expect(host.ingested).toHaveLength(PACKETS);
  expect(eventsOf(finished, 'TasksPlanned')).toHaveLength(1);
  expect(eventsOf(finished, 'PacketsPlanned')).toHaveLength(1);
  const derived = eventsOf(finished, 'ArtifactDerived').map(({ obligation }) => obligation);
  expect(derived).toEqual([...new Set(derived)]);
});

test('killed again and again in next and ingest, a host comes to the same findings, each answer taken once', async () => {
  const place = await fromOffer();
  const random = createSeededRandom(SEED);
  let kills = 0;
  // How long a long call takes here and now, in milliseconds; most are shorter.
  const before = performance.now();
  await place.run('next', ...ONE_LENS, '--json');
  const life = Math.ceil(performance.now() - before);
  const killed = async (...args: readonly string[]): Promise<Ended> => {
    const call = place.start(...args);
    if (kills < KILLS && !random.oneIn(4)) {
      const late = new AbortController();
      const end = pause(random.below(Math.ceil(life * 0.6)), undefined, { signal: late.signal });
      await Promise.race([end, call.ended]).finally(() => late.abort());
      end.catch(() => undefined);
      if (!call.isOver()) {
        call.kill('SIGKILL');
        kills += 1;
      }
    }
    return call.ended;
  };
  const { ingested } = await driveHost(killed, ONE_LENS);
  expect(kills).toBeGreaterThanOrEqual(KILLS / 2);
  expectEachAcceptedOnce(place);
  expect(sameFindings(place)).toBe(sameFindings(finished));
  // What a killed call had taken already is told by the next one.
  const told = ingested.flatMap(({ files }) => files.flatMap(({ accepted }) => accepted));
  expect(new Set(told).size).toBe(PACKETS);
  expect((await place.run('verify')).code).toBe(0);
  expect((await place.run('replay', '--verify')).code).toBe(0);
});

test('two hosts with names share an audit: each packet is reviewed by one of them, and taken once', async () => {
  const place = await fromOffer();
  const both = await Promise.all(
    ['a', 'b'].map((name) => driveHost(place.run, [...ONE_LENS, '--host-name', name])),
  );
  const reviewed = both.flatMap((one) => one.reviewed);
  expect([reviewed.length, new Set(reviewed).size]).toEqual([PACKETS, PACKETS]);
  expectEachAcceptedOnce(place);
  expect(sameFindings(place)).toBe(sameFindings(finished));
});

test('two hosts without names may review a packet twice; it is taken once', async () => {
  const place = await fromOffer();
  const both = await Promise.all([1, 2].map(() => driveHost(place.run, ONE_LENS)));
  expect(both.flatMap((one) => one.reviewed).length).toBeGreaterThanOrEqual(PACKETS);
  expectEachAcceptedOnce(place);
  expect(sameFindings(place)).toBe(sameFindings(finished));
});

test('a host gets as many packets as it has agents, with what they may touch and how strong they should be', async () => {
  const place = await fromOffer();
  const flags = [
    ...['--host-name', 'h', '--host-can-dispatch-subagents', 'true'],
    ...['--host-max-active-subagents', '2', '--host-can-restrict-subagent-tools', 'true'],
    ...['--host-can-select-subagent-model', 'true'],
  ];
  const step = await firstStep(place, ...flags);
  expect(step.packets).toHaveLength(2);
  for (const { promptPath, packetPath, answerPath, access, model } of step.packets) {
    expect(access).toEqual({ read: [promptPath, step.tree], write: [answerPath] });
    expect(model).toBe('standard');
    expect(readFileSync(promptPath, 'utf8')).toContain(JSON.stringify(answerPath));
    expect(JSON.parse(readFileSync(packetPath, 'utf8'))).toMatchObject({ tasks: [{}] });
  }
  // Its own command for the next step asks as the same host, and is told the same.
  const again = await place.run(...(allowed(step, 'next') ?? []));
  expect(JSON.parse(again.stdout)).toEqual(step);

  const other = await firstStep(place, '--host-name', 'i');
  expect(other.packets).toHaveLength(1);
  expect(other.packets[0]).not.toHaveProperty('access');
  expect(other.packets[0]).not.toHaveProperty('model');
  const taken = step.packets.map(({ packet }) => packet);
  expect(taken).not.toContain(other.packets[0]?.packet);

  const late = await place.run('next', '--host-name', 'k', '--json');
  expect([late.code, JSON.parse(late.stdout)]).toMatchObject([3, { kind: 'wait', packets: [] }]);
  expect((JSON.parse(late.stdout) as NextStep).waitUntil).toMatch(/^\d{4}-/);
});

test('the width of the user’s own file is that of a host with agents, and its claims come last for others', async () => {
  const place = await fromOffer();
  const folder = join(place.folder, 'config', 'casefile');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'config.json'), '{ "parallel": 2 }');
  const agents = ['--host-can-dispatch-subagents', 'true'];
  const named = await firstStep(place, '--host-name', 'h', ...agents);
  expect(named.packets).toHaveLength(2);
  const nameless = await firstStep(place);
  expect(nameless.packets).toHaveLength(1);
  expect(named.packets.map(({ packet }) => packet)).not.toContain(nameless.packets[0]?.packet);
});

test('asked a dozen times more, next says the same of a complete audit and of one that waits, claims nothing and writes nothing (T01, W39)', async () => {
  for (const place of [finished, await fromOffer()]) {
    const handOffs = join(auditFolder(place), 'hand-offs');
    const { stdout: first } = await place.run('next', '--json');
    const before = { first, log: logBytes(place), handOffs: fingerprintOf(handOffs) };
    for (let round = 0; round < 3; round += 1) {
      const four = [1, 2, 3, 4].map(() => place.run('next', '--json'));
      for (const { code, stdout, stderr } of await Promise.all(four)) {
        expect([code, stdout, stderr]).toEqual([0, before.first, '']);
      }
    }
    expect(logBytes(place).equals(before.log)).toBe(true);
    expect(fingerprintOf(handOffs)).toBe(before.handOffs);
    expect(auditsOf(place)).toHaveLength(1);
  }
});
