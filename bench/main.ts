import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measureAppends } from './appends.ts';
import { inNewFolder } from './measure.ts';
import { medianPackets } from './packets.ts';
import { measurePlan } from './plan.ts';
import { measureReplay } from './replay.ts';
import { generateTree, measureSecondPlan } from './second-plan.ts';
import { measureStartUp } from './start-up.ts';
import {
  flatRow,
  kilobytes,
  milliseconds,
  mostRow,
  speedRow,
  tableOf,
  timeRow,
  type Row,
} from './table.ts';

/**
 * Every bar, in one run. Exit code 1 when one is missed.
 *
 *     npm run bench -- [--typeorm DIR] [--write]
 *
 * `--typeorm`: a git repository with the files of typeorm 0.3.31, to plan. `--write`: put the table
 * into ARCHITECTURE.md.
 */
const { values: flags } = parseArgs({
  options: { typeorm: { type: 'string' }, write: { type: 'boolean' } },
});
const rows: Row[] = [];
const say = (sentence: string): void => console.error(sentence);

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
rows.push(
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
);

if (flags.typeorm === undefined) say('plan: skipped, since no --typeorm DIR is given');
else {
  say('plan');
  rows.push(
    timeRow(
      'plan of typeorm 0.3.31, no analyzers; floor: list, read, digest, parse',
      await measurePlan(resolve(flags.typeorm)),
      4,
    ),
  );
}

say('second plan');
await inNewFolder(async (folder) => {
  generateTree(folder, 5000);
  await addSecondPlan('5,000 generated files', folder);
});
if (flags.typeorm !== undefined) await addSecondPlan('typeorm 0.3.31', resolve(flags.typeorm));

const table = tableOf(rows);
console.log(table);
if (flags.write === true) writeTable(table);
process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1;

async function addSecondPlan(what: string, tree: string): Promise<void> {
  const { again, anew } = await measureSecondPlan(tree);
  rows.push(
    speedRow(`second plan of ${what}; floor: the first`, again, 3),
    speedRow(`plan for a new audit of ${what}, unchanged; floor: the first`, anew, 1.1),
  );
}

function writeTable(made: string): void {
  const file = join(import.meta.dirname, '..', '..', 'ARCHITECTURE.md');
  const day = new Date().toISOString().slice(0, 10);
  const heading = `Measured on ${day} with Node ${process.versions.node}:`;
  const text = readFileSync(file, 'utf8');
  const mark = '<!-- bench -->';
  const end = '<!-- /bench -->';
  const before = text.slice(0, text.indexOf(mark) + mark.length);
  const after = text.includes(end) ? text.slice(text.indexOf(end) + end.length) : '\n';
  writeFileSync(file, `${before}\n\n${heading}\n\n${made}\n\n${end}${after}`);
}
