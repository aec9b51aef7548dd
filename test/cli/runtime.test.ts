import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findingsFile, type FindingsFile } from '../../src/domain/findings-file.ts';
import { eventsOf, reportFile } from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';

const PACKAGE = {
  scripts: {
    // Writes beside itself, as tests do, and says what it saw of its environment.
    test: `node -e "require('fs').writeFileSync('written.txt',''); console.log('at src/pay.js:1, key ' + process.env.SECRET_KEY); process.exit(3)"`,
    lint: 'no-such-linter .',
    typecheck: 'node --version',
  },
};
const FILES = {
  'package.json': JSON.stringify(PACKAGE),
  'src/pay.js': 'export const pay = (amount) => amount - 1;\n',
};

const found = (place: Workplace): FindingsFile =>
  findingsFile.parse(JSON.parse(readFileSync(reportFile(place, 'findings.json'), 'utf8')));
const run = (place: Workplace, ...flags: readonly string[]) =>
  place.run('run', '--lenses', 'correctness', '--no-narrative', '--fresh', ...flags);

test('without consent nothing of the project is run, and with it each command once, in a copy, with its own verdict (W74, W75, W76)', async () => {
  const place = await createWorkplace(FILES);
  try {
    const without = await run(place, ...place.commandOf('answer-clean'));
    expect(without.code).toBe(0);
    expect(found(place).runtime).toBeUndefined();

    const { code } = await run(
      place,
      ...place.commandOf('answer-clean'),
      ...['--consent', 'commands'],
    );
    // What was asked for and could not run makes it partial.
    expect(code).toBe(4);
    const { runtime, how } = found(place);
    expect(how).toBe('partial');
    expect(runtime).toMatchObject([
      { id: 'test:.:npm', verdict: 'failed', why: 'it ended with code 3', paths: ['src/pay.js'] },
      { id: 'typecheck:.:npm', verdict: 'passed', paths: [], output: [] },
      { id: 'lint:.:npm', verdict: 'notRun', paths: [] },
    ]);
    expect(runtime?.[0]?.output.join('\n')).toContain('key undefined');
    expect(existsSync(join(place.root, 'written.txt'))).toBe(false);
    const report = readFileSync(reportFile(place, 'report.md'), 'utf8');
    expect(report).toMatch(/## What running it showed \(3\)/);
    expect(report).toMatch(/`npm run lint`: not run/);

    // A failure that names files is looked into; what could not run is no cause of anything.
    const causes = eventsOf(place, 'TasksPlanned').flatMap(({ tasks }) =>
      (tasks as readonly { readonly about?: { readonly trigger: string } }[]).flatMap(
        ({ about }) => about?.trigger ?? [],
      ),
    );
    expect(causes.filter((trigger) => trigger === 'runtime')).toHaveLength(1);
  } finally {
    await place.close();
  }
});

test('a repository cannot consent for its operator, and a part of a consent is a part (W75)', async () => {
  const place = await createWorkplace({
    ...FILES,
    'casefile.config.json': '{"consent": ["commands"]}',
  });
  try {
    const refused = await run(place, ...place.commandOf('answer-clean'));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('consent');
    writeFileSync(join(place.root, 'casefile.config.json'), '{}');
    await run(place, ...place.commandOf('answer-clean'), '--consent', 'commands:typecheck');
    expect(found(place).runtime?.map(({ id }) => id)).toEqual(['typecheck:.:npm']);
  } finally {
    await place.close();
  }
});

test('what needs packages that are not installed is not run; those that are installed are there', async () => {
  const place = await createWorkplace({
    'package.json': JSON.stringify({
      scripts: { test: 'node test.cjs' },
      dependencies: { installed: '1' },
    }),
    'test.cjs': "require('installed');\n",
    '.gitignore': 'node_modules\n',
  });
  try {
    const flags = [...place.commandOf('answer-clean'), '--consent', 'commands:test'];
    await run(place, ...flags);
    expect(found(place).runtime).toMatchObject([
      { verdict: 'notRun', why: expect.stringContaining('no node_modules') as string },
    ]);
    mkdirSync(join(place.root, 'node_modules', 'installed'), { recursive: true });
    writeFileSync(join(place.root, 'node_modules', 'installed', 'index.js'), '');
    await run(place, ...flags);
    expect(found(place).runtime).toMatchObject([{ verdict: 'passed' }]);
  } finally {
    await place.close();
  }
});

test('what others found out by running it is taken with the run or later, shown apart, and each time once', async () => {
  const place = await createWorkplace(FILES);
  try {
    const file = join(place.folder, 'updates.json');
    const row = (status: string) => ({ task_id: 'smoke', status, summary: 'make smoke' });
    writeFileSync(file, JSON.stringify({ results: [row('confirmed')] }));
    const flags = [...place.commandOf('answer-clean'), '--updates', file];
    expect((await run(place, ...flags)).code).toBe(0);
    expect(found(place).runtime).toMatchObject([
      { id: 'smoke', verdict: 'passed', importedFrom: 'updates.json' },
    ]);
    expect(eventsOf(place, 'ExternalInputConsumed')).toHaveLength(1);
  } finally {
    await place.close();
  }
});
