import { measureAppends } from './appends.ts';
import { medianPackets } from './packets.ts';
import { measureReplay } from './replay.ts';
import { measureStartUp } from './start-up.ts';
import { flatRow, kilobytes, milliseconds, mostRow, speedRow, tableOf, timeRow } from './table.ts';

/** Every bar in one run. Exit code 1 when one is missed. */
const rows = [];
const say = (sentence: string): void => console.error(sentence);

say('start-up ...');
rows.push(timeRow('`casefile --version` against `node -e 0`', await measureStartUp(), 2));

say('appends ...');
const appends = await measureAppends(200);
rows.push(speedRow('12,800 durable appends in groups of 64', appends, 0.6));

say('replay ...');
rows.push(timeRow('replay of 100,000 one-event commits', await measureReplay(100_000), 2.2));

say('packets ...');
await medianPackets(1000, 1);
const small = await medianPackets(100, 5);
const middle = await medianPackets(1000, 3);
const large = await medianPackets(10_000, 3);
const bytes = 'log and view bytes for one result';
rows.push(
  mostRow(`${bytes}, at 1,000 tasks`, middle.bytesPerResult, 10_000, kilobytes),
  flatRow(
    `${bytes}, at 10,000 tasks against 100`,
    { small: small.bytesPerResult, large: large.bytesPerResult },
    0.1,
    kilobytes,
  ),
  mostRow('own CPU for one packet, at 1,000 tasks', middle.cpuMsPerPacket, 10, milliseconds),
  flatRow(
    'own CPU for one packet, at 10,000 tasks against 100',
    { small: small.cpuMsPerPacket, large: large.cpuMsPerPacket },
    0.5,
    milliseconds,
  ),
);

console.log(tableOf(rows));
process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1;
