import { measureAppends } from './appends.ts';
import { medianPackets } from './packets.ts';
import { measureReplay } from './replay.ts';
import { measureStartUp } from './start-up.ts';
import { flatRow, kilobytes, milliseconds, mostRow, speedRow, timeRow, type Row } from './table.ts';

/** Bars of the start, the log and the core. */
export const measureCore = async (say: (sentence: string) => void): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  say('start-up');
  rows.push(timeRow('`casefile --version`; floor: `node -e 0`', await measureStartUp(), 2));

  say('durable appends');
  rows.push(
    speedRow(
      '12,800 durable appends in groups of 64; floor: write and fdatasync of the same bytes',
      await measureAppends(200),
      0.6,
    ),
  );

  say('replay');
  rows.push(
    timeRow(
      'replay of 100,000 one-event commits; floor: read, split, JSON.parse',
      await measureReplay(100_000),
      2.2,
    ),
  );

  say('packets');
  // The first one is for warming up.
  await medianPackets(1000, 1);
  const small = await medianPackets(100, 5);
  const middle = await medianPackets(1000, 3);
  const large = await medianPackets(10_000, 3);
  const bytes = 'log and view bytes for one result';
  const cpu = 'own CPU for one packet';
  return [
    ...rows,
    mostRow(`${bytes}, at 1,000 tasks`, middle.bytesPerResult, 10_000, kilobytes),
    flatRow(
      `${bytes}, at 10,000 tasks; floor: at 100`,
      { small: small.bytesPerResult, large: large.bytesPerResult },
      0.1,
      kilobytes,
    ),
    mostRow(`${cpu}, at 1,000 tasks`, middle.cpuMsPerPacket, 10, milliseconds),
    flatRow(
      `${cpu}, at 10,000 tasks; floor: at 100`,
      { small: small.cpuMsPerPacket, large: large.cpuMsPerPacket },
      0.5,
      milliseconds,
    ),
  ];
};
