import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureCore } from './core-rows.ts';
import { GRAPH_HEADS, measureGraphs } from './graph-rows.ts';
import { inNewFolder } from './measure.ts';
import { measurePlans } from './plan-rows.ts';
import { markdownTable, packetTableOf, tableOf } from './table.ts';
import { PROJECT } from './built-paths.ts';

/**
 * Every bar, in one run. Exit code 1 when one is missed.
 *
 *     npm run bench -- [--only core|plans|graphs] [--write]
 *
 * Published packages come from npm, and are left out when it cannot be reached. `--write`: put the
 * tables into ARCHITECTURE.md.
 */
const { values: flags } = parseArgs({
  options: { only: { type: 'string' }, write: { type: 'boolean' } },
});
const say = (sentence: string): void => console.error(sentence);
const isAsked = (part: 'core' | 'plans' | 'graphs'): boolean =>
  flags.only === undefined || flags.only === part;
let areAllMet = true;

if (isAsked('core')) {
  const rows = await measureCore(say);
  tell('bench', tableOf(rows));
  areAllMet &&= rows.every(({ ok }) => ok);
}
if (isAsked('plans')) {
  const { rows, packets } = await inNewFolder((folder) => measurePlans(folder, say));
  tell('bench plans', `${tableOf(rows)}\n\n${packetTableOf(packets)}`);
  areAllMet &&= [...rows, ...packets].every(({ ok }) => ok);
}
if (isAsked('graphs')) {
  const rows = await inNewFolder((folder) => measureGraphs(folder, say));
  tell('bench graphs', markdownTable([[...GRAPH_HEADS], ...rows.map(({ cells }) => cells)]));
  areAllMet &&= rows.every(({ ok }) => ok);
}
process.exitCode = areAllMet ? 0 : 1;

function tell(mark: string, tables: string): void {
  console.log(`${tables}\n`);
  if (flags.write === true) write(mark, tables);
}

/** Between the marks of that name in ARCHITECTURE.md. */
function write(mark: string, tables: string): void {
  const file = join(PROJECT, 'ARCHITECTURE.md');
  const day = new Date().toISOString().slice(0, 10);
  const heading = `Measured on ${day} with Node ${process.versions.node}:`;
  const text = readFileSync(file, 'utf8');
  const [begin, end] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`ARCHITECTURE.md has no ${begin} … ${end}`);
  const before = text.slice(0, from + begin.length);
  writeFileSync(file, `${before}\n\n${heading}\n\n${tables}\n\n${text.slice(to)}`);
}
