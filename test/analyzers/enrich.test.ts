import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OXLINT_RULES } from '../../src/analyzers/oxlint-rules.ts';
import {
  createAnalyzerCoverage,
  enrichment,
  type Enrichment,
} from '../../src/pipeline/enrichment.ts';
import { runProgram } from '../../src/platform/subprocess.ts';
import { enriched } from '../helpers/enriched.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Put together here, so that no scanner takes this file for a leak. */
const TOKEN = ['xoxb', '123456789012', '1234567890123', 'abcdefghijklmnopqrstuvwx'].join('-');
const EVAL = 'export const run = (text) => eval(text);\n';

const said = ({ leads }: Enrichment): readonly string[] =>
  leads.map(({ rule, place, severity }) => `${place.path}:${place.line} ${rule} ${severity}`);

describe('the bundled analyzers', () => {
  test('each says what it knows, with the line that shows it', async () => {
    const found = await enriched({
      'src/eval.js': `// first\n  ${EVAL}`,
      'src/broken.ts': 'export const a = ;\n',
      'config/app.env': `TOKEN=${TOKEN}\n`,
      'src/fine.ts': 'export const a = 1;\n',
    });
    expect(said(found)).toEqual([
      'config/app.env:1 secretlint/slack high',
      'src/broken.ts:1 oxc-parser/syntax-error medium',
      'src/eval.js:2 eslint/no-eval medium',
    ]);
    expect(found.leads[2]?.quote).toBe(EVAL.trim());
    expect(enrichment.parse(JSON.parse(JSON.stringify(found)))).toEqual(found);
  });

  test('a backslash in a name hides neither that file nor the others', async () => {
    const found = await enriched({ 'a.js': EVAL, 'back\\slash.js': EVAL, 'b/c.js': EVAL });
    expect(said(found)).toEqual([
      'a.js:1 eslint/no-eval medium',
      'b/c.js:1 eslint/no-eval medium',
      'back\\slash.js:1 eslint/no-eval medium',
    ]);
    expect(found.incomplete).toEqual([]);
  });

  test('what is skipped is not looked at', async () => {
    const found = await enriched({ 'vendor/x.js': EVAL, 'yarn.lock': `# ${TOKEN}\n` });
    expect(found.leads).toEqual([]);
    expect(found.analyzers.map(({ files }) => files)).toEqual([0, 0, 0, 0, 0]);
  });

  test('nothing is worse than low where things are tried out, except a real secret', async () => {
    const found = await enriched({ 'test/a.test.js': EVAL, 'fixtures/b.env': `A=${TOKEN}\n` });
    expect(said(found)).toEqual([
      'fixtures/b.env:1 secretlint/slack medium',
      'test/a.test.js:1 eslint/no-eval low',
    ]);
  });

  test('a secret is in no lead, and its quote still stands in the file', async () => {
    const text = `first;\nconst token = "${TOKEN}", again = "${TOKEN}";\n`;
    const { leads } = await enriched({ 'a.js': text });
    const lead = leads.find(({ analyzer }) => analyzer === 'secretlint');
    // The linter has something to say about the same line.
    expect(new Set(leads.map(({ analyzer }) => analyzer))).toContain('oxlint');
    expect(JSON.stringify(leads)).not.toContain(TOKEN.slice(5));
    expect(text).toContain(lead?.quote);
    expect(lead).toMatchObject({ place: { path: 'a.js', line: 2 }, quote: 'const token = "xoxb' });
  });
});

