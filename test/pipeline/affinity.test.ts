import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bondsBetween } from '../../src/pipeline/affinity.ts';

/** The bond of one user to what so many others use too. */
const bondToHub = (users: number, confidence: number): number => {
  const paths = [
    'hub.js',
    ...Array.from({ length: users }, (_, at) => `u${at}/x${at}.js`),
  ].toSorted();
  const edges = paths
    .filter((path) => path !== 'hub.js')
    .map((from) => ({ from, to: 'hub.js', kind: 'import' as const, confidence }));
  return bondsBetween(paths, edges)[0]?.weight ?? 0;
};

describe('the bond of two files', () => {
  test('is the weaker the more files need the same one, however sure their imports are (W45)', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 0.1, max: 1, noNaN: true }),
        (few, more, confidence) => {
          expect(bondToHub(few + more, 1)).toBeLessThan(bondToHub(few, 1));
          expect(bondToHub(few, confidence)).toBeLessThanOrEqual(bondToHub(few, 1));
        },
      ),
    );
  });

  test('comes from files alone: folders and packages have none (W47)', () => {
    const paths = ['lib/a.js', 'lib/b.js', 'lib/c/d.js'];
    expect(bondsBetween(paths, [])).toEqual([]);
  });
});
