import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, test, expect } from 'vitest';
import { eventsOf, reportFile } from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';
import { readFileSync } from 'node:fs';

const NAMES = ['a', 'b', 'c', 'd'] as const;
const textOf = (name: string): string =>
  `export const ${name} = (input) => {\n  return eval(input);\n};\n`;

const finding = (name: string) => ({
  lens: 'security',
  title: `Evaluates the input of ${name}`,
  category: 'code-injection',
  severity: 'high',
  confidence: 'high',
  path: `src/${name}.js`,
  line: 2,
  quote: 'return eval(input);',
  explanation: 'Whoever gives the input runs code.',
});
const REVIEW = {
  when: { kind: 'review', lens: 'security' },
  findings: NAMES.map(finding),
};
const VERDICTS = {
  when: { kind: 'verification' },
  verdicts: [
    {
      path: 'src/a.js',
      verdict: 'confirmed',
      reason: 'The argument is evaluated.',
      evidence: { line: 2, quote: 'return eval(input);' },
    },
    {
      path: 'src/b.js',
      verdict: 'refuted',
      reason: 'Nobody calls it.',
      evidence: { line: 1, quote: 'export const b' },
    },
    {
      path: 'src/c.js',
      verdict: 'downgraded',
      severity: 'low',
      reason: 'Only tests call it.',
      evidence: { line: 1, quote: 'export const c' },
    },
  ],
};

const audit = async (steps: readonly unknown[], ...flags: readonly string[]) => {
  const place = await createWorkplace(
    Object.fromEntries(NAMES.map((name) => [`src/${name}.js`, textOf(name)])),
  );
  onTestFinished(place.close);
  const transcript = join(place.folder, 'transcript.json');
  writeFileSync(
    transcript,
    JSON.stringify({ contract: 'casefile/transcript/v1', steps, otherwise: 'clean' }),
  );
  const ended = await place.run(
    'run',
    '--provider',
    'scripted',
    '--transcript',
    transcript,
    ...flags,
  );
  return { place, ended };
};

type Reported = {
  readonly summary: { readonly total: number; readonly refuted: number; readonly overGate: number };
  readonly findings: readonly {
    readonly place: { readonly path: string };
    readonly verdict: string;
    readonly severity: string;
    readonly verifications?: readonly object[];
  }[];
};
const reportOf = (place: Workplace): Reported =>
  JSON.parse(readFileSync(reportFile(place, 'findings.json'), 'utf8')) as Reported;
const standing = (place: Workplace) =>
  Object.fromEntries(
    reportOf(place).findings.map(({ place: { path }, verdict, severity }) => [
      path.slice(4, 5),
      `${verdict} ${severity}`,
    ]),
  );

test('a second pass confirms, lowers and refutes findings, and says nothing of the rest (B18, W73)', async () => {
  const { place, ended } = await audit([REVIEW, VERDICTS]);
  expect(standing(place)).toEqual({
    a: 'confirmed high',
    b: 'refuted high',
    c: 'downgraded low',
    d: 'undecided high',
  });
  expect(reportOf(place).summary).toMatchObject({ total: 3, refuted: 1, overGate: 2 });
  expect(ended.code).toBe(1);
  const text = readFileSync(reportFile(place, 'report.md'), 'utf8');
  for (const words of [
    'Nobody calls it. See `src/b.js:1`',
    'Only tests call it. See `src/c.js:1`',
  ]) {
    expect(text).toContain(words);
  }
  const refuted = reportOf(place).findings.find(({ verdict }) => verdict === 'refuted');
  expect(refuted?.verifications).toMatchObject([
    {
      verdict: 'refuted',
      reason: 'Nobody calls it.',
      evidence: { place: { path: 'src/b.js', line: 1 }, quote: 'export const b' },
      event: expect.any(Number),
    },
  ]);
  expect(eventsOf(place, 'DeepeningEnded')).toHaveLength(1);
});

test('a second pass that meets a limit and garbage leaves findings as they are, and the counts add up (B18)', async () => {
  const garbage = { when: { kind: 'verification' }, raw: 'All of them are real, trust me.' };
  const { place, ended } = await audit(
    [
      REVIEW,
      {
        when: { kind: 'verification' },
        times: 1,
        fail: { kind: 'limited', limit: 'rate', resetInMs: 50 },
      },
      garbage,
    ],
    '--wait',
    '--max-attempts',
    '1',
  );
  expect(Object.values(standing(place))).toEqual(NAMES.map(() => 'undecided high'));
  expect(reportOf(place).summary).toMatchObject({ total: 4, refuted: 0, overGate: 4 });
  // What was asked for and did not happen is said: the gate comes first.
  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(/task/);
  expect(eventsOf(place, 'FindingVerified')).toEqual([]);
});

test('no second pass is asked where none is wanted, and none of analyzers', async () => {
  const { place } = await audit([REVIEW, VERDICTS], '--deepening', '0', '--no-narrative');
  expect(eventsOf(place, 'FindingVerified')).toEqual([]);
  expect(eventsOf(place, 'DeepeningEnded')).toEqual([]);
  await place.run('run', '--fresh');
  expect(eventsOf(place, 'DeepeningEnded')).toEqual([]);
});

test('what an agent wrote of the whole stands in the report, and is written once there is no more to find', async () => {
  const narrative = { summary: 'Four times the same fault.', themes: [], topRisks: [] };
  const { place } = await audit([REVIEW, VERDICTS, { narrative }]);
  expect(readFileSync(reportFile(place, 'report.md'), 'utf8')).toContain(narrative.summary);
  const accepted = eventsOf(place, 'ResultAccepted');
  expect(accepted.at(-1)).toMatchObject({ verdict: 'written', settles: 'narrative' });
});

const SECURITY = ['--lenses', 'security'] as const;

test('a later audit of the same takes verdicts over as it does reviews, and pays for none of them again; of a file that changed they are asked anew', async () => {
  const { place } = await audit([REVIEW, VERDICTS], '--no-narrative', ...SECURITY);
  const first = standing(place);
  const transcript = join(place.folder, 'transcript.json');
  /** An agent that would find only these now, and refute them. */
  const write = (names: readonly string[]): void => {
    const refutes = {
      when: { kind: 'verification' },
      verdicts: names.map((name) => ({
        path: `src/${name}.js`,
        verdict: 'refuted',
        reason: 'Now it looks harmless.',
        evidence: { line: 1, quote: `export const ${name}` },
      })),
    };
    const finds = { ...REVIEW, findings: names.map(finding) };
    writeFileSync(
      transcript,
      JSON.stringify({
        contract: 'casefile/transcript/v1',
        steps: [finds, refutes],
        otherwise: 'clean',
      }),
    );
  };
  write(NAMES);
  const again = () =>
    place.run(
      ...['run', '--again', '--no-narrative', ...SECURITY],
      ...['--provider', 'scripted', '--transcript', transcript],
    );
  await again();
  expect(standing(place)).toEqual(first);
  expect(eventsOf(place, 'AttemptStarted')).toEqual([]);
  const refuted = reportOf(place).findings.find(({ verdict }) => verdict === 'refuted');
  expect(refuted?.verifications).toMatchObject([{ reason: 'Nobody calls it.' }]);
  // A file that changed is reviewed and verified anew, and no other.
  write(['a']);
  writeFileSync(join(place.root, 'src/a.js'), textOf('a').replace('input)', 'input, more)'));
  await again();
  expect(standing(place)).toEqual({ ...first, a: 'refuted high' });
  expect(eventsOf(place, 'FindingVerified')).toHaveLength(1);
});
