import { describe, expect, test } from 'vitest';
import { openFileEventStore } from '../../src/store/file-event-store.ts';
import { claimCreation, claimEpoch } from '../../src/store/writer-epoch.ts';
import type { ClaimOptions } from '../../src/store/writer-epoch.ts';
import { identityOf } from '../helpers/log-lives.ts';
import { appendNext, writerClosedDraft } from '../helpers/log-samples.ts';
import { createSimulatedDisk } from '../helpers/simulated-disk.ts';
import type { SimulatedDisk } from '../helpers/simulated-disk.ts';

const directory = '/audit';
const claimAs = (
  disk: SimulatedDisk,
  pid: number,
  more: Partial<ClaimOptions> = {},
): ReturnType<typeof claimEpoch> =>
  claimEpoch({
    disk,
    directory,
    self: identityOf(pid),
    isOwnerDead: () => false,
    takeOver: false,
    ...more,
  });

/** Opens the log as `epoch` and closes it, with or without saying so in the log. */
const write = async (
  disk: SimulatedDisk,
  epoch: number,
  close: 'clean' | 'none',
): Promise<void> => {
  const store = await openFileEventStore({ disk, directory, epoch, mode: 'create' });
  await appendNext(store, epoch);
  if (close === 'clean') await appendNext(store, epoch, writerClosedDraft(epoch));
  await store.close();
};

describe('an epoch', () => {
  test('is owned as long as its owner may live, and the owner is named', async () => {
    const disk = createSimulatedDisk();
    expect(await claimAs(disk, 1)).toEqual({ kind: 'claimed', epoch: 1, notices: [] });
    expect(await claimAs(disk, 2)).toEqual({ kind: 'owned', epoch: 1, owner: identityOf(1) });
    await write(disk, 1, 'none');
    expect(await claimAs(disk, 2)).toMatchObject({ kind: 'owned', epoch: 1 });
  });

  test('is released by its WriterClosed, without a notice', async () => {
    const disk = createSimulatedDisk();
    await claimAs(disk, 1);
    await write(disk, 1, 'clean');
    expect(await claimAs(disk, 2)).toEqual({ kind: 'claimed', epoch: 2, notices: [] });
    // The log's last word is of epoch 1, which says nothing about epoch 2.
    expect(await claimAs(disk, 3)).toMatchObject({ kind: 'owned', epoch: 2 });
  });

  test('is released when its owner is proven dead, and people hear of it (R24, W35)', async () => {
    const disk = createSimulatedDisk();
    await claimAs(disk, 1);
    const asked: number[] = [];
    const isOwnerDead = async ({ pid }: { readonly pid: number }): Promise<boolean> => {
      asked.push(pid);
      return true;
    };
    expect(await claimAs(disk, 2, { isOwnerDead })).toEqual({
      kind: 'claimed',
      epoch: 2,
      notices: [{ kind: 'owner-dead', epoch: 1, owner: identityOf(1) }],
    });
    expect(asked).toEqual([1]);
  });

  test('is passed over when the operator says so', async () => {
    const disk = createSimulatedDisk();
    await claimAs(disk, 1);
    expect(await claimAs(disk, 2, { takeOver: true })).toMatchObject({
      kind: 'claimed',
      epoch: 2,
      notices: [{ kind: 'taken-over', epoch: 1 }],
    });
  });

  test('is released when its file is malformed, with a notice', async () => {
    const disk = createSimulatedDisk();
    await claimAs(disk, 1);
    for (const text of ['', 'nonsense', '{"pid":1}', '[]']) {
      disk.poke(`${directory}/writers/1`, Buffer.from(text));
      expect(await claimAs(disk.crash({ kind: 'kill' }), 2)).toMatchObject({
        kind: 'claimed',
        epoch: 2,
        notices: [{ kind: 'owner-file-malformed', epoch: 1 }],
      });
    }
  });

  test('of a log that was restored without its writers is above that of the log', async () => {
    const disk = createSimulatedDisk();
    for (const epoch of [1, 2]) {
      await claimAs(disk, epoch, { takeOver: true });
      await write(disk, epoch, 'none');
    }
    for (const epoch of [1, 2]) await disk.remove(`${directory}/writers/${epoch}`);
    expect(await claimAs(disk, 3)).toEqual({
      kind: 'claimed',
      epoch: 3,
      notices: [{ kind: 'owner-file-missing', epoch: 2 }],
    });
  });

  test('that was claimed and never written only skips a number', async () => {
    const disk = createSimulatedDisk();
    await claimAs(disk, 1);
    await write(disk, 1, 'clean');
    await claimAs(disk, 2);
    expect(await claimAs(disk, 3, { isOwnerDead: () => true })).toMatchObject({ epoch: 3 });
  });
});

test('of two that race one wins, however their steps fall together', async () => {
  for (let seed = 0; seed < 30; seed += 1) {
    const disk = createSimulatedDisk();
    await disk.makeDirectory(directory);
    const turns = async (count: number): Promise<void> => {
      for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
    };
    const claims = await Promise.all([
      claimAs(disk, 1),
      turns(seed).then(() => claimAs(disk, 2)),
      turns(seed * 2).then(() => claimAs(disk, 3)),
    ]);
    expect(claims.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
    expect(disk.files()).toEqual([`${directory}/writers/1`]);
  }
});

test('a claim is durable when it is given, and no file of the writers ever goes away', async () => {
  const disk = createSimulatedDisk();
  await claimAs(disk, 1);
  for (let seed = 0; seed < 20; seed += 1) {
    const next = disk.crash({ kind: 'power', seed });
    expect(await claimAs(next, 2)).toMatchObject({ kind: 'owned', owner: identityOf(1) });
  }
  const touched = disk
    .operations()
    .filter(
      ({ kind, path }) => kind === 'remove' || (kind === 'rename' && path.includes('/writers/')),
    );
  expect(touched.map(({ path }) => path)).toEqual([`${directory}/.writer-nonce-0001`]);
});

test('creating an audit is for one at a time, until it is released or its owner is dead', async () => {
  const disk = createSimulatedDisk();
  const create = (pid: number, isOwnerDead = false): ReturnType<typeof claimCreation> =>
    claimCreation({
      disk,
      directory: '/state',
      self: identityOf(pid),
      isOwnerDead: () => isOwnerDead,
      takeOver: false,
    });
  const first = await create(1);
  expect(await create(2)).toMatchObject({ kind: 'owned', owner: identityOf(1) });
  if (first.kind === 'claimed') await first.release();
  expect(await create(2)).toMatchObject({ kind: 'claimed', epoch: 2, notices: [] });
  expect(await create(3, true)).toMatchObject({ kind: 'claimed', epoch: 3 });
});
