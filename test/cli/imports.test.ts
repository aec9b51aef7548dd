import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ONE_LENS, packetFiles } from '../helpers/audited-files.ts';
import {
  auditFolder,
  auditsOf,
  eventsOf,
  findingsOf,
  reportFile,
} from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';
import { createFakeTools } from '../helpers/fake-tools.ts';

const made = async (files: Readonly<Record<string, string>>): Promise<Workplace> => {
  const place = await createWorkplace(files);
  onTestFinished(place.close);
  return place;
};

const CODE = {
  'src/run.js': 'export const run = (name) => {\n  launch("ls " + name);\n};\n',
  'tools/load.py': 'import os\nimport pickle\n',
};

const reportOf = async (
  place: Workplace,
  tool: string,
  ...results: readonly object[]
): Promise<string> => {
  const file = join(place.folder, `${tool}.json`);
  await writeFile(
    file,
    JSON.stringify({
      tool,
      results: results.map((fields, index) => ({
        ...{
          id: `${tool}-${index}`,
          category: 'security',
          severity: 'high',
          summary: `${tool} says so.`,
        },
        ...fields,
      })),
    }),
  );
  return file;
};

type Findings = {
  readonly findings: readonly {
    readonly title: string;
    readonly explanation: string;
    readonly lenses: readonly string[];
    readonly quote: string;
  }[];
  readonly analyzers: readonly {
    readonly name: string;
    readonly origin?: string;
    readonly importedFrom?: string;
    readonly leads?: number;
  }[];
  readonly coverage: { readonly counts: Readonly<Record<string, number>> };
};
const findingsJson = (place: Workplace): Findings =>
  JSON.parse(readFileSync(reportFile(place, 'findings.json'), 'utf8')) as Findings;

const using = (...files: readonly string[]): readonly string[] =>
  files.flatMap((file) => ['--external-analyzer-results', file]);

describe('results of other tools', () => {
  test('become findings with their provenance, several tools in one audit (W16, W77, W78, W80)', async () => {
    const place = await made(CODE);
    const files = [
      await reportOf(place, 'scanner', { path: '/ci/x/src/run.js', line_start: 2 }),
      await reportOf(place, 'linter', {
        ...{ path: 'tools/load.py', line_start: 1, category: 'correctness', severity: 'low' },
      }),
    ];
    const { code, stderr } = await place.run('run', ...using(...files));
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('scanner.json: taken — scanner imported from scanner.json: 1 lead'),
    ]);
    const { findings, analyzers, coverage } = findingsJson(place);
    expect(findings).toMatchObject([
      {
        title: 'scanner says so.',
        quote: 'launch("ls " + name);',
        lenses: ['security'],
        explanation: expect.stringContaining('(scanner, imported, rule scanner-0;') as string,
      },
      { title: 'linter says so.', quote: 'import os', lenses: ['correctness'] },
    ]);
    expect(analyzers.slice(-2)).toMatchObject([
      { name: 'scanner', origin: 'imported', importedFrom: 'scanner.json', leads: 1 },
      { name: 'linter', origin: 'imported', importedFrom: 'linter.json', leads: 1 },
    ]);
    // Nothing bundled knows Python beyond secrets: only what the report speaks of counts as looked at.
    expect(coverage.counts['analyzersOnly']).toBe(3 + 2);
    const log = readFileSync(join(auditFolder(place), 'events', '000000000001.jsonl'));
    const again = await place.run('run', ...using(...files));
    expect(again.stderr).toContain('known already, nothing changed');
    expect(readFileSync(join(auditFolder(place), 'events', '000000000001.jsonl'))).toEqual(log);
  });

  test('that come late reach the prompts of what is not reviewed yet; tasks and results stay as they are', async () => {
    const place = await made(packetFiles(3));
    const run = ['run', ...ONE_LENS, ...place.commandOf('answer-clean')];
    expect((await place.run(...run, '--max-runs', '1')).code).toBe(3);
    const planned = eventsOf(place, 'TasksPlanned');
    const accepted = eventsOf(place, 'ResultAccepted').map(({ task }) => task);
    const everywhere = [1, 2, 3].map((part) => ({
      path: `part-0${part}/notes.txt`,
      line_start: 5,
    }));
    const file = await reportOf(place, 'scanner', ...everywhere);
    const { code, stdout } = await place.run('import', file, '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      {
        files: [
          { outcome: 'taken', message: expect.stringContaining('3 leads on 3 files') as string },
        ],
      },
    ]);
    expect(eventsOf(place, 'ArtifactsStale')).toMatchObject([
      { obligations: ['enrichment', 'planning'] },
    ]);
    const packets = eventsOf(place, 'PacketsPlanned').flatMap(
      (event) =>
        event['packets'] as readonly {
          readonly replaces?: string;
          readonly prompt: { readonly digest: string };
        }[],
    );
    const anew = packets.filter(({ replaces }) => replaces !== undefined);
    expect(anew).toHaveLength(2);
    for (const { prompt } of anew) {
      const { digest } = prompt;
      const text = readFileSync(
        join(auditFolder(place), 'blobs', digest.slice(0, 2), digest),
        'utf8',
      );
      expect(text).toMatch(
        /"line": 5, "rule": "scanner\/scanner-\d", "source": "imported", "says": "scanner says so\."/,
      );
    }
    expect((await place.run(...run)).code).toBe(0);
    expect(place.calls()).toHaveLength(3);
    expect(eventsOf(place, 'TasksPlanned')).toEqual(planned);
    const settled = eventsOf(place, 'ResultAccepted').map(({ task }) => task);
    expect(settled.slice(0, accepted.length)).toEqual(accepted);
    expect(new Set(settled).size).toBe(3);
    expect(eventsOf(place, 'ExternalInputConsumed')).toHaveLength(1);
  });

  test('that come after the end are refused with what to do, and that does it', async () => {
    const place = await made(CODE);
    expect((await place.run('run')).code).toBe(0);
    const file = await reportOf(place, 'scanner', { path: 'src/run.js', line_start: 2 });
    for (const call of [await place.run('import', file), await place.run('run', ...using(file))]) {
      expect(call.stdout + call.stderr).toContain(
        'The audit is complete and cannot use it any more. Begin one that uses it: casefile run --again --external-analyzer-results FILE',
      );
    }
    expect([auditsOf(place).length, findingsOf(place)]).toEqual([1, []]);
    expect((await place.run('run', '--again', ...using(file))).code).toBe(1);
    expect([auditsOf(place).length, findingsOf(place).length]).toEqual([2, 1]);
  });

  test('that a plan knows nothing of are not lost: the run plans anew', async () => {
    const place = await made(CODE);
    expect((await place.run('plan')).code).toBe(0);
    const file = await reportOf(place, 'linter', {
      path: 'tools/load.py',
      category: 'correctness',
    });
    expect((await place.run('run', ...using(file))).code).toBe(1);
    expect(findingsOf(place)).toMatchObject([{ place: { path: 'tools/load.py' } }]);
  });

  test('under a lens that is not asked for are not used, and that is said', async () => {
    const place = await made(CODE);
    const file = join(place.folder, 'lcov.info');
    await writeFile(file, 'TN:\nSF:src/run.js\nDA:1,1\nDA:2,0\nDA:3,0\nend_of_record\n');
    const { stderr } = await place.run('run', ...using(file));
    expect(stderr).toContain(
      'lcov imported from lcov.info: 0 leads; not used: its lens tests is not asked for',
    );
    const asked = await place.run('run', ...using(file), '--lenses', 'security,tests');
    expect([asked.code, findingsJson(place).findings]).toMatchObject([
      0,
      [{ lenses: ['tests'], quote: 'launch("ls " + name);' }],
    ]);
  });

  test('that are no report are refused before an audit begins, naming the formats that are known', async () => {
    const place = await made(CODE);
    const file = join(place.folder, 'odd.json');
    await writeFile(file, '{"odd": true}');
    const { code, stderr } = await place.run('run', ...using(file));
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('Known are SARIF 2.1.0 of any tool'),
    ]);
    expect(auditsOf(place)).toEqual([]);
  });
});

