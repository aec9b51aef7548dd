import fc from 'fast-check';
import { expect, test } from 'vitest';
import { agglomerate } from '../../src/pipeline/agglomerate.ts';

const LIMITS = [10, 4];
const graphArbitrary = fc
  .record({
    sizes: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 30 }),
    bonds: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 3 })), {
      maxLength: 60,
    }),
  })
  .map(({ sizes, bonds }) => ({
    sizes: sizes.map((size) => [size, 1]),
    bonds: bonds.map(([from, to, weight]) => ({
      from: from % sizes.length,
      to: to % sizes.length,
      weight,
    })),
  }));

test('every thing is in one group, groups keep the limits, and only bonds join', () => {
  fc.assert(
    fc.property(graphArbitrary, ({ sizes, bonds }) => {
      const groups = agglomerate(sizes, bonds, LIMITS);
      expect(groups.flat().toSorted((left, right) => left - right)).toEqual([...sizes.keys()]);
      for (const group of groups) {
        if (group.length === 1) continue;
        for (const [kind, limit] of LIMITS.entries()) {
          const held = group.reduce((sum, index) => sum + (sizes[index]?.[kind] ?? 0), 0);
          expect(held).toBeLessThanOrEqual(limit);
        }
        for (const index of group) {
          const isBound = bonds.some(
            ({ from, to }) =>
              from !== to &&
              (from === index || to === index) &&
              group.includes(from) &&
              group.includes(to),
          );
          expect(isBound).toBe(true);
        }
      }
    }),
  );
});

test('the order of the bonds does not matter, nor do things without any', () => {
  fc.assert(
    fc.property(graphArbitrary, ({ sizes, bonds }) => {
      const groups = agglomerate(sizes, bonds, LIMITS);
      expect(agglomerate(sizes, bonds.toReversed(), LIMITS)).toEqual(groups);
      const more = agglomerate([...sizes, [1, 1]], bonds, LIMITS);
      expect(more).toEqual([...groups, [sizes.length]]);
    }),
  );
});

test('the strongest bond joins first', () => {
  const bonds = [
    { from: 0, to: 1, weight: 1 },
    { from: 1, to: 2, weight: 2 },
  ];
  expect(agglomerate([[6], [4], [6]], bonds, [10])).toEqual([[0], [1, 2]]);
});
