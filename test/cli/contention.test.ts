import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createNodeDisk } from '../../src/platform/node-disk.ts';
import { createFileBlobStore } from '../../src/store/file-blob-store.ts';
import { verifyLog } from '../../src/store/verify-log.ts';
import { ONE_LENS } from '../helpers/audited-files.ts';
import {
  auditFolder,
  auditsOf,
  commitsOf,
  eventsOf,
  lastNumber,
} from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Ended, type Workplace } from '../helpers/built-program.ts';
import { startRunningAudit } from '../helpers/running-audit.ts';

/** `npm run soak` asks for a hundred. */
const ROUNDS = Number(process.env['CASEFILE_SOAK_RACES'] ?? 40);

let planned: Workplace;
beforeAll(async () => {
  planned = await createWorkplace({ 'notes.txt': 'A sentence.\n' });
  expect((await planned.run('plan')).code).toBe(0);
  cpSync(join(planned.root, '.casefile'), join(planned.folder, 'planned'), { recursive: true });
});
afterAll(() => planned.close());

test('of two processes started at the same moment on one audit, again and again, one works and the other is told who (T04)', async () => {
  const told = { owner: 0, complete: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    restore();
    const both = [planned.start('run'), planned.start('run')] as const;
    const ended = await Promise.all(both.map((one) => one.ended));
    const about = `round ${round}: ${JSON.stringify(ended)}`;
    expect(ended.map(outcomeOf), about).toContain('fine');
    const owned = ended.find((one) => outcomeOf(one) === 'owned');
    if (owned === undefined) told.complete += 1;
    else {
      const other = both[ended.indexOf(owned) === 0 ? 1 : 0];
      expect(owned.stderr, about).toContain(`pid ${other.pid} `);
      told.owner += 1;
    }
    await expectOneHistory(planned, about);
    expect(eventsOf(planned, 'AttemptStarted'), about).toHaveLength(1);
    expect(eventsOf(planned, 'AuditCompleted'), about).toHaveLength(1);
  }
  expect(told.owner + told.complete).toBe(ROUNDS);
  // A race in which nobody ever met would show nothing.
  expect(told.owner).toBeGreaterThan(0);
});

test('of two processes that begin at the same moment where no audit is, one begins it (T04)', async () => {
  for (let round = 0; round < 5; round += 1) {
    rmSync(join(planned.root, '.casefile'), { recursive: true, force: true });
    const both = [planned.start('run'), planned.start('run')] as const;
    const ended = await Promise.all(both.map((one) => one.ended));
    expect(ended.map(outcomeOf)).toContain('fine');
    expect(auditsOf(planned)).toHaveLength(1);
    await expectOneHistory(planned, `round ${round}`);
    expect(eventsOf(planned, 'AttemptStarted')).toHaveLength(1);
  }
});

/** B14: what the owner's file says, and what a second run makes of it. */
type Owner = Readonly<Record<string, unknown>>;
test.each<{
  readonly owner: string;
  readonly file: (self: Owner, place: Workplace) => string;
  readonly flags?: readonly string[];
  readonly says: RegExp;
  readonly code: 0 | 3;
}>([
  {
    owner: 'is dead',
    file: (self) => JSON.stringify({ ...self, pid: 2 ** 22 - 3 }),
    says: /pid 4194301\) is gone without closing the log/,
    code: 0,
  },
  {
    owner: 'has a pid that belongs to another program now',
    file: (self) => JSON.stringify({ ...self, pid: process.pid }),
    says: new RegExp(`pid ${process.pid}\\) is gone without closing the log`),
    code: 0,
  },
  {
    owner: 'left a malformed file',
    file: () => '{"pid":',
    says: /owner file of writer 2 is damaged; its place is taken/,
    code: 0,
  },
  {
    owner: 'left an empty file',
    file: () => '',
    says: /owner file of writer 2 is damaged; its place is taken/,
    code: 0,
  },
  {
    owner: 'is on another host',
    file: (self) => JSON.stringify({ ...self, host: 'far-away' }),
    says: /owns audit .*: pid \d+ on far-away\. .*--take-over/,
    code: 3,
  },
  {
    owner: 'is of another boot of a machine of this name',
    file: (self) => JSON.stringify({ ...self, bootId: 'another-boot' }),
    says: new RegExp(`on ${hostname()}\\. It began before this machine was started .*--take-over`),
    code: 3,
  },
  {
    owner: 'is in another container',
    file: (self) => JSON.stringify({ ...self, pidNamespace: 'pid:[1]' }),
    says: /owns audit .*--take-over/,
    code: 3,
  },
  {
    owner: 'is on another host, and is passed over by the operator',
    file: (self) => JSON.stringify({ ...self, host: 'far-away' }),
    flags: ['--take-over'],
    says: /taken over from pid \d+ on far-away/,
    code: 0,
  },
])('a second run where the owner $owner: exit $code (B14)', async ({ file, flags, says, code }) => {
  restore();
  // As a process leaves it that dies right after its claim.
  const claimed = join(auditFolder(planned), 'writers', '2');
  writeFileSync(claimed, file(identityIn(planned), planned));
  const before = commitsOf(planned).length;
  const ended = await planned.run('run', ...(flags ?? []));
  expect([ended.code, ended.stdout]).toEqual([code, '']);
  expect(ended.stderr).toMatch(says);
  if (code === 3) expect(commitsOf(planned)).toHaveLength(before);
  else expect(commitsOf(planned).at(-1)).toMatchObject({ epoch: 3, to: 'complete' });
  await expectOneHistory(planned, 'after it');
});

test('a second run where the owner lives, or is paused by SIGSTOP for longer than any lease, is refused and starts nothing (B14)', async () => {
  const { place, gate, owner } = await startRunningAudit();
  for (const signal of [undefined, 'SIGSTOP'] as const) {
    if (signal !== undefined) owner.kill(signal);
    const second = await place.run('run', ...ONE_LENS, ...place.commandOf('answer-clean'));
    expect(second.code).toBe(3);
    expect(second.stderr).toContain(`pid ${owner.pid} `);
  }
  expect(place.calls()).toHaveLength(1);
  owner.kill('SIGCONT');
  await writeFile(gate, '');
  expect((await owner.ended).code).toBe(0);
  await expectOneHistory(place, 'after it');
});

/** The audit as it was when it was only planned. */
const restore = (): void => {
  const state = join(planned.root, '.casefile');
  rmSync(state, { recursive: true, force: true });
  cpSync(join(planned.folder, 'planned'), state, { recursive: true });
};

const outcomeOf = ({ code, stderr }: Ended): 'fine' | 'owned' | 'other' => {
  if (code === 0) return 'fine';
  return code === 3 && /Another process (owns|has begun)/.test(stderr) ? 'owned' : 'other';
};

/** Every number once and in order, and every byte, link and blob as it should be. */
const expectOneHistory = async (place: Workplace, about: string): Promise<void> => {
  let next = 1;
  for (const commit of commitsOf(place)) {
    expect(commit.seq, about).toBe(next);
    next = lastNumber(commit) + 1;
  }
  const disk = createNodeDisk();
  const directory = auditFolder(place);
  const blobs = createFileBlobStore({ disk, directory });
  expect((await verifyLog({ disk, directory, blobs })).problems, about).toEqual([]);
};

/** What the first writer left, which is dead by now: this host, boot and pid namespace. */
const identityIn = (place: Workplace): Owner =>
  JSON.parse(readFileSync(join(auditFolder(place), 'writers', '1'), 'utf8')) as Owner;
