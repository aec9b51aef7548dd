import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { LOG_START, LOG_VERSION, lastNumberOf, type Commit } from '../../src/domain/commit.ts';
import { EVENT_TYPES, type EventType } from '../../src/domain/events.ts';
import { auditStatus } from '../../src/domain/status.ts';
import { evolveCommit } from '../../src/decider/evolve.ts';
import { checkInvariants } from '../../src/decider/invariants.ts';
import { initialState, plainState, type AuditState } from '../../src/decider/state.ts';
import { statusOf } from '../../src/decider/status.ts';
import { createNodeDisk } from '../../src/platform/node-disk.ts';
import { digestOf } from '../../src/std/digest.ts';
import { encodeCommit } from '../../src/store/commit-codec.ts';
import { openFileEventStore } from '../../src/store/file-event-store.ts';
import { readLog } from '../../src/store/read-log.ts';
import { EVENTS_FOLDER } from '../../src/store/segments.ts';
import { createSimulatedDisk } from '../helpers/simulated-disk.ts';
import { richAudit } from '../helpers/rich-audit.ts';

/**
 * Logs that released versions of the format wrote, and what their replay must give. A log is never
 * edited: a new version of the format gets a folder of its own, and upcasters read the old ones.
 * New types of event do not change the format; they get a log beside the others of their version
 * (`v1`, `v1.1`, ...). `GOLDEN=write` writes one where a type is in none, and the replays. Of these the digest of
 * the whole state follows the state's shape; what the status says stays the same for ever.
 */
const LOGS = join(import.meta.dirname, '..', '..', 'fixtures', 'logs');
const isWriting = process.env['GOLDEN'] === 'write';

const replays = z.array(z.strictObject({ seq: z.int(), state: z.string(), status: auditStatus }));
type Replays = z.infer<typeof replays>;

/** The logs of the format that is written now, the oldest first. */
const ofThisFormat = (): readonly string[] =>
  readdirSync(LOGS)
    .filter((name) => name.split('.')[0] === `v${LOG_VERSION}`)
    .toSorted();

const commitsOf = async (version: string): Promise<readonly Commit[]> => {
  const { commits, tail } = await readLog({
    disk: createNodeDisk(),
    directory: join(LOGS, version),
  });
  expect(tail).toEqual({ kind: 'clean' });
  return commits;
};

const missingTypes = async (): Promise<readonly EventType[]> => {
  const logs = await Promise.all(ofThisFormat().map(commitsOf));
  const types = new Set(logs.flat().flatMap(({ events }) => events.map(({ type }) => type)));
  return EVENT_TYPES.filter((type) => !types.has(type));
};

if (isWriting && (await missingTypes()).length > 0) await writeLog();
const versions = readdirSync(LOGS).toSorted();

const fold = (commits: readonly Commit[]): AuditState =>
  commits.reduce(evolveCommit, initialState());

/** Numbers of commits to compare at: about ten, and the last. */
const pointsOf = (commits: readonly Commit[]): readonly number[] => {
  const step = Math.ceil(commits.length / 10);
  return commits
    .filter((_, index) => index % step === step - 1 || index === commits.length - 1)
    .map(lastNumberOf);
};

test('the version that is written now has a log here', () => {
  expect(versions).toContain(`v${LOG_VERSION}`);
});

test.each(versions)('the log of %s replays to what it always gave', async (version) => {
  const commits = await commitsOf(version);
  const found: Replays = pointsOf(commits).map((seq) => {
    const state = fold(commits.filter((commit) => lastNumberOf(commit) <= seq));
    return { seq, state: digestOf(plainState(state)), status: statusOf(state) };
  });
  const file = join(LOGS, version, 'replays.json');
  if (isWriting) writeFileSync(file, `${JSON.stringify(found, undefined, 2)}\n`);
  const expected = replays.parse(JSON.parse(readFileSync(file, 'utf8')));
  expect(found.map(({ seq, status }) => ({ seq, status }))).toEqual(
    expected.map(({ seq, status }) => ({ seq, status })),
  );
  expect(found.map(({ state }) => state)).toEqual(expected.map(({ state }) => state));
});

test.each(versions)(
  'the log of %s is replayed to every number with nothing else present, and agrees with what it recorded',
  async (version) => {
    const state = initialState();
    for (const commit of await commitsOf(version)) {
      expect(state.lifecycle.path).toBe(commit.from);
      evolveCommit(state, commit);
      expect(state.lifecycle.path).toBe(commit.to);
      expect(state.seq).toBe(lastNumberOf(commit));
      checkInvariants(state);
      auditStatus.parse(statusOf(state));
    }
    expect(state.completed).toBeDefined();
  },
);

test(`the logs of v${LOG_VERSION} hold every type of event`, async () => {
  expect(await missingTypes()).toEqual([]);
});

test.each(ofThisFormat())(
  'each line of %s is written today as it was then, byte by byte',
  async (version) => {
    const folder = join(LOGS, version, EVENTS_FOLDER);
    const written = Buffer.concat(
      readdirSync(folder)
        .toSorted()
        .map((name) => readFileSync(join(folder, name))),
    );
    let previousHash = LOG_START.hash;
    const lines = (await commitsOf(version)).map(({ seq, epoch, durable, ...draft }) => {
      const { line, hash } = encodeCommit(draft, { seq, epoch, durable, previousHash });
      previousHash = hash;
      return line;
    });
    expect(Buffer.concat(lines).toString('utf8')).toBe(written.toString('utf8'));
  },
);

/** The files of the rich audit's log, by the real store on a disk of its own. */
async function writtenNow(): Promise<readonly (readonly [string, Uint8Array])[]> {
  const disk = createSimulatedDisk();
  const directory = '/golden';
  const commits = richAudit();
  for (const epoch of new Set(commits.map((commit) => commit.epoch))) {
    const store = await openFileEventStore({
      disk,
      directory,
      epoch,
      mode: epoch === 1 ? 'create' : 'existing',
      segmentBytesMax: 20_000,
    });
    for (const { draft } of commits.filter((commit) => commit.epoch === epoch)) {
      await store.append(draft, { seq: store.head().seq, epoch });
    }
    await store.close();
  }
  const names = await disk.list(`${directory}/${EVENTS_FOLDER}`);
  return Promise.all(
    names.map(
      async (name) => [name, await disk.readFile(`${directory}/${EVENTS_FOLDER}/${name}`)] as const,
    ),
  );
}

async function writeLog(): Promise<void> {
  const present = ofThisFormat().length;
  const name = present === 0 ? `v${LOG_VERSION}` : `v${LOG_VERSION}.${present}`;
  const folder = join(LOGS, name, EVENTS_FOLDER);
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of await writtenNow()) writeFileSync(join(folder, name), bytes);
}
