import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Digest } from '../../src/domain/ids.ts';
import { DEPTHS } from '../../src/domain/depth.ts';
import { LENSES } from '../../src/domain/vocabulary.ts';
import type { PacketBudget } from '../../src/pipeline/packet-budget.ts';
import { planReview, type PlannedReview } from '../../src/pipeline/planning.ts';
import { sha256Hex } from '../../src/std/digest.ts';
import { planningInput, sourceFile } from '../helpers/review-samples.ts';

const filesArbitrary = fc
  .uniqueArray(
    fc.record({
      folder: fc.constantFrom('', 'lib/', 'lib/deep/', 'test/', 'docs/'),
      name: fc.string({ minLength: 1, maxLength: 6 }).filter((name) => !name.includes('/')),
      lines: fc.integer({ min: 1, max: 2500 }),
      language: fc.constantFrom('JavaScript', 'Markdown', 'JSON'),
    }),
    { maxLength: 80, selector: ({ folder, name }) => folder + name },
  )
  .map((files) =>
    files.map(({ folder, name, lines, language }) =>
      sourceFile(`${folder}${name}`, { lines, size: lines * 30, language }),
    ),
  );
const settingsArbitrary = fc.record({
  lenses: fc.uniqueArray(fc.constantFrom(...LENSES), { minLength: 1 }),
  reviewer: fc.constantFrom('agent' as const, 'analyzers' as const),
  depth: fc.constantFrom(...DEPTHS),
});

/** A plan of many files takes a while to make. */
const RUNS = { numRuns: 40 };

/** Tasks by the names and contents that they ask about. */
const taskIds = (plan: PlannedReview): ReadonlySet<string> =>
  new Set(plan.tasks.map((task) => task.id));

test('every file is under every lens in exactly one task or, with a reason, skipped', () => {
  fc.assert(
    fc.property(filesArbitrary, settingsArbitrary, (files, settings) => {
      const plan = planReview({
        ...planningInput(files, settings, { 'lib/a': 'generated' }),
        covers: ({ language }, lens) => language !== 'JSON' || lens === 'security',
        whyNotSelected: (path) => (path.startsWith('lib/deep/') ? 'not changed' : undefined),
      });
      const cells = [
        ...plan.tasks
          .filter(({ ranges }) => ranges === undefined)
          .flatMap(({ lens, paths }) => paths.map((path) => `${lens} ${path}`)),
        // The parts of a file are one cell together.
        ...new Set(
          plan.tasks
            .filter(({ ranges }) => ranges !== undefined)
            .flatMap(({ lens, paths }) => paths.map((path) => `${lens} ${path}`)),
        ),
        ...plan.artifact.skipped.flatMap(({ lenses, files: paths }) =>
          lenses.flatMap((lens) => paths.map((path) => `${lens} ${path}`)),
        ),
      ];
      expect(new Set(cells).size).toBe(cells.length);
      expect(cells.length).toBe(files.length * settings.lenses.length);
      const packed = plan.packets.flatMap((packet) => packet.tasks);
      expect(packed.toSorted()).toEqual(plan.tasks.map((task) => task.id).toSorted());
      expect(new Set(packed).size).toBe(packed.length);
    }),
    RUNS,
  );
});

test('the plan does not depend on the order in which files or lenses are named', () => {
  fc.assert(
    fc.property(filesArbitrary, settingsArbitrary, (files, settings) => {
      const one = planReview(planningInput(files, settings));
      const other = planReview(
        planningInput(files.toReversed(), { ...settings, lenses: settings.lenses.toReversed() }),
      );
      expect(other).toEqual(one);
    }),
    RUNS,
  );
});

test('a changed file makes new tasks where it is one of the files, and nowhere else', () => {
  fc.assert(
    fc.property(
      filesArbitrary.filter((files) => files.length > 0),
      settingsArbitrary,
      fc.nat(),
      (files, settings, at) => {
        const changed = files[at % files.length];
        const edited = files.map((file) =>
          file === changed ? { ...file, digest: sha256Hex('edited') as Digest } : file,
        );
        const before = planReview(planningInput(files, settings));
        const after = planReview(planningInput(edited, settings));
        const kept = taskIds(before);
        const fresh = after.tasks.filter((task) => !kept.has(task.id));
        for (const task of fresh) expect(task.paths).toContain(changed?.path);
        const over = after.tasks.filter((task) => task.paths.includes(changed?.path ?? ''));
        expect(fresh).toEqual(over);
      },
    ),
    RUNS,
  );
});

