// Breaks our own code on purpose, one fault at a time, and requires that the tests notice.
//
//   npm run mutants                      all of test/mutants.json
//   npm run mutants -- sync epoch        those whose name holds one of the words
//   --root FOLDER --list FILE            another project, another list
//
// A mutant is {name, file, find, replace, tests}: in `file` the text `find`, which must stand there
// exactly once, becomes `replace`; then at least one of the tests in `tests` (files or folders) must
// fail. A mutant that does not even load proves nothing, and is refused like one that survives.
// `"build": true` builds the program first, for tests that start it as a process.
//
// Everything happens in a copy: the tree that is being worked on is never touched.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    root: { type: 'string', default: resolve(import.meta.dirname, '..') },
    list: { type: 'string' },
  },
});
const root = resolve(options.root);
const list = options.list ?? join(root, 'test', 'mutants.json');
const LEFT_OUT = [
  'node_modules',
  '.git',
  'dist',
  'dist-bench',
  'dist-test',
  'coverage',
  '.casefile',
  '.cache',
];

const stop = (sentence) => {
  console.error(sentence);
  process.exit(2);
};

/** The mutants that are asked for, each with the text of its file before and after. */
const readMutants = () => {
  const all = JSON.parse(readFileSync(list, 'utf8'));
  const names = all.map(({ name }) => name);
  if (new Set(names).size !== names.length) stop(`${list}: two mutants have one name.`);
  const asked = all.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  if (asked.length === 0) stop(`${list}: no mutant to apply.`);
  return asked.map((mutant) => {
    for (const key of ['name', 'file', 'find', 'replace'])
      if (typeof mutant[key] !== 'string') stop(`${mutant.name}: "${key}" is missing.`);
    if (!Array.isArray(mutant.tests) || mutant.tests.length === 0)
      stop(`${mutant.name}: "tests" names no test.`);
    const before = readFileSync(join(root, mutant.file), 'utf8');
    const times = before.split(mutant.find).length - 1;
    if (times !== 1)
      stop(`${mutant.name}: its text stands ${times} times in ${mutant.file}, not once.`);
    if (mutant.find === mutant.replace) stop(`${mutant.name}: it changes nothing.`);
    // A function, since a replacement text may hold `$&` and the like.
    return { ...mutant, before, after: before.replace(mutant.find, () => mutant.replace) };
  });
};

/** Runs tests in the copy. `failed` are titles; `broken` says why nothing can be concluded. */
const runTests = (copy, tests, bail) => {
  const report = join(copy, 'mutants-report.json');
  rmSync(report, { force: true });
  const { stderr } = spawnSync(
    process.execPath,
    [
      join(copy, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--no-color',
      '--config=mutants.vitest.config.ts',
      '--reporter=json',
      `--outputFile=${report}`,
      ...(bail ? ['--bail=1'] : []),
      ...tests,
    ],
    {
      cwd: copy,
      encoding: 'utf8',
      env: { CASEFILE_SOAK_POINTS: '600', ...process.env, CI: 'true', NO_COLOR: '1' },
    },
  );
  let result;
  try {
    result = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { failed: [], broken: stderr.trim().split('\n')[0] ?? 'the runner gave no report' };
  }
  const failed = result.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => fullName);
  const unloaded = result.testResults.find(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((one) => one.status === 'failed'),
  );
  if (failed.length === 0 && unloaded !== undefined)
    return { failed, broken: `${basename(unloaded.name)}: ${unloaded.message.split('\n')[0]}` };
  if (result.numTotalTests === 0) return { failed, broken: 'no test was found' };
  return { failed, broken: undefined };
};

const build = (copy) => {
  const { status, stdout } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: copy,
    encoding: 'utf8',
  });
  return status === 0 ? undefined : `it does not compile: ${stdout.trim().split('\n')[0]}`;
};

const mutants = readMutants();
const copy = mkdtempSync(join(tmpdir(), 'casefile-mutants-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
let bad = 0;
cpSync(root, copy, {
  recursive: true,
  filter: (source) => dirname(source) !== root || !LEFT_OUT.includes(basename(source)),
});
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
// The same settings without the build before all tests: most mutants need none.
writeFileSync(
  join(copy, 'mutants.vitest.config.ts'),
  `import base from './vitest.config.ts';\nexport default { ...base, test: { ...base.test, globalSetup: [] } };\n`,
);

const needsBuild = mutants.some((mutant) => mutant.build === true);
const unbuilt = needsBuild ? build(copy) : undefined;
if (unbuilt !== undefined) stop(`Without any mutant ${unbuilt}`);
const clean = runTests(copy, [...new Set(mutants.flatMap(({ tests }) => tests))], false);
if (clean.broken !== undefined) stop(`Without any mutant: ${clean.broken}`);
if (clean.failed.length > 0)
  stop(`Without any mutant these tests fail already:\n  ${clean.failed.join('\n  ')}`);

const width = Math.max(...mutants.map(({ name }) => name.length));
for (const mutant of mutants) {
  const file = join(copy, mutant.file);
  writeFileSync(file, mutant.after);
  const broken = mutant.build === true ? build(copy) : undefined;
  const outcome =
    broken === undefined ? runTests(copy, mutant.tests, true) : { failed: [], broken };
  writeFileSync(file, mutant.before);
  if (mutant.build === true) build(copy);
  const verdict =
    outcome.broken !== undefined
      ? `REFUSED   ${outcome.broken}`
      : outcome.failed.length === 0
        ? `SURVIVED  ${mutant.tests.join(' ')}`
        : `killed    ${outcome.failed[0]}`;
  if (outcome.failed.length === 0) bad += 1;
  console.log(`${mutant.name.padEnd(width)}  ${verdict}`);
}
console.log(`${mutants.length - bad} of ${mutants.length} mutants killed`);
process.exitCode = bad === 0 ? 0 : 1;
