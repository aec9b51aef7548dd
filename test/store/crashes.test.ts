import { expect, test } from 'vitest';
import { readLog } from '../../src/store/read-log.ts';
import { AUDIT, keyOf, live } from '../helpers/log-lives.ts';
import type { Life } from '../helpers/log-lives.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { createSimulatedDisk } from '../helpers/simulated-disk.ts';
import type { Operation, SimulatedDisk, SimulatedDiskOptions } from '../helpers/simulated-disk.ts';

const GROUPS = [1, 3, 2, 1];

/** What each life found and was told must agree with all lives before it. */
const createWitness = () => {
  let promised: readonly string[] = [];
  let possible: ReadonlySet<string> = new Set();
  return (life: Life): void => {
    if (life.found === undefined) return;
    const found = life.found.map(keyOf);
    // Nothing that was acknowledged, or found durable by an earlier life, is lost or reordered.
    expect(found.slice(0, promised.length)).toEqual(promised);
    // What is there besides was handed in by somebody, and nothing is there twice.
    for (const key of found.slice(promised.length)) expect(possible).toContain(key);
    expect(new Set(found).size).toBe(found.length);
    promised = [...found, ...life.acknowledged.map(keyOf)];
    possible = new Set([...promised, ...life.handedIn]);
  };
};

const ends = (seed: number) => [{ kind: 'kill' } as const, { kind: 'power', seed } as const];

/** Lives one after the other, the last one undisturbed and twice; gives how many cut a torn tail. */
const liveAll = async (
  first: SimulatedDisk,
  after: readonly {
    readonly end: Parameters<SimulatedDisk['crash']>[0];
    readonly options: SimulatedDiskOptions;
    readonly groups?: readonly number[];
  }[],
): Promise<number> => {
  const agree = createWitness();
  let torn = 0;
  const witness = (life: Life): void => {
    agree(life);
    if (life.recovered?.kind === 'torn') torn += 1;
  };
  let disk = first;
  let pid = 1;
  witness(await live(disk, pid, GROUPS));
  for (const { end, options, groups = GROUPS } of after) {
    disk = disk.crash(end, options);
    pid += 1;
    witness(await live(disk, pid, groups));
  }
  disk = disk.crash({ kind: 'power', seed: pid });
  const last = await live(disk, pid + 1, GROUPS);
  witness(last);
  expect(last.acknowledged).toHaveLength(8);
  const { commits, tail } = await readLog({ disk, directory: AUDIT });
  expect(tail).toEqual({ kind: 'clean' });
  const again = await live(disk.crash({ kind: 'kill' }), pid + 2, []);
  witness(again);
  expect(again.recovered).toEqual({ kind: 'clean' });
  expect(again.found).toEqual(commits);
  return torn;
};

/** The operations of an undisturbed life that can change the disk. */
const changesOf = async (): Promise<readonly Operation[]> => {
  const disk = createSimulatedDisk();
  await live(disk, 1, GROUPS);
  return disk.operations().filter(({ changes }) => changes);
};

/** Stopped there, a group of lines is written and not synced: the tail can be torn. */
const isLogSync = ({ kind, path }: Operation): boolean =>
  kind === 'datasync' && path.includes('/events/');

test('a process stopped at any operation loses nothing that it acknowledged, and glues nothing', async () => {
  const random = createSeededRandom(1);
  let torn = 0;
  for (const operation of await changesOf()) {
    const crashAt = operation.ordinal;
    // A short life in between syncs nothing by chance that recovery should have synced.
    const short = { end: { kind: 'kill' }, options: {}, groups: [1] } as const;
    torn += await liveAll(createSimulatedDisk({ crashAt }), [short]);
    for (let seed = 0; seed < (isLogSync(operation) ? 20 : 3); seed += 1) {
      for (const end of ends(crashAt * 100 + seed)) {
        const second = { end, options: { crashAt: 1 + random.below(100) } };
        const third = { end: { kind: 'power', seed } as const, options: {} };
        torn += await liveAll(createSimulatedDisk({ crashAt }), [second, third]);
      }
    }
  }
  // The sweep is worth its name only if recovery often had something to cut.
  expect(torn).toBeGreaterThan(30);
});

test('a recovery stopped at any operation is recovered by the next, and changes nothing more', async () => {
  let recoveries = 0;
  for (const { ordinal } of (await changesOf()).filter(isLogSync)) {
    for (let seed = 0; seed < 4; seed += 1) {
      const first = createSimulatedDisk({ crashAt: ordinal });
      await live(first, 1, GROUPS);
      const recovering = first.crash({ kind: 'power', seed });
      const life = await live(recovering, 2, []);
      if (life.recovered?.kind !== 'torn') continue;
      recoveries += 1;
      for (const { ordinal: crashAt } of recovering.operations().filter(({ changes }) => changes)) {
        for (const end of ends(crashAt)) {
          await liveAll(createSimulatedDisk({ crashAt: ordinal }), [
            { end: { kind: 'power', seed }, options: { crashAt } },
            { end, options: {} },
          ]);
        }
      }
    }
  }
  expect(recoveries).toBeGreaterThan(3);
});

test('a disk that fails at any operation stops the writer for good, and nothing acknowledged is lost', async () => {
  const whole = createSimulatedDisk();
  await live(whole, 1, GROUPS);
  for (const operation of whole.operations()) {
    const { ordinal } = operation;
    for (let seed = 0; seed < (isLogSync(operation) ? 8 : 2); seed += 1) {
      const code = seed % 2 === 0 ? 'EIO' : 'ENOSPC';
      const failing = createSimulatedDisk({
        seed,
        fault: (asked) => (asked.ordinal === ordinal ? code : undefined),
      });
      await liveAll(failing, [
        { end: { kind: 'kill' }, options: {} },
        { end: { kind: 'power', seed }, options: {} },
      ]);
    }
  }
});
