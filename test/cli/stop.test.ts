import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stopOwner, type StopParts } from '../../src/cli/stop-owner.ts';
import type { EpochHolder } from '../../src/store/writer-epoch.ts';
import { ONE_LENS } from '../helpers/audited-files.ts';
import { auditFolder, eventsOf } from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';
import { identityOf } from '../helpers/log-lives.ts';
import { until } from '../helpers/real-attempts.ts';
import { createSimulatedClock } from '../helpers/simulated-clock.ts';

const owner = identityOf(7);
const held: EpochHolder = { kind: 'process', epoch: 1, owner };

/** Stops an owner that lives; each part can be another one. */
const stopping = (parts: Partial<StopParts>) => {
  const clock = createSimulatedClock();
  const interrupted: number[] = [];
  const looks = { count: 0 };
  const stopped = stopOwner({
    clock,
    self: identityOf(1),
    holder: async () => held,
    startTimeOf: async () => owner.startTime,
    interrupt: (pid) => {
      interrupted.push(pid);
      return 'sent';
    },
    waitMs: 1000,
    ...parts,
  });
  const isOver = { yet: false };
  void stopped.finally(() => (isOver.yet = true));
  const drive = async () => {
    while (!isOver.yet) {
      await until(() => isOver.yet || clock.sleepers() === 1);
      if (clock.advanceToNext()) looks.count += 1;
    }
    return stopped;
  };
  return { drive, interrupted, looks };
};

describe('the owner of an audit', () => {
  test('is asked once and waited for until it is gone', async () => {
    let starts = 0;
    const { drive, interrupted, looks } = stopping({
      startTimeOf: async () => ((starts += 1) > 4 ? undefined : owner.startTime),
    });
    expect(await drive()).toEqual({ kind: 'stopped', owner, by: 'gone' });
    expect([interrupted, looks.count]).toEqual([[7], 3]);
  });

  test('has stopped when it has closed the log or another one owns the audit', async () => {
    for (const later of [
      { kind: 'nobody', epoch: 1 },
      { ...held, epoch: 2 },
    ] as const) {
      let calls = 0;
      const { drive } = stopping({ holder: async () => ((calls += 1) > 2 ? later : held) });
      expect(await drive()).toEqual({ kind: 'stopped', owner, by: 'closed' });
    }
  });

  test('that goes on is given up after the time, and said to be running', async () => {
    const { drive, interrupted } = stopping({});
    expect(await drive()).toEqual({ kind: 'still-running', owner, waitedMs: 1000 });
    expect(interrupted).toEqual([7]);
  });

  test.each<[string, Partial<StopParts>, object]>([
    ['whose pid is free', { startTimeOf: async () => undefined }, { because: 'gone' }],
    ['whose pid is another program’s now', { startTimeOf: async () => '99' }, { because: 'gone' }],
    ['on another host', { self: { ...identityOf(1), host: 'there' } }, { because: 'host' }],
    ['of another boot', { self: { ...identityOf(1), bootId: 'b' } }, { because: 'boot' }],
    [
      'in another container',
      { self: { ...identityOf(1), pidNamespace: 'n' } },
      { because: 'namespace' },
    ],
    ['that has closed the log', { holder: async () => ({ kind: 'nobody', epoch: 1 }) }, {}],
    ['with a malformed file', { holder: async () => ({ kind: 'malformed', epoch: 1 }) }, {}],
  ])('%s is never signalled', async (_what, parts, expected) => {
    const { drive, interrupted } = stopping(parts);
    expect(await drive()).toMatchObject(expected);
    expect(interrupted).toEqual([]);
  });
});

const workplace = async (): Promise<Workplace> => {
  const place = await createWorkplace({ 'notes.txt': 'A sentence.\n' });
  onTestFinished(place.close);
  return place;
};

test('stop ends a running audit as Ctrl-C does, and the next run goes on with it', async () => {
  const place = await workplace();
  const gate = join(place.folder, 'gate');
  const work = [...ONE_LENS, ...place.commandOf('slow-answer', gate)];
  const run = place.start('run', ...work, '--grace', '0s');
  await until(() => place.calls().length === 1);
  const { code, stdout } = await place.run('stop', '--grace', '0s');
  expect([code, (await run.ended).code]).toEqual([0, 130]);
  expect(stdout).toMatch(new RegExp(`was stopped: process ${run.pid} (has closed|is gone)`));
  expect(place.living()).toEqual([]);
  const again = await place.run('stop');
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('No process works on')]);
  await writeFile(gate, '');
  expect((await place.run('run', ...work)).code).toBe(0);
});

test('an owner under SIGSTOP is asked and said to be running still: exit 3', async () => {
  const place = await workplace();
  const run = place.start('run', ...ONE_LENS, ...place.commandOf('hang'), '--grace', '0s');
  await until(() => place.calls().length === 1);
  run.kill('SIGSTOP');
  const { code, stdout } = await place.run('stop', '--grace', '0s', '--json');
  expect([code, JSON.parse(stdout)]).toMatchObject([3, { kind: 'still-running' }]);
  run.kill('SIGCONT');
  // The signal was kept for it.
  expect((await run.ended).code).toBe(130);
});

test('stop where nothing runs, where a pid is used again and where the owner is elsewhere', async () => {
  const place = await workplace();
  expect((await place.run('stop')).code).toBe(2);
  await place.run('plan');
  const idle = await place.run('stop');
  expect([idle.code, idle.stdout]).toEqual([0, expect.stringContaining('Nothing was signalled')]);
  const self = JSON.parse(readFileSync(join(auditFolder(place), 'writers', '1'), 'utf8')) as object;
  const write = (change: object): void =>
    writeFileSync(join(auditFolder(place), 'writers', '2'), JSON.stringify({ ...self, ...change }));
  // This very test has the pid: it lives on.
  write({ pid: process.pid, startTime: '1' });
  const reused = await place.run('stop');
  expect([reused.code, reused.stdout]).toEqual([
    0,
    expect.stringMatching(/gone without closing the log.*Nothing was signalled/),
  ]);
  write({ host: 'far-away' });
  const far = await place.run('stop');
  expect([far.code, far.stdout]).toEqual([3, expect.stringMatching(/on far-away.*stop it there/)]);
  expect(eventsOf(place, 'WriterOpened')).toHaveLength(1);
});
