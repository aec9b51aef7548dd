import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Finding, Lead, TaskResult } from '../../src/domain/finding.ts';
import type { FindingId } from '../../src/domain/ids.ts';
import { synthesis, type ReportedFinding } from '../../src/domain/synthesis.ts';
import { confidence, SEVERITIES } from '../../src/domain/vocabulary.ts';
import type { Assessment } from '../../src/pipeline/design/assessment.ts';
import { findingIdOf } from '../../src/pipeline/fingerprint.ts';
import type { FindingVerdict } from '../../src/pipeline/joined-verdict.ts';
import { mergeFindings } from '../../src/pipeline/merge-findings.ts';
import { observationsOf } from '../../src/pipeline/observations.ts';
import { deriveWorkBlocks } from '../../src/pipeline/work-blocks.ts';
import { finding, resultOf } from '../helpers/finding-samples.ts';

/** A file in which everything is near everything else: quotes hold, overlap and repeat each other. */
const LINES = [
  'const id = request.params.id;',
  'const rows = db.query(`SELECT * FROM t WHERE id = ${id}`, "hunter2");',
  'exec(`ls ${id}`); exec(`ls ${id}`);',
  'return rows[rows.length] + columns[columns.length];',
];
const quoteArbitrary = fc.oneof(
  fc.tuple(fc.nat(LINES.length - 1), fc.nat(2)).map(([from, more]) => {
    const to = Math.min(LINES.length - 1, from + more);
    return { line: from + 1, endLine: to + 1, quote: LINES.slice(from, to + 1).join('\n') };
  }),
  fc
    .tuple(fc.nat(LINES.length - 1), fc.nat(30), fc.integer({ min: 6, max: 40 }))
    .map(([line, start, length]) => ({
      line: line + 1,
      endLine: line + 1,
      quote: (LINES[line] ?? '').slice(start, start + length).trim() || 'return rows',
    })),
);
const CATEGORIES = ['sql-injection', 'CWE-89', 'command-injection', 'cwe-78', 'off-by-one', 'odd'];

const findingArbitrary = fc
  .record({
    where: quoteArbitrary,
    category: fc.constantFrom(...CATEGORIES),
    severity: fc.constantFrom(...SEVERITIES),
    confidence: fc.constantFrom(...confidence.options),
    title: fc.constantFrom('Input reaches the shell', 'Input reaches a shell here', 'Off by one'),
    provider: fc.constantFrom('builtin' as const, 'scripted' as const),
    path: fc.constantFrom('a.js', 'b.js'),
    anchored: fc.boolean(),
    suggestion: fc.option(fc.constantFrom('Do it.', 'Do that.'), { nil: undefined }),
  })
  .map(({ where, path, category, suggestion, ...fields }): Finding => {
    const { line, endLine, quote } = where;
    return finding(1, {
      ...fields,
      category,
      quote,
      id: findingIdOf({
        category,
        path,
        definition: '',
        quote,
        twin: { follows: '', below: line },
      }),
      place: { path, line, ...(endLine > line && { endLine }) },
      ...(suggestion !== undefined && { suggestion }),
    });
  });

const resultsArbitrary = fc
  .array(fc.array(findingArbitrary, { maxLength: 6 }), { maxLength: 6 })
  .map((tasks) => tasks.map((stated, index) => resultOf(`t-${index}`, ...stated)));

const verdictsArbitrary = (results: readonly TaskResult[]) => {
  const ids = [...new Set(results.flatMap(({ findings }) => findings.map(({ id }) => id)))];
  const judged = fc.record({
    verdict: fc.constantFrom('confirmed' as const, 'refuted' as const, 'downgraded' as const),
    severity: fc.option(fc.constantFrom(...SEVERITIES), { nil: undefined }),
  });
  return fc
    .tuple(fc.subarray(ids), fc.infiniteStream(judged))
    .map(
      ([some, stream]) =>
        new Map(
          some.map((id): [FindingId, FindingVerdict] => [
            id,
            stream.next().value as FindingVerdict,
          ]),
        ),
    );
};

test('what is joined does not depend on the order of answers, nor of statements in them', () => {
  fc.assert(
    fc.property(
      resultsArbitrary.chain((results) =>
        fc.tuple(
          fc.constant(results),
          fc.shuffledSubarray(results, { minLength: results.length }),
          verdictsArbitrary(results),
        ),
      ),
      ([results, shuffled, verdicts]) => {
        const turned = shuffled.map((one) => ({ ...one, findings: one.findings.toReversed() }));
        expect(mergeFindings(turned, verdicts)).toEqual(mergeFindings(results, verdicts));
      },
    ),
    { numRuns: 300 },
  );
});

