import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { PROGRAM, PROJECT } from './built-paths.ts';
import { inNewFolder } from './measure.ts';
import { markdownTable } from './table.ts';
import { packageTree } from './trees.ts';

/**
 * How many real vulnerabilities the bundled analyzers find, and how much else they say.
 *
 *     npm run bench:truth -- [--cases FILE] [--list]
 *
 * Each package is got from npm as it was published, never installed or run, and audited whole with
 * `casefile run`. A case is hit when a finding of its kind stands within two lines of the sink. Alarms are
 * all findings of lens security in the file of the sink, in the vulnerable version and in the fixed one.
 * `--list` tells every alarm.
 */
const truth = z.object({
  cases: z.array(
    z.object({
      category: z.string(),
      id: z.string(),
      package: z.string(),
      version: z.string(),
      sink_file: z.string(),
      sink_line: z.number(),
      fixed: z.string().nullable(),
    }),
  ),
});
type Case = z.infer<typeof truth>['cases'][number];

const findings = z.object({
  findings: z.array(
    z.looseObject({
      category: z.string(),
      lenses: z.array(z.string()),
      place: z.object({ path: z.string(), line: z.number() }),
      title: z.string(),
    }),
  ),
});
type Alarm = z.infer<typeof findings>['findings'][number];

const LINES_NEAR = 2;

const { values: flags } = parseArgs({
  options: { cases: { type: 'string' }, list: { type: 'boolean' } },
});
const file = flags.cases ?? join(PROJECT, 'bench', 'truth', 'secbench-js.json');
const { cases } = truth.parse(JSON.parse(readFileSync(file, 'utf8')));

const rows: string[][] = [];
const sum = { hit: 0, had: 0, vulnerable: 0, fixed: 0, fixedFiles: 0 };

inNewFolder(async (folder) => {
  for (const one of cases) measure(one, folder);
})
  .then(() => {
    const heads = ['kind', 'package', 'sink', 'hit', 'alarms there', 'alarms in the fixed file'];
    console.log(markdownTable([heads, ...rows]));
    console.log(
      `\n${sum.hit} of ${sum.had} sinks hit, ${sum.vulnerable} alarms in the vulnerable files, ` +
        `${sum.fixed} in ${sum.fixedFiles} fixed ones.`,
    );
    console.log(
      'Floor: the recommended rules of eslint-plugin-security hit 15 of the 25 that are here, with 359 alarms in the vulnerable and 318 in 16 fixed files.',
    );
  })
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });

function measure(one: Case, folder: string): void {
  const sink = `${one.sink_file}:${one.sink_line}`;
  const vulnerable = alarmsOf(one.package, one.version, one.sink_file, folder);
  if (vulnerable === undefined) {
    rows.push([one.category, `${one.package} ${one.version}`, sink, 'not to be had', '–', '–']);
    return;
  }
  const isHit = vulnerable.some(
    ({ category, place }) =>
      category === one.category && Math.abs(place.line - one.sink_line) <= LINES_NEAR,
  );
  const fixed =
    one.fixed === null ? undefined : alarmsOf(one.package, one.fixed, one.sink_file, folder);
  sum.had += 1;
  sum.hit += isHit ? 1 : 0;
  sum.vulnerable += vulnerable.length;
  sum.fixed += fixed?.length ?? 0;
  sum.fixedFiles += fixed === undefined ? 0 : 1;
  rows.push([
    one.category,
    `${one.package} ${one.version}`,
    sink,
    isHit ? 'yes' : 'no',
    String(vulnerable.length),
    fixed === undefined ? '–' : String(fixed.length),
  ]);
  if (flags.list !== true) return;
  list(`${one.package} ${one.version}`, vulnerable);
  if (fixed !== undefined) list(`${one.package} ${one.fixed} (fixed)`, fixed);
}

function list(name: string, alarms: readonly Alarm[]): void {
  for (const { category, place, title } of alarms) {
    console.error(`${name}  ${place.path}:${place.line}  ${category}  ${title.slice(0, 120)}`);
  }
}

/** Security findings in one file of a published package; undefined when npm does not give it. */
function alarmsOf(
  name: string,
  version: string,
  path: string,
  folder: string,
): readonly Alarm[] | undefined {
  const tree = packageTree({ name, version }, folder);
  if (tree === undefined) return undefined;
  const state = join(folder, 'state', `${name.replaceAll(/\W+/g, '-')}-${version}`);
  mkdirSync(state, { recursive: true });
  spawnSync(
    process.execPath,
    [PROGRAM, 'run', tree, '--state-dir', state, '--lenses', 'security', '--fail-on', 'none'],
    { stdio: ['ignore', 'ignore', 'ignore'], env: { ...process.env, XDG_CACHE_HOME: state } },
  );
  const [report = ''] = execFileSync('find', [state, '-name', 'findings.json'], {
    encoding: 'utf8',
  }).split('\n');
  if (report === '') return [];
  return findings
    .parse(JSON.parse(readFileSync(report, 'utf8')))
    .findings.filter(({ place, lenses }) => place.path === path && lenses.includes('security'));
}
