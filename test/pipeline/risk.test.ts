import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRiskOf, deriveRisk, type RiskFacts } from '../../src/pipeline/risk.ts';
import type { InventoryFile } from '../../src/pipeline/inventory.ts';

const file = (path: string, lines = 10): InventoryFile => ({
  path,
  kind: 'file',
  tracked: true,
  size: lines * 30,
  lines,
  encoding: 'text',
  language: 'JavaScript',
  marks: [],
});

const scoreOf = (facts: RiskFacts, lines?: number): number =>
  deriveRisk({ files: [file('a.js', lines)], units: [], factsOf: () => facts }).files[0]?.score ??
  -1;

const amount = fc.nat({ max: 2000 });
const facts = fc.record({
  entrance: fc.double({ min: 0, max: 1, noNaN: true }),
  flows: fc.double({ min: 0, max: 50, noNaN: true }),
  sinks: fc.double({ min: 0, max: 6, noNaN: true }),
  fanIn: amount,
  branches: amount,
  commits: amount,
  authors: amount,
  untested: fc.constantFrom(0, 0.5, 1),
});

test('a score is between 0 and 10, and more of anything never lowers it', () => {
  fc.assert(
    fc.property(facts, fc.constantFrom('flows', 'fanIn', 'branches', 'commits'), (given, key) => {
      const score = scoreOf(given);
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThan(10);
      expect(scoreOf({ ...given, [key]: given[key] + 100 })).toBeGreaterThanOrEqual(score);
    }),
  );
});

test('scores do not meet at a ceiling: twice as much is more, also of much (W42)', () => {
  for (const key of ['fanIn', 'branches', 'commits', 'flows'] as const) {
    expect(scoreOf({ [key]: 800 })).toBeGreaterThan(scoreOf({ [key]: 400 }));
  }
  expect(scoreOf({}, 20_000)).toBeGreaterThan(scoreOf({}, 10_000));
});

test('the score is the sum of the parts that are told, and of an unknown file nothing', () => {
  const register = deriveRisk({
    files: [file('src/auth.js')],
    units: [{ id: 'src', files: ['src/auth.js'] }],
    factsOf: () => ({ entrance: 1, fanIn: 10 }),
  });
  const [first] = register.files;
  const parts: readonly (number | undefined)[] = Object.values(first?.parts ?? {});
  const sum = parts.reduce<number>((total, part) => total + (part ?? 0), 0);
  expect(first?.score).toBeCloseTo(sum, 6);
  expect(register.units).toEqual([{ id: 'src', score: first?.score, files: 1 }]);
  expect(createRiskOf(register)('other.js')).toBe(0);
});