describe('analyzers that are found on the machine', () => {
  const withTools = async (place: Workplace) => {
    const tools = await createFakeTools(place.folder);
    await tools.add('ruff', 'ruff.json');
    return tools;
  };
  const CODE_OF_RUFF = {
    ...CODE,
    'tools/load.py': 'import os\nimport pickle\n\n\npassword = "hunter2-and-more"\n',
  };

  test('are named once where nobody has consented, run with consent, and stand in the report', async () => {
    const place = await made(CODE_OF_RUFF);
    const tools = await withTools(place);
    const run = (...args: readonly string[]) =>
      place.runWith({ PATH: tools.folder }, 'run', ...args);
    const hinted = await run();
    expect([
      hinted.code,
      hinted.stderr.match(/Found on this machine: ruff\. With --consent analyzers/g),
    ]).toEqual([0, [expect.anything()]]);
    expect(tools.calls()).toEqual([]);
    // Another question than before: the tools are asked, and nothing is hinted at.
    const asked = await run('--consent', 'analyzers:ruff');
    expect(asked.stderr).not.toContain('Found on this machine:');
    expect(tools.calls()).toHaveLength(1);
    expect(findingsJson(place).analyzers.at(-1)).toMatchObject({
      name: 'ruff',
      version: '1.2.3',
      origin: 'found',
    });
    expect(findingsJson(place).findings.map(({ explanation }) => explanation)).toContainEqual(
      expect.stringContaining('(ruff, found on this machine, rule F401'),
    );
    expect(readFileSync(reportFile(place, 'findings.json'), 'utf8')).not.toContain('hunter2');
    // The same again is answered, with or without the words.
    for (const words of [[], ['--consent', 'analyzers:ruff']]) await run(...words);
    expect([auditsOf(place).length, tools.calls().length]).toEqual([2, 1]);
  });

  test('are consented to by the operator alone: by flag or in the own file, never by the repository', async () => {
    const place = await made({
      ...CODE_OF_RUFF,
      'casefile.config.json': '{"consent": ["analyzers"]}',
    });
    const tools = await withTools(place);
    const { code, stderr } = await place.runWith({ PATH: tools.folder }, 'run');
    expect([code, stderr]).toEqual([2, expect.stringContaining('consent')]);
    expect([auditsOf(place), tools.calls()]).toEqual([[], []]);
    const own = await made(CODE_OF_RUFF);
    await mkdir(join(own.folder, 'config', 'casefile'), { recursive: true });
    await writeFile(
      join(own.folder, 'config', 'casefile', 'config.json'),
      '{"consent": ["analyzers"]}',
    );
    const others = await withTools(own);
    await own.runWith({ PATH: others.folder }, 'run');
    expect(others.calls()).toHaveLength(1);
    const bad = await own.runWith({ PATH: others.folder }, 'run', '--consent', 'analyzers:rm');
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('Consents are: analyzers')]);
  });

  test('are listed by doctor, with their version and what lets them look', async () => {
    const place = await made(CODE_OF_RUFF);
    const tools = await withTools(place);
    const { stdout } = await place.runWith({ PATH: tools.folder }, 'doctor');
    expect(stdout).toMatch(
      /no {2}ruff +\S+\/ruff, 1\.2\.3; it looks with --consent analyzers:ruff/,
    );
    expect(tools.calls()).toEqual([]);
  });
});