describe('a hostile tree', () => {
  test('changes nothing: its configuration and ignore files are text, its plugins never run', async () => {
    const mark = join(await temporaryFolder(), 'ran');
    const plugin = [
      "import { writeFileSync } from 'node:fs';",
      `writeFileSync(${JSON.stringify(mark)}, 'ran');`,
      "export default { meta: { name: 'evil' }, rules: {} };",
    ].join('\n');
    const oxlintrc = JSON.stringify({
      jsPlugins: ['./evil.js'],
      ignorePatterns: ['**/*'],
      rules: { 'no-eval': 'off' },
      categories: { correctness: 'off' },
    });
    const code = { 'src/eval.js': EVAL, 'config/app.env': `TOKEN=${TOKEN}\n` };
    const found = await enriched({
      ...code,
      'evil.js': plugin,
      'src/evil.js': plugin,
      '.oxlintrc.json': oxlintrc,
      'src/.oxlintrc.json': oxlintrc,
      '.oxlintrc.jsonc': oxlintrc,
      'oxlint.config.ts': `${plugin}\n`,
      'vite.config.ts': `${plugin}\n`,
      '.eslintignore': '**/*\n',
      '.oxlintignore': '**/*\n',
      '.gitignore': '**/*\n',
      '.ignore': '**/*\n',
      '.secretlintignore': '**/*\n',
      '.secretlintrc.json': JSON.stringify({ rules: [] }),
      'tsconfig.json': JSON.stringify({ extends: './evil.js', compilerOptions: { plugins: [] } }),
      'package.json': JSON.stringify({ oxlint: { ignorePatterns: ['**/*'] }, type: 'module' }),
    });
    expect(existsSync(mark)).toBe(false);
    expect(found.incomplete).toEqual([]);
    // Two evil.js, two configurations in TypeScript and the one with the defect.
    expect(found.analyzers.find(({ name }) => name === 'oxlint')?.files).toBe(5);
    expect(said(found)).toEqual(said(await enriched(code)));
  });

  test('comments do not silence the search for secrets', async () => {
    const found = await enriched({
      'a.env': `# secretlint-disable\nTOKEN=${TOKEN}\n# secretlint-disable-line\n`,
    });
    expect(said(found)).toEqual(['a.env:2 secretlint/slack high']);
  });

  test('a file that is named like an option is a file', async () => {
    const found = await enriched({ '-Aall.js': EVAL, 'vendor/b.js': EVAL });
    expect(found.incomplete).toEqual([]);
    expect(said(found)).toContain('-Aall.js:1 eslint/no-eval medium');
  });
});

describe('an analyzer that fails', () => {
  const files = { 'a.ts': 'eval("1");\n', 'b.env': `A=${TOKEN}\n` };

  test.each([
    ['is not there', async () => ({ kind: 'missing', message: 'no such program' }) as const],
    ['takes too long', async () => ({ kind: 'timed-out' }) as const],
    [
      'ends without a report',
      async () =>
        ({
          kind: 'done',
          exitCode: 101,
          stdout: new Uint8Array(),
          stderr: new TextEncoder().encode('panicked\n'),
        }) as const,
    ],
    [
      'looks at fewer files than it was given',
      async () =>
        ({
          kind: 'done',
          exitCode: 0,
          stdout: new TextEncoder().encode('{"diagnostics":[],"number_of_files":0}'),
          stderr: new Uint8Array(),
        }) as const,
    ],
  ])('%s: a sentence says so, the others go on, and its cells are not covered', async (_, run) => {
    const found = await enriched(files, run);
    expect(found.incomplete).toEqual([
      expect.stringMatching(/^oxlint did not check 1 file: .+\.$/),
    ]);
    expect(said(found)).toEqual(['b.env:1 secretlint/slack high']);
    const covers = createAnalyzerCoverage(found);
    const file = { path: 'a.ts', language: 'TypeScript' };
    expect([covers(file, 'correctness'), covers(file, 'security')]).toEqual([false, true]);
  });

  test('a file that does not parse has its finding, and no claim about its style', async () => {
    const found = await enriched({ 'a.ts': 'let x = ;\n', 'b.ts': 'export const b = 1;\n' });
    const covers = createAnalyzerCoverage(found);
    const cells = (path: string) =>
      (['security', 'correctness', 'maintainability', 'performance'] as const).map((lens) =>
        covers({ path, language: 'TypeScript' }, lens),
      );
    expect(cells('a.ts')).toEqual([true, true, false, false]);
    expect(cells('b.ts')).toEqual([true, true, true, false]);
  });
});

test('names that cannot be arguments are stated as unchecked by oxlint', async () => {
  const found = await enriched({ 'caf\udce9.js': EVAL, 'a.js': EVAL });
  expect(found.incomplete).toHaveLength(1);
  expect(found.analyzers.find(({ name }) => name === 'oxlint')).toMatchObject({
    files: 1,
    status: 'partial',
    unchecked: ['caf\udce9.js'],
  });
});

test('every rule that we ask for exists in the oxlint that we bring', async () => {
  const manifest = createRequire(import.meta.url).resolve('oxlint/package.json');
  const program = join(dirname(manifest), 'bin', 'oxlint');
  const known = JSON.parse(
    execFileSync(process.execPath, [program, '--rules', '--format', 'json'], { encoding: 'utf8' }),
  ) as readonly { readonly scope: string; readonly value: string }[];
  const names = new Set(known.map(({ scope, value }) => `${scope}/${value}`));
  expect(Object.keys(OXLINT_RULES).filter((rule) => !names.has(rule))).toEqual([]);
});

test('oxlint gets no environment that could configure it', async () => {
  const environments: unknown[] = [];
  await enriched({ 'a.js': EVAL }, (call) => {
    environments.push(call.environment);
    return runProgram(call);
  });
  expect(environments).toEqual([undefined]);
});
