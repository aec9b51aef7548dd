import { describe, expect, test } from 'vitest';
import { auditFiles } from '../../src/engine/audit-files.ts';
import { claimPackets, type Claimed } from '../../src/engine/hand-off-claims.ts';
import type { PacketId } from '../../src/domain/ids.ts';
import { AUDIT, packetIdOf, START } from '../helpers/samples.ts';
import { createSimulatedDisk, type SimulatedDisk } from '../helpers/simulated-disk.ts';

const HOLD_MS = 60_000;
const FILES = auditFiles('/state', AUDIT);
const FOUR = [1, 2, 3, 4].map(packetIdOf);

const claims = (
  disk: SimulatedDisk,
  host: string | undefined,
  fields: { readonly count?: number; readonly now?: number; readonly packets?: PacketId[] } = {},
): Promise<Claimed> =>
  claimPackets({
    disk,
    files: FILES,
    host,
    packets: FOUR,
    count: 2,
    now: START,
    holdMs: HOLD_MS,
    ...fields,
  });

const claimFile = (packet: number): string => `${FILES.handOffs}/${packetIdOf(packet)}.claim`;
const none = { packets: [], busyUntil: START + HOLD_MS };

describe('a host', () => {
  test('gets the first packets of the plan, and the same ones when it asks again', async () => {
    const disk = createSimulatedDisk();
    for (const now of [START, START + 1000, START + HOLD_MS * 2]) {
      expect(await claims(disk, 'a', { now })).toEqual({
        packets: FOUR.slice(0, 2),
        busyUntil: undefined,
      });
    }
    // What it has comes first, also when something before it is free again.
    await claims(disk, 'b', { packets: [packetIdOf(3)] });
    expect((await claims(disk, 'b', { count: 1 })).packets).toEqual([packetIdOf(3)]);
  });

  test('gets none that another has, and is told when to ask again', async () => {
    const disk = createSimulatedDisk();
    await claims(disk, 'a');
    expect((await claims(disk, 'b')).packets).toEqual(FOUR.slice(2));
    expect(await claims(disk, 'c')).toEqual(none);
    expect(await claims(disk, 'c', { packets: [] })).toEqual({ packets: [], busyUntil: undefined });
  });

  test('that asks again holds its packets for longer', async () => {
    const disk = createSimulatedDisk();
    await claims(disk, 'a', { count: 4 });
    await claims(disk, 'a', { count: 4, now: START + HOLD_MS - 1 });
    expect((await claims(disk, 'b', { now: START + HOLD_MS })).packets).toEqual([]);
  });

  test('takes over what ran out, and what is damaged', async () => {
    const disk = createSimulatedDisk();
    await claims(disk, 'a', { count: 4 });
    expect((await claims(disk, 'b', { now: START + HOLD_MS - 1 })).packets).toEqual([]);
    expect((await claims(disk, 'b', { now: START + HOLD_MS })).packets).toEqual(FOUR.slice(0, 2));
    for (const damage of ['', '{"host":"a"', '{"host":7,"until":1}', 'null']) {
      disk.poke(claimFile(3), Buffer.from(damage));
      const [packet] = (await claims(disk, 'c', { packets: [packetIdOf(3)] })).packets;
      expect(packet).toBe(packetIdOf(3));
    }
  });
});

test('a host without a name claims nothing, and gets what nobody has claimed first', async () => {
  const disk = createSimulatedDisk();
  await claims(disk, 'a');
  const [first, second, third, fourth] = FOUR;
  const before = disk.files();
  for (const count of [1, 2]) {
    const { packets, busyUntil } = await claims(disk, undefined, { count });
    expect([packets, busyUntil]).toEqual([[third, fourth].slice(0, count), undefined]);
  }
  expect((await claims(disk, undefined, { count: 4 })).packets).toEqual([
    ...[third, fourth],
    ...[first, second],
  ]);
  // What ran out is nobody's any more.
  expect((await claims(disk, undefined, { now: START + HOLD_MS })).packets).toEqual([
    first,
    second,
  ]);
  expect(disk.files()).toEqual(before);
});

test('of hosts that ask at the same moment each packet goes to one', async () => {
  for (let hosts = 2; hosts <= 4; hosts += 1) {
    const disk = createSimulatedDisk();
    const names = ['a', 'b', 'c', 'd'].slice(0, hosts);
    const all = await Promise.all(names.map((name) => claims(disk, name, { count: 4 })));
    const picked = all.flatMap(({ packets }) => packets);
    expect(picked.toSorted()).toEqual(FOUR);
    for (const [index, name] of names.entries()) {
      expect((await claims(disk, name, { count: 4 })).packets).toEqual(all[index]?.packets);
    }
  }
});

test('killed anywhere, a host leaves no claim that is in the way of the others for ever', async () => {
  const whole = createSimulatedDisk();
  await claims(whole, 'a');
  for (let crashAt = 1; crashAt <= whole.operations().length; crashAt += 1) {
    const dying = createSimulatedDisk({ crashAt });
    await claims(dying, 'a').catch(() => undefined);
    const disk = dying.crash({ kind: 'kill' });
    expect((await claims(disk, 'b', { count: 4, now: START + HOLD_MS })).packets).toEqual(FOUR);
  }
});

test('a host is given packets with as many looks at the disk, whether few are open or many (W67)', async () => {
  const looks = async (host: string | undefined, open: number): Promise<number> => {
    const disk = createSimulatedDisk();
    const packets = Array.from({ length: open }, (_, index) => packetIdOf(index + 1));
    await claims(disk, 'other', { count: 2, packets });
    const before = disk.operations().length;
    await claims(disk, host, { count: 1, packets });
    return disk.operations().length - before;
  };
  expect(await looks('a', 64)).toBe(await looks('a', 16));
  expect(await looks(undefined, 64)).toBe(await looks(undefined, 16));
});

test('a disk that fails is told, and claims nothing in silence', async () => {
  const disk = createSimulatedDisk({ fault: ({ kind }) => (kind === 'link' ? 'EIO' : undefined) });
  await expect(claims(disk, 'a')).rejects.toThrow(/EIO/);
});
