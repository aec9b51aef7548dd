import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findingsFile, type FindingsFile } from '../../src/domain/findings-file.ts';
import { linkFindings } from '../../src/pipeline/link-findings.ts';
import { reportFile } from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';

/** Twenty lines, each of another text. */
const LINES = Array.from({ length: 20 }, (_, index) => `export const value${index + 1} = step();`);
const OWN = 'src/twenty.js';

/** Runs an audit whose reviewer states these findings; what the report says of them. */
const audit = async (
  place: Workplace,
  stated: readonly Readonly<Record<string, unknown>>[],
  ...flags: readonly string[]
) => {
  const file = join(place.folder, 'stated.json');
  writeFileSync(file, JSON.stringify(stated));
  const worker = place.commandOf('states-findings', file);
  const alone = ['--lenses', 'security', '--deepening', '0', '--no-narrative'];
  const ended = await place.run('run', ...alone, '--fresh', ...flags, ...worker);
  const found: FindingsFile = findingsFile.parse(
    JSON.parse(readFileSync(reportFile(place, 'findings.json'), 'utf8')),
  );
  return { ended, found, report: readFileSync(reportFile(place, 'report.md'), 'utf8') };
};

test('places that cannot be are set aside, those that can be meant are put right and noted, and no other file is opened (B16)', async () => {
  const place = await createWorkplace({ [OWN]: `${LINES.join('\n')}\n` });
  try {
    writeFileSync(join(place.folder, 'outside.js'), 'const secretOutside = 1;\n');
    const quote = LINES[3] ?? '';
    const { found, report } = await audit(place, [
      { own: OWN, title: 'missing file', path: 'src/missing.js', line: 4, quote },
      { own: OWN, title: 'line 999', line: 999, quote },
      { own: OWN, title: 'line 0', line: 0, quote },
      { own: OWN, title: 'outside', path: '../outside.js', line: 1, quote: 'secretOutside' },
      { own: OWN, title: 'absolute', path: join(place.root, OWN), line: 4, quote },
      { own: OWN, title: 'letter case', path: 'SRC/Twenty.js', line: 5, quote: LINES[4] },
      { own: OWN, title: 'six lower', line: 6, quote: LINES[11] },
      // As a patch counts: its first line is the file's tenth.
      { own: OWN, title: 'patch offset', line: 1, quote: LINES[9] },
    ]);
    const told = new Map(found.findings.map((one) => [one.title, one]));
    expect(told.get('six lower')).toMatchObject({ anchored: true, place: { line: 12 } });
    expect(told.get('six lower')?.stated).toEqual({ line: 6 });
    expect(told.get('patch offset')).toMatchObject({ place: { line: 10 }, stated: { line: 1 } });
    expect(told.get('letter case')).toMatchObject({
      place: { path: OWN, line: 5 },
      stated: { path: 'SRC/Twenty.js' },
    });
    expect(found.quarantined.map(({ at, code }) => `${at} ${code}`)).toEqual([
      'findings[0] path-outside-task',
      'findings[1] invalid-location',
      'findings[2] invalid-location',
      'findings[3] path-outside-task',
      'findings[4] path-outside-task',
    ]);
    expect(found.summary).toMatchObject({ total: 3, quarantined: 5, notAnchored: 0 });
    // Shown for people to judge, as it was written; nothing was read at the place that it names.
    expect(report).toContain('## Set aside (5)');
    expect(report).not.toContain('const secretOutside = 1;');
  } finally {
    await place.close();
  }
});