test('a file that nothing binds to others changes no task but its own', () => {
  fc.assert(
    fc.property(
      filesArbitrary,
      settingsArbitrary,
      edgesArbitrary,
      fc.constantFrom('', 'lib/', 'lib/deep/', 'elsewhere/'),
      (files, settings, edges, folder) => {
        // A share of the plan is another share when the plan is another.
        const whole = { ...settings, depth: 'standard' as const };
        const more = [...files, sourceFile(`${folder}unrelated-to-all.js`)];
        const after = taskIds(planWith(more, whole, edges));
        for (const task of planWith(files, whole, edges).tasks) expect(after).toContain(task.id);
      },
    ),
    RUNS,
  );
});

test('the files of a task are of its unit, whatever binds them to others', () => {
  fc.assert(
    fc.property(filesArbitrary, settingsArbitrary, edgesArbitrary, (files, settings, edges) => {
      const { units } = planningInput(files, settings).structure;
      const unitOf = new Map(
        units.flatMap(({ id, files: paths }) => paths.map((path) => [path, id])),
      );
      for (const { unit, paths } of planWith(files, settings, edges).tasks) {
        for (const path of paths) expect(unitOf.get(path)).toBe(unit);
      }
    }),
    RUNS,
  );
});

test('no packet is over its budget, whatever the files, and none of a file is dropped', () => {
  fc.assert(
    fc.property(
      filesArbitrary,
      settingsArbitrary,
      edgesArbitrary,
      fc.record({
        tokensMax: fc.integer({ min: 8000, max: 60_000 }),
        tasksMax: fc.integer({ min: 1, max: 60 }),
      }),
      (files, settings, edges, packetBudget) => {
        const plan = planWith(files, settings, edges, packetBudget);
        for (const packet of plan.packets) {
          expect(packet.tokens).toBeLessThanOrEqual(packetBudget.tokensMax);
          expect(packet.tasks.length).toBeLessThanOrEqual(packetBudget.tasksMax);
        }
        const parts = new Map<string, { line: number; endLine: number }[]>();
        for (const { ranges = [], lens } of plan.tasks) {
          for (const { path, line, endLine } of ranges) {
            const key = `${lens} ${path}`;
            parts.set(key, [...(parts.get(key) ?? []), { line, endLine }]);
          }
        }
        for (const [key, ranges] of parts) {
          const path = key.slice(key.indexOf(' ') + 1);
          let next = 1;
          for (const { line, endLine } of ranges.toSorted((one, other) => one.line - other.line)) {
            expect(line).toBe(next);
            next = endLine + 1;
          }
          expect(next - 1).toBe(files.find((file) => file.path === path)?.lines);
        }
      },
    ),
    RUNS,
  );
});

const edgesArbitrary = fc.array(
  fc.record({ from: fc.nat(), to: fc.nat(), kind: fc.constantFrom('import', 'type', 'dynamic') }),
  { maxLength: 60 },
);

type Drawn = { readonly from: number; readonly to: number; readonly kind: string };

const planWith = (
  files: Parameters<typeof planningInput>[0],
  settings: Parameters<typeof planningInput>[1],
  drawn: readonly Drawn[],
  packetBudget?: PacketBudget,
): PlannedReview => {
  const input = planningInput(files, settings);
  const known = files.filter(({ path }) => !path.endsWith('unrelated-to-all.js'));
  const edges =
    known.length === 0
      ? []
      : drawn.map(({ from, to, kind }) => ({
          from: known[from % known.length]?.path ?? '',
          to: known[to % known.length]?.path ?? '',
          kind: kind as 'import',
        }));
  return planReview({
    ...input,
    structure: { ...input.structure, edges },
    ...(packetBudget && { packetBudget }),
  });
};
