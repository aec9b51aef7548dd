import { measureAppends } from './appends.ts';
import { measureReplay } from './replay.ts';
import { measureStartUp } from './start-up.ts';
import { tableOf, timeRow } from './table.ts';
const rows = [timeRow('r', await measureReplay(100_000), 2.2), timeRow('append', await measureAppends(100), 1 / 0.6), timeRow('startup', await measureStartUp(), 2)];
console.log(tableOf(rows));