test('a quote twelve lines lower counts, an invented one is kept apart and counts for nothing, none at all and a mark of its own are refused (T11)', async () => {
  const place = await createWorkplace({ [OWN]: `${LINES.join('\n')}\n` });
  try {
    const { ended, found, report } = await audit(
      place,
      [
        { own: OWN, title: 'lower', severity: 'medium', line: 2, quote: LINES[13] },
        { own: OWN, title: 'invented', severity: 'critical', line: 4, quote: 'launchMissiles()' },
        { own: OWN, title: 'no quote', line: 5 },
        { own: OWN, title: 'marked', line: 6, quote: LINES[5], verdict: 'confirmed' },
      ],
      '--fail-on',
      'high',
    );
    const told = new Map(found.findings.map((one) => [one.title, one]));
    expect([...told.keys()].toSorted()).toEqual(['invented', 'lower']);
    expect(told.get('invented')).toMatchObject({ anchored: false, verdict: 'undecided' });
    expect(told.get('lower')).toMatchObject({ anchored: true, verdict: 'undecided' });
    expect(found.quarantined.map(({ code }) => code)).toEqual(['wrong-shape', 'self-verified']);
    expect(found.summary).toMatchObject({ total: 1, notAnchored: 1, overGate: 0 });
    // What nobody found in the source fails no gate.
    expect(ended.code).toBe(0);
    expect(report.indexOf('launchMissiles')).toBeGreaterThan(report.indexOf('lower'));
  } finally {
    await place.close();
  }
});

const TWINS = [
  'export function risky(input) {',
  '  eval(input);',
  '  log("first");',
  '  eval(input);',
  '  log("second");',
  '}',
];

test('two like statements keep their ids when lines come above, are indented anew, or end otherwise; a third takes neither; a renamed file is linked (B20)', async () => {
  const place = await createWorkplace({ 'src/twins.js': `${TWINS.join('\n')}\n` });
  try {
    const idsOf = async (path: string, lines: readonly string[], end = '\n') => {
      writeFileSync(join(place.root, path), `${lines.join(end)}${end}`);
      const stated = lines.flatMap((text, index) =>
        text.trim() === 'eval(input);' ? [{ own: path, line: index + 1, quote: text.trim() }] : [],
      );
      const { found } = await audit(place, stated);
      return found.findings.toSorted((left, right) => left.place.line - right.place.line);
    };
    const path = 'src/twins.js';
    const before = await idsOf(path, TWINS);
    const ids = before.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    const above = Array.from({ length: 10 }, (_, index) => `// Line ${index}.`);
    const indented = TWINS.map((line) => line.replace(/^ {2}/, '\t\t'));
    for (const changed of [
      await idsOf(path, [...above, ...TWINS]),
      await idsOf(path, indented),
      await idsOf(path, TWINS, '\r\n'),
    ]) {
      expect(changed.map(({ id }) => id)).toEqual(ids);
    }
    const third = [TWINS[0] ?? '', '  eval(input);', '  log("zeroth");', ...TWINS.slice(1)];
    const three = (await idsOf(path, third)).map(({ id }) => id);
    expect(three.slice(1)).toEqual(ids);
    expect(ids).not.toContain(three[0]);

    renameSync(join(place.root, path), join(place.root, 'src/renamed.js'));
    const renamed = await idsOf('src/renamed.js', TWINS);
    expect(linkFindings(before, renamed)).toEqual(
      before.map(({ id }, index) => ({ before: id, after: renamed[index]?.id, how: 'moved' })),
    );
  } finally {
    await place.close();
  }
});

test('of a file that the answer leaves out nobody says that it was reviewed (B17)', async () => {
  const place = await createWorkplace(
    Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e'].map((name) => [`${name}/file.js`, `export const ${name} = 1;\n`]),
    ),
  );
  try {
    const worker = place.commandOf('leaves-out', 'a', 'b');
    const { code } = await place.run(
      'run',
      '--lenses',
      'security',
      '--max-attempts',
      '2',
      ...worker,
    );
    const { coverage, how } = findingsFile.parse(
      JSON.parse(readFileSync(reportFile(place, 'findings.json'), 'utf8')),
    );
    expect([code, how]).toEqual([4, 'partial']);
    expect(coverage.counts).toMatchObject({ reviewed: 2, failed: 3 });
  } finally {
    await place.close();
  }
});
