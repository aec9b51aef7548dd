import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAudit, OwnedError, ownAudit } from '../../src/cli/own-audit.ts';
import { newestFolder } from '../../src/cli/locate.ts';
import { auditId, type AuditId } from '../../src/domain/ids.ts';
import { createNodeDisk } from '../../src/platform/node-disk.ts';
import { until } from '../helpers/real-attempts.ts';
import { createSimulatedClock } from '../helpers/simulated-clock.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const audit = auditId.parse('20261130T101400123Z-1f3c9a');

/** An audit that this very process owns with its first epoch. */
const ownedPlace = async () => {
  const root = await temporaryFolder();
  const place = { root, stateDirectory: join(root, '.casefile') };
  const folder = join(place.stateDirectory, 'audits', audit);
  mkdirSync(folder, { recursive: true });
  expect(await ownAudit(createNodeDisk(), place, audit, false)).toMatchObject({ epoch: 1 });
  return { place, ownerFile: join(folder, 'writers', '1') };
};

test('without patience an owned audit is refused at once, naming the owner (W5)', async () => {
  const { place } = await ownedPlace();
  const claim = ownAudit(createNodeDisk(), place, audit, false);
  await expect(claim).rejects.toThrow(OwnedError);
  await expect(claim).rejects.toThrow(`pid ${process.pid} on`);
});

test('with patience the epoch is waited for, and taken as soon as its owner is gone (W5)', async () => {
  const { place, ownerFile } = await ownedPlace();
  const clock = createSimulatedClock();
  const claim = ownAudit(createNodeDisk(), place, audit, false, { waitMs: 5000, clock });
  const start = clock.now();
  for (let looks = 0; looks < 3; looks += 1) {
    await until(() => clock.sleepers() === 1);
    clock.advanceToNext();
  }
  await until(() => clock.sleepers() === 1);
  const owner = JSON.parse(readFileSync(ownerFile, 'utf8')) as object;
  writeFileSync(ownerFile, JSON.stringify({ ...owner, startTime: 'another' }));
  clock.advanceToNext();
  expect(await claim).toMatchObject({ epoch: 2, notices: [expect.stringContaining('is gone')] });
  expect(clock.now() - start).toBeLessThan(5000);
});

test('patience ends after its time, with the owner and how long it was waited for; a clock set back prolongs nothing (W5)', async () => {
  const { place } = await ownedPlace();
  const clock = createSimulatedClock();
  const claim = ownAudit(createNodeDisk(), place, audit, false, { waitMs: 1000, clock });
  let isOver = false;
  const refused = claim.catch((error: unknown) => {
    isOver = true;
    return error;
  });
  let looks = 0;
  while (!isOver) {
    await until(() => isOver || clock.sleepers() === 1);
    if (clock.advanceToNext()) looks += 1;
    clock.jump(-50);
  }
  expect(await refused).toMatchObject({
    name: 'OwnedError',
    message: expect.stringMatching(/owns audit \S+ still, after 1 s: pid \d+ on/),
  });
  expect(looks).toBe(10);
});

/** The folder of an audit that never began. */
const left = (id: AuditId) => ({ audit: id, hasLog: false });

test('an audit that another process began since it was looked for is refused to be begun again; what a killed process left is not (T04)', async () => {
  const { place } = await ownedPlace();
  const [disk, clock] = [createNodeDisk(), createSimulatedClock()];
  // Its folder was there already, and its log was not.
  const seen = await newestFolder(disk, place);
  expect(seen).toEqual(left(audit));
  const events = join(place.stateDirectory, 'audits', audit, 'events');
  mkdirSync(events);
  writeFileSync(join(events, '000000000001.jsonl'), '');
  const created = await createAudit(disk, place, clock, seen, false);
  await created.begun();

  const again = await newestFolder(disk, place);
  expect(again).toEqual(left(created.audit));
  const log = join(place.stateDirectory, 'audits', created.audit, 'events');
  mkdirSync(log);
  writeFileSync(join(log, '000000000001.jsonl'), '{');
  await expect(createAudit(disk, place, clock, again, false)).rejects.toThrow(
    `Another process has begun audit ${created.audit} just now`,
  );
});

test('an audit that begins while the clock is behind the newest one still sorts after it', async () => {
  const { place } = await ownedPlace();
  const clock = createSimulatedClock(Date.UTC(2020, 0, 1));
  const created = await createAudit(createNodeDisk(), place, clock, left(audit), false);
  await created.begun();
  expect(created.audit.slice(0, 19)).toBe('20261130T101400124Z');
  const next = await createAudit(createNodeDisk(), place, clock, left(created.audit), false);
  expect(next.audit > created.audit).toBe(true);
});

test('the file that hides the state from git is there whole or not at all', async () => {
  const root = await temporaryFolder();
  const place = { root, stateDirectory: join(root, '.casefile') };
  const disk = createNodeDisk();
  const full: typeof disk = {
    ...disk,
    open: async (path, mode) => ({
      ...(await disk.open(path, mode)),
      write: () => Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })),
    }),
  };
  const clock = createSimulatedClock();
  await expect(createAudit(full, place, clock, undefined, false)).rejects.toThrow('ENOSPC');
  await createAudit(disk, place, clock, undefined, false);
  expect(readFileSync(join(place.stateDirectory, '.gitignore'), 'utf8')).toBe('*\n');
});
