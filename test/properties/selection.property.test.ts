import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  HUB_IMPORTERS,
  nearMax,
  selectFiles,
  type SelectionInput,
} from '../../src/pipeline/selection.ts';

const PATHS = Array.from({ length: 30 }, (_, at) => `f${String(at).padStart(2, '0')}`);
const path = fc.constantFrom(...PATHS);
const paths = fc.uniqueArray(path, { maxLength: 8 });
/** Often one of the two that many files import. */
const imported = fc.oneof(path, fc.constantFrom('f00', 'f01'));
const fewPaths = fc.uniqueArray(imported, { maxLength: 2 });

const inputs: fc.Arbitrary<SelectionInput> = fc.record({
  selection: fc.record({ changed: fewPaths, deleted: fewPaths }),
  isReviewed: paths.map((not) => (one: string) => !not.includes(one)),
  edges: fc.array(
    fc.record({
      from: path,
      to: imported,
      kind: fc.constantFrom('import' as const, 'type' as const, 'require' as const),
      confidence: fc.option(fc.constantFrom(0.3, 0.6, 0.9), { nil: undefined }),
    }),
    { maxLength: 90, size: 'max' },
  ),
  tests: fc.array(
    fc.record({
      test: path,
      source: path,
      by: fc.constantFrom('name' as const, 'import' as const),
      confidence: fc.constantFrom(0.4, 0.7, 0.95),
    }),
    { maxLength: 10 },
  ),
  riskOf: fc.constantFrom(
    () => 0,
    (one: string) => Number(one.slice(1)) % 7,
  ),
}) as fc.Arbitrary<SelectionInput>;

const seedsOf = ({ selection }: SelectionInput): ReadonlySet<string> =>
  new Set([...selection.changed, ...selection.deleted]);

test('every changed file that is reviewed at all is selected, and no file stands twice', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const { changed, near, beyond } = selectFiles(input);
      expect(changed).toEqual(input.selection.changed.filter(input.isReviewed).toSorted());
      const all = [...changed, ...near.map((one) => one.path), ...beyond];
      expect(new Set(all).size).toBe(all.length);
      expect(all.every(input.isReviewed)).toBe(true);
    }),
  );
});

test('what is near is bounded by how much changed, and nothing is near when nothing changed (W55)', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const { near, beyond } = selectFiles(input);
      expect(near.length).toBeLessThanOrEqual(nearMax(seedsOf(input).size));
      const none = { ...input, selection: { changed: [], deleted: [] } };
      expect(selectFiles(none)).toEqual({ changed: [], near: [], beyond: [] });
      // Nothing is left out while there is room.
      if (beyond.length > 0) expect(near.length).toBeGreaterThanOrEqual(6);
    }),
  );
});

test('each file that is near needs what changed over imports that it can name, the nearest first', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const { near } = selectFiles(input);
      const seeds = seedsOf(input);
      const needs = (from: string, to: string): boolean =>
        input.edges.some((edge) => edge.from === from && edge.to === to) ||
        input.tests.some(
          ({ test: one, source, by }) => one === from && source === to && by === 'name',
        );
      for (const { path: one, hops, by } of near) {
        expect(needs(one, by)).toBe(true);
        if (hops === 1) expect(seeds.has(by)).toBe(true);
        else {
          expect(seeds.has(by)).toBe(false);
          expect([...seeds].some((seed) => needs(by, seed))).toBe(true);
        }
      }
      const hops = near.map((one) => one.hops);
      expect(hops).toEqual(hops.toSorted((left, right) => left - right));
      expect(Math.max(0, ...hops)).toBeLessThanOrEqual(2);
    }),
  );
});

test('the order in which changes, imports and tests are named changes nothing', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const { selection, edges, tests } = input;
      const turned: SelectionInput = {
        ...input,
        selection: {
          changed: selection.changed.toReversed(),
          deleted: selection.deleted.toReversed(),
        },
        edges: edges.toReversed(),
        tests: tests.toReversed(),
      };
      expect(selectFiles(turned)).toEqual(selectFiles(input));
    }),
  );
});

test('of what another change makes near, nothing that was near before is lost, but for the bound', () => {
  fc.assert(
    fc.property(inputs, path, (input, more) => {
      const all = (given: SelectionInput): ReadonlySet<string> => {
        const { changed, near, beyond } = selectFiles(given);
        return new Set([...changed, ...near.map((one) => one.path), ...beyond]);
      };
      const { selection } = input;
      const after = all({
        ...input,
        selection: { ...selection, changed: [...selection.changed, more] },
      });
      expect([...all(input)].filter((one) => !after.has(one) && one !== more)).toEqual([]);
    }),
  );
});

test('a file that everything imports is near, and what imports it is not', () => {
  fc.assert(
    fc.property(fc.integer({ min: HUB_IMPORTERS + 1, max: 60 }), (importers) => {
      const users = Array.from({ length: importers }, (_, at) => `user${at}`);
      const edge = (from: string, to: string) => ({ from, to, kind: 'import' as const });
      const { near, beyond } = selectFiles({
        selection: { changed: ['changed'], deleted: [] },
        isReviewed: () => true,
        edges: [edge('hub', 'changed'), ...users.map((user) => edge(user, 'hub'))],
        tests: [],
        riskOf: () => 0,
      });
      expect([near, beyond]).toEqual([[{ path: 'hub', hops: 1, by: 'changed' }], []]);
    }),
  );
});

test.each([
  ['a sure import', 'import', 1, true],
  ['an import that is as likely as not', 'import', 0.5, true],
  ['an import that is hardly likely', 'import', 0.4, false],
  ['a sure import of types', 'type', 1, true],
  ['an unsure import of types', 'type', 0.9, false],
] as const)('%s makes a file near: %s of confidence %d, %s', (_what, kind, confidence, isNear) => {
  const { near } = selectFiles({
    selection: { changed: [], deleted: ['gone'] },
    isReviewed: () => true,
    edges: [{ from: 'user', to: 'gone', kind, confidence }],
    tests: [],
    riskOf: () => 0,
  });
  expect(near.map(({ path: one }) => one)).toEqual(isNear ? ['user'] : []);
});

test('of what is as near, a test that is named for what changed comes first, then the riskiest', () => {
  const users = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const { near, beyond } = selectFiles({
    selection: { changed: ['changed'], deleted: [] },
    isReviewed: () => true,
    edges: users.map((from) => ({ from, to: 'changed', kind: 'import' as const })),
    tests: [{ test: 'changed.test', source: 'changed', by: 'name', confidence: 0.7 }],
    riskOf: (one) => users.indexOf(one),
  });
  expect(near.map(({ path: one }) => one)).toEqual(['changed.test', 'g', 'f', 'e', 'd', 'c']);
  expect(beyond).toEqual(['a', 'b']);
});
