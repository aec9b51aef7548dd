import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutIntoUnits, UNIT_FILES_MAX } from '../../src/pipeline/units.ts';

const numbered = (count: number, name: (index: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, index) => name(index));

const sizes = (paths: readonly string[], components: readonly string[] = ['']) =>
  cutIntoUnits(paths, new Set(components)).map(({ id, files }) => `${id} ${files.length}`);

describe('units', () => {
  test('are folders of a component down to two levels, with all below', () => {
    const paths = [
      'a.js',
      'src/b.js',
      'src/x/c.js',
      'src/x/y/z/d.js',
      'packages/p/src/in/deep/e.js',
    ];
    expect(sizes(paths, ['', 'packages/p'])).toEqual([
      '. 1',
      'packages/p/src/in 1',
      'src 1',
      'src/x 2',
    ]);
  });

  test('a flat package is one, not one for each file', () => {
    expect(sizes(numbered(180, (index) => `lib/part${index}.js`))).toEqual(['lib 180']);
  });

  test('five thousand files under one folder are not one (W23)', () => {
    const deep = numbered(5000, (index) => `src/all/g${index % 50}/f${index}.js`);
    expect(Math.max(...cutIntoUnits(deep, new Set([''])).map(({ files }) => files.length))).toBe(
      100,
    );
    const flat = numbered(5000, (index) => `lib/f${index}.js`);
    const units = cutIntoUnits(flat, new Set(['']));
    expect(units.length).toBeLessThan(150);
    expect(Math.max(...units.map(({ files }) => files.length))).toBeLessThan(UNIT_FILES_MAX);
  });

  test('a large flat folder is cut by the first words of its names', () => {
    const paths = [
      ...numbered(150, (index) => `lib/userStore${index}.js`),
      ...numbered(100, (index) => `lib/order-${index}.js`),
    ];
    expect(sizes(paths)).toEqual(['lib#order 100', 'lib#user 150']);
  });
});

const path = fc
  .tuple(
    fc.array(fc.constantFrom('a', 'b', 'c', 'src'), { maxLength: 5 }),
    fc.constantFrom('x.js', 'y.js', 'userStore.js', 'z'),
  )
  .map(([folders, name]) => [...folders, name].join('/'));
const paths = fc.uniqueArray(path, { maxLength: 40 });

test('each file is in exactly one unit, whatever their order', () => {
  fc.assert(
    fc.property(paths, fc.constantFrom('', 'a', 'a/b'), (given, component) => {
      const units = cutIntoUnits(given, new Set([component]));
      expect(units.flatMap(({ files }) => files).toSorted()).toEqual(given.toSorted());
      expect(cutIntoUnits(given.toReversed(), new Set([component]))).toEqual(units);
      expect(new Set(units.map(({ id }) => id)).size).toBe(units.length);
    }),
  );
});

test('another file moves none of the others to another unit', () => {
  fc.assert(
    fc.property(paths, path, (given, added) => {
      const unitOf = (all: readonly string[]) =>
        new Map(
          cutIntoUnits(all, new Set([''])).flatMap(({ id, files }) =>
            files.map((one) => [one, id]),
          ),
        );
      const before = unitOf(given);
      const after = unitOf([...new Set([...given, added])]);
      for (const [one, id] of before) expect(after.get(one)).toBe(id);
    }),
  );
});
