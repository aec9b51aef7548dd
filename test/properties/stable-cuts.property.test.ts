import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutStably, markOf, type Cuttable } from '../../src/pipeline/stable-cuts.ts';

const thingsArbitrary = fc
  .uniqueArray(
    fc.record({ name: fc.string({ maxLength: 8 }), size: fc.integer({ min: 0, max: 9 }) }),
    {
      maxLength: 60,
      selector: ({ name }) => name,
    },
  )
  .map((things) => things.map(({ name, size }): Cuttable => ({ name, sizes: [size, 1] })));
const LIMITS = [20, 6];

const fits = (things: readonly Cuttable[]): boolean =>
  things.length <= 1 ||
  LIMITS.every(
    (limit, kind) => things.reduce((sum, { sizes }) => sum + (sizes[kind] ?? 0), 0) <= limit,
  );

/** The rule in its own words, without the tree. */
const cutPlainly = (things: readonly Cuttable[]): readonly (readonly Cuttable[])[] => {
  if (things.length === 0) return [];
  if (fits(things)) return [things];
  let cut = 1;
  for (let at = 2; at < things.length; at += 1) {
    if (markOf(things[at]?.name ?? '') < markOf(things[cut]?.name ?? '')) cut = at;
  }
  return [...cutPlainly(things.slice(0, cut)), ...cutPlainly(things.slice(cut))];
};

test('cuts where the rule says, in order, and within the limits', () => {
  fc.assert(
    fc.property(thingsArbitrary, (things) => {
      const stretches = cutStably(things, LIMITS);
      expect(stretches).toEqual(cutPlainly(things));
      expect(stretches.flat()).toEqual(things);
      expect(stretches.every(fits)).toBe(true);
    }),
  );
});

test('a thing that grows changes no stretch that does not hold it, before or after', () => {
  fc.assert(
    fc.property(
      thingsArbitrary.filter((things) => things.length > 0),
      fc.nat(),
      (things, at) => {
        const grown = things[at % things.length];
        const namesOf = (list: readonly Cuttable[]) =>
          cutStably(list, LIMITS).map((stretch) => stretch.map(({ name }) => name));
        const before = namesOf(things);
        const after = namesOf(
          things.map((one) => (one === grown ? { ...one, sizes: [15, 1] } : one)),
        );
        for (const names of before) {
          if (!names.includes(grown?.name ?? '')) expect(after).toContainEqual(names);
        }
      },
    ),
  );
});
