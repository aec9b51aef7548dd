import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SEVERITIES, verdict } from '../../src/domain/vocabulary.ts';
import { severityRank } from '../../src/pipeline/severity-rank.ts';
import {
  BLOCK_FILES_MAX,
  BLOCK_FINDINGS_MAX,
  deriveWorkBlocks,
} from '../../src/pipeline/work-blocks.ts';
import { reported } from '../helpers/finding-samples.ts';

const PATHS = [
  ...Array.from({ length: 12 }, (_, index) => `a/p${index}.js`),
  'a/x.js',
  'a/y.js',
  'a/b/z.js',
  'c/x.js',
  'c/y.js',
  'd.js',
  'e/f/g/h.js',
];

const findingsArbitrary = fc
  .array(
    fc.record({
      path: fc.constantFrom(...PATHS),
      line: fc.integer({ min: 1, max: 30 }),
      severity: fc.constantFrom(...SEVERITIES),
      category: fc.constantFrom('sql-injection', 'CWE-89', 'off-by-one', 'odd'),
      verdict: fc.constantFrom(...verdict.options),
      anchored: fc.boolean(),
    }),
    { maxLength: 80, size: 'max' },
  )
  .map((rows) =>
    rows.map(({ path, line, ...fields }, index) =>
      reported(index, { ...fields, place: { path, line } }),
    ),
  );
const contextArbitrary = fc.record({
  units: fc.constantFrom(undefined, [
    { id: 'a', files: ['a/x.js', 'a/y.js', 'a/b/z.js'] },
    { id: 'c', files: ['c/x.js', 'c/y.js'] },
  ]),
  owners: fc.constantFrom(undefined, [{ unit: 'a', owners: ['@one', '@two'] }]),
  edges: fc.array(fc.record({ from: fc.constantFrom(...PATHS), to: fc.constantFrom(...PATHS) }), {
    maxLength: 20,
  }),
});

test('every finding that is not refuted is in exactly one block, and no block is too large for one person (W83)', () => {
  fc.assert(
    fc.property(findingsArbitrary, contextArbitrary, (findings, context) => {
      const blocks = deriveWorkBlocks(findings, context);
      const open = findings.filter((one) => one.verdict !== 'refuted').map(({ id }) => id);
      expect(blocks.flatMap((block) => block.findings).toSorted()).toEqual(open.toSorted());
      const byId = new Map(findings.map((one) => [one.id, one]));
      for (const block of blocks) {
        const own = block.findings.flatMap((id) => byId.get(id) ?? []);
        expect(own.length).toBeLessThanOrEqual(BLOCK_FINDINGS_MAX);
        expect(block.files.length).toBeLessThanOrEqual(BLOCK_FILES_MAX);
        expect(new Set(own.map(({ place }) => place.path))).toEqual(new Set(block.files));
        expect(new Set(own.map(({ anchored }) => anchored)).size).toBe(1);
        const ranks = own.map(({ severity }) => severityRank(severity));
        expect(severityRank(block.maxSeverity)).toBe(Math.min(...ranks));
      }
    }),
  );
});

test('blocks do not depend on the order of findings, edges and units', () => {
  fc.assert(
    fc.property(findingsArbitrary, contextArbitrary, (findings, context) => {
      const turned = {
        units: context.units?.toReversed(),
        owners: context.owners?.toReversed(),
        edges: context.edges.toReversed(),
      };
      expect(deriveWorkBlocks(findings.toReversed(), turned)).toEqual(
        deriveWorkBlocks(findings, context),
      );
    }),
  );
});

test('a block waits only for blocks before it, the more severe come first, and what nobody found in the source last (W83)', () => {
  fc.assert(
    fc.property(findingsArbitrary, contextArbitrary, (findings, context) => {
      const blocks = deriveWorkBlocks(findings, context);
      expect(new Set(blocks.map(({ id }) => id)).size).toBe(blocks.length);
      const seen = new Set<string>();
      const lost = new Set(findings.flatMap(({ id, anchored }) => (anchored ? [] : [id])));
      let rank = 0;
      for (const { id, dependsOn, maxSeverity, findings: own } of blocks) {
        for (const other of dependsOn) expect(seen).toContain(other);
        seen.add(id);
        const place = (own.some((one) => lost.has(one)) ? 10 : 0) + severityRank(maxSeverity);
        expect(place).toBeGreaterThanOrEqual(rank);
        rank = place;
      }
    }),
  );
});

test('a block keeps its id while its findings are the same, whatever else is found', () => {
  fc.assert(
    fc.property(findingsArbitrary, (findings) => {
      const before = deriveWorkBlocks(findings);
      const other = reported(900, { place: { path: 'zz/other.js', line: 1 }, category: 'unlike' });
      const after = deriveWorkBlocks([...findings, other]);
      const ids = new Map(after.map((block) => [block.findings.join(' '), block.id]));
      for (const { id, findings: own } of before) {
        expect([undefined, id]).toContain(ids.get(own.join(' ')));
      }
    }),
  );
});