/** The statements that a finding was made of. */
const statementsOf = (one: ReportedFinding): readonly { task: string; finding: Finding }[] =>
  one.sources.map((source) => {
    const suggestion = source.suggestion ?? one.suggestion;
    return {
      task: source.task,
      finding: {
        id: source.id ?? one.id,
        lens: source.lens,
        severity: source.severity,
        confidence: source.confidence,
        category: source.category ?? one.category,
        title: source.title,
        explanation: source.explanation ?? one.explanation,
        place: source.place ?? one.place,
        quote: source.quote ?? one.quote,
        anchored: one.anchored,
        ...(suggestion === undefined || suggestion === '' ? {} : { suggestion }),
        provider: source.provider,
      },
    };
  });

const resultsOf = (found: readonly ReportedFinding[]): readonly TaskResult[] => {
  const byTask = new Map<string, Finding[]>();
  for (const { task, finding: one } of found.flatMap(statementsOf)) {
    byTask.set(task, [...(byTask.get(task) ?? []), one]);
  }
  return [...byTask].map(([task, findings]) => resultOf(task, ...findings));
};

test('nothing that was said is lost: merging what was merged with more is merging all at once (W82)', () => {
  fc.assert(
    fc.property(resultsArbitrary, fc.nat(6), (results, cut) => {
      const consistent = results.map((one) => ({
        ...one,
        findings: one.findings.map((said) => ({ ...said, anchored: true })),
      }));
      const [some, more] = [consistent.slice(0, cut), consistent.slice(cut)];
      const once = resultsOf(mergeFindings(some, new Map()));
      expect(mergeFindings([...once, ...more], new Map())).toEqual(
        mergeFindings(consistent, new Map()),
      );
    }),
    { numRuns: 300 },
  );
});

test('what is derived is the same to the byte when it is read back from where it was kept', () => {
  fc.assert(
    fc.property(
      resultsArbitrary.chain((results) =>
        fc.tuple(fc.constant(results), verdictsArbitrary(results)),
      ),
      ([results, verdicts]) => {
        const leads = results.flatMap(({ findings }) => findings.map(leadLike));
        const findings = mergeFindings(results, verdicts, { leads });
        const written = JSON.stringify({
          findings,
          workBlocks: deriveWorkBlocks(findings, { owners: [{ unit: '.', owners: ['@us'] }] }),
          observations: observationsOf([ASSESSMENT], []),
          quarantined: [],
        });
        const stored = synthesis.omit({ coverage: true }).parse(JSON.parse(written));
        expect(JSON.stringify(stored)).toBe(written);
      },
    ),
  );
});

const ASSESSMENT: Assessment = {
  rule: 'hub',
  statement: 'All import it.',
  paths: ['a.js'],
  evidence: [{ path: 'b.js', line: 1, note: 'imports it' }],
  figures: { importers: 12, lines: 3 },
  strength: 2,
};

const leadLike = ({ place, quote, category, title, lens }: Finding): Lead => ({
  analyzer: 'flow',
  rule: `flow/${category}`,
  category,
  lens,
  severity: 'high',
  confidence: 'high',
  message: title,
  place,
  quote,
  trace: [
    { place, says: 'it comes in' },
    { place, says: 'it goes out' },
  ],
});

test('each fingerprint is in exactly one finding, and no two that were kept apart by it share a name (W83)', () => {
  fc.assert(
    fc.property(resultsArbitrary, (results) => {
      const found = mergeFindings(results, new Map());
      const names = found.flatMap(({ id, aliases = [] }) => [id, ...aliases]);
      const stated = new Set(results.flatMap(({ findings }) => findings.map(({ id }) => id)));
      expect(names).toHaveLength(stated.size);
      expect(new Set(names)).toEqual(stated);
    }),
  );
});

test('what is joined lies in one file, is anchored, and overlaps the narrowest of its places (W81)', () => {
  fc.assert(
    fc.property(resultsArbitrary, (results) => {
      for (const one of mergeFindings(results, new Map())) {
        if (one.aliases === undefined) continue;
        expect(one.anchored).toBe(true);
        const places = one.sources.map(({ place }) => place ?? one.place);
        expect(new Set(places.map(({ path }) => path)).size).toBe(1);
        const ends = places.map(({ line, endLine }) => ({ line, end: endLine ?? line }));
        const length = Math.min(...ends.map(({ line, end }) => end - line));
        const cores = ends.filter(({ line, end }) => end - line === length);
        expect(
          cores.some((core) => ends.every(({ line, end }) => line <= core.end && core.line <= end)),
        ).toBe(true);
      }
    }),
  );
});
