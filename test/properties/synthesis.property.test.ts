import fc from 'fast-check';
import { expect, test } from 'vitest';
import { confidence, SEVERITIES } from '../../src/domain/vocabulary.ts';
import { mergeFindings } from '../../src/pipeline/merge-findings.ts';
import { finding, resultOf } from '../helpers/finding-samples.ts';

const resultsArbitrary = fc
  .array(
    fc.array(
      fc.record({
        number: fc.nat(4),
        severity: fc.constantFrom(...SEVERITIES),
        confidence: fc.constantFrom(...confidence.options),
        title: fc.constantFrom('one', 'two'),
        lens: fc.constantFrom('security' as const, 'tests' as const),
      }),
      { maxLength: 5 },
    ),
    { maxLength: 6 },
  )
  .map((tasks) =>
    tasks.map((stated, index) =>
      resultOf(`t-${index}`, ...stated.map(({ number, ...fields }) => finding(number, fields))),
    ),
  );

test('the findings do not depend on the order in which the results came', () => {
  fc.assert(
    fc.property(
      resultsArbitrary.chain((results) =>
        fc.tuple(fc.constant(results), fc.shuffledSubarray(results, { minLength: results.length })),
      ),
      ([results, shuffled]) => {
        const turned = shuffled.map((one) => ({ ...one, findings: one.findings.toReversed() }));
        expect(mergeFindings(turned, new Map())).toEqual(mergeFindings(results, new Map()));
      },
    ),
  );
});

test('the same result twice is one result', () => {
  fc.assert(
    fc.property(resultsArbitrary, (results) => {
      expect(mergeFindings([...results, ...results], new Map())).toEqual(
        mergeFindings(results, new Map()),
      );
    }),
  );
});

test('no statement is lost: each finding has the severity of its worst', () => {
  fc.assert(
    fc.property(resultsArbitrary, (results) => {
      const stated = results.flatMap((result) => result.findings);
      const merged = mergeFindings(results, new Map());
      expect(new Set(merged.map((one) => one.id))).toEqual(new Set(stated.map((one) => one.id)));
      for (const one of merged) {
        const worst = Math.min(
          ...stated.flatMap((said) =>
            said.id === one.id ? [SEVERITIES.indexOf(said.severity)] : [],
          ),
        );
        expect(one.severity).toBe(SEVERITIES[worst]);
      }
    }),
  );
});
