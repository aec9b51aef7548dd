import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../src/domain/finding.ts';
import { prepareAnchorText } from '../../src/pipeline/anchor.ts';
import { judgeAnswer } from '../../src/pipeline/judge-answer.ts';
import { linkFindings } from '../../src/pipeline/link-findings.ts';
import { brief, bytesOf, statedFinding } from '../helpers/review-samples.ts';

/** Findings with the quote on each line that holds it, from the top, as the judgement makes them. */
const findingsAt = (
  lines: readonly string[],
  quote = 'faulty();',
  { path = 'a.js', end = '\n' } = {},
): readonly Finding[] => {
  const text = lines.join(end);
  const asked = brief(['security'], { [path]: text });
  const places = lines.flatMap((line, index) => (line.includes(quote) ? [index + 1] : []));
  if (places.length === 0) return [];
  const [judged] = judgeAnswer({
    bytes: bytesOf({
      packet: asked.packet,
      results: [
        {
          task: asked.tasks[0]?.id,
          verdict: 'findings',
          findings: places.map((line) => statedFinding({ path, line, quote })),
        },
      ],
    }),
    brief: asked,
    settled: new Set(),
    provider: 'scripted',
    read: () => text,
  });
  if (judged?.kind !== 'accepted') throw new Error(judged?.message);
  const { findings } = judged.result;
  expect(findings.map(({ place }) => place.line)).toEqual(places);
  expect(findings.every(({ anchored }) => anchored)).toBe(true);
  return findings;
};
const idsOf = (...given: Parameters<typeof findingsAt>): readonly string[] =>
  findingsAt(...given).map(({ id }) => id);

/** A file of functions with some copies of one faulty line in each. */
const functionsArbitrary = fc
  .array(
    fc.array(
      fc.constantFrom('  faulty();', '  fine();', '', '  other(1);', '  // said', '  {', '  }'),
      { maxLength: 8 },
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((bodies) => bodies.map((body, index) => [`function f${index}() {`, ...body, '}', '']));

describe('a finding keeps its id', () => {
  test('when lines above its definition come and go, and when it is laid out anew', () => {
    fc.assert(
      fc.property(
        functionsArbitrary,
        fc.array(fc.constantFrom('// a comment', '', 'const added = 1;'), { maxLength: 10 }),
        (functions, above) => {
          const before = idsOf(functions.flat());
          const spread = functions.flat().flatMap((line) => (line === '' ? ['', ''] : [line]));
          expect(idsOf([...above, ...spread])).toEqual(before);
        },
      ),
    );
  });

  test('when the file is indented anew, or has other ends of lines', () => {
    fc.assert(
      fc.property(functionsArbitrary, fc.constantFrom('\t', '    '), (functions, indent) => {
        const lines = functions.flat();
        const before = idsOf(lines);
        expect(idsOf(lines.map((line) => line.replace(/^ {2}/, indent)))).toEqual(before);
        expect(idsOf(lines, 'faulty();', { end: '\r\n' })).toEqual(before);
      }),
    );
  });

  test('when others like it come above it: none takes the name of another (B20)', () => {
    fc.assert(
      fc.property(functionsArbitrary, fc.nat(), fc.nat(), (functions, pick, at) => {
        const lines = functions.flat();
        const places = lines.flatMap((line, index) => (line.includes('faulty();') ? [index] : []));
        // Two at least: of a single one nothing around it counts.
        const index = pick % functions.length;
        const body = functions[index] ?? [];
        const own = body.flatMap((line, row) => (line.includes('faulty();') ? [row] : []));
        fc.pre(places.length > 0 && own.length >= 2);
        const before = findingsAt(body).map(({ id }) => id);
        const row = 1 + (at % (own[0] ?? 1));
        const grown = [...body.slice(0, row), '  faulty();', ...body.slice(row)];
        const after = findingsAt(grown).map(({ id }) => id);
        expect(after.slice(1)).toEqual(before);
        expect(before).not.toContain(after[0]);
      }),
    );
  });

  test('or has a new one when the other of two is mended: none takes the name of what is gone', () => {
    fc.assert(
      fc.property(functionsArbitrary, fc.nat(), (functions, pick) => {
        const body = functions[pick % functions.length] ?? [];
        const own = body.flatMap((line, row) => (line.includes('faulty();') ? [row] : []));
        // Not in a row: there nobody can tell which of two is gone.
        fc.pre(own.length >= 2);
        const before = findingsAt(body);
        const follows = before.map(({ around }) => around?.follows);
        fc.pre(new Set(follows).size === follows.length);
        const gone = pick % own.length;
        const mended = body.map((line, row) => (row === own[gone] ? '  mended();' : line));
        const left = before.filter((_, index) => index !== gone);
        const after = findingsAt(mended);
        for (const { id } of after) expect(id).not.toBe(before[gone]?.id);
        // What stood right before the mended one has another line after it now.
        const pairs = linkFindings(before, after);
        for (const [index, one] of left.entries()) {
          const link = pairs.find((each) => each.before === one.id);
          if (link !== undefined && one.around?.follows === after[index]?.around?.follows) {
            expect(link.after).toBe(after[index]?.id);
          }
        }
      }),
    );
  });
});

test('findings at different places have different ids', () => {
  fc.assert(
    fc.property(functionsArbitrary, (functions) => {
      const ids = idsOf(functions.flat());
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
});

test('findings of a file that was renamed, or of a definition that was moved, are linked and not new (B20)', () => {
  fc.assert(
    fc.property(functionsArbitrary, (functions) => {
      const lines = functions.flat();
      const before = findingsAt(lines);
      const renamed = findingsAt(['// moved', '', ...lines], 'faulty();', { path: 'b/c.js' });
      const links = linkFindings(before, renamed);
      expect(links.map(({ before: one, after: other }) => [one, other])).toHaveLength(
        before.length,
      );
      for (const [index, one] of before.entries()) {
        expect(links).toContainEqual({ before: one.id, after: renamed[index]?.id, how: 'moved' });
      }
    }),
  );
});

test('of findings that look alike in several files none is taken for another by a guess', () => {
  const lines = ['function f() {', '  faulty();', '}'];
  const before = [...findingsAt(lines), ...findingsAt(lines, 'faulty();', { path: 'b.js' })];
  const after = findingsAt(lines, 'faulty();', { path: 'c.js' });
  expect(linkFindings(before, after)).toEqual([]);
  expect(linkFindings(before, before).map(({ how }) => how)).toEqual(['same', 'same']);
});

test('of two alike the one that is left is known again, although it has a simpler name now', () => {
  const lines = ['function f() {', '  faulty();', '  a();', '  faulty();', '  b();', '}'];
  const [first, second] = findingsAt(lines);
  const left = findingsAt(lines.map((line, row) => (row === 3 ? '  mended();' : line)));
  expect(
    linkFindings(
      [first, second].flatMap((one) => one ?? []),
      left,
    ),
  ).toEqual([{ before: first?.id, after: left[0]?.id, how: 'changed' }]);
});

test('a telling quote that was cut out of a text is always found there', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { minLength: 1, maxLength: 12 }),
      fc.nat(),
      fc.nat(3),
      (lines, from, length) => {
        const start = from % lines.length;
        const quote = lines.slice(start, start + 1 + length).join('\n');
        fc.pre(/\p{L}{2}/u.test(quote) && quote.replace(/\s/g, '').length >= 6);
        const anchor = prepareAnchorText(lines.join('\n')).find(quote, start + 1);
        expect(anchor).toBeDefined();
      },
    ),
  );
});
