import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Digest } from '../../src/domain/ids.ts';
import { LENSES } from '../../src/domain/vocabulary.ts';
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
});

/** Tasks by the names and contents that they ask about. */
const taskIds = (plan: PlannedReview): ReadonlySet<string> =>
  new Set(plan.tasks.map((task) => task.id));

test('every file is under every lens in exactly one task or, with a reason, skipped', () => {
  fc.assert(
    fc.property(filesArbitrary, settingsArbitrary, (files, settings) => {
      const plan = planReview({
        ...planningInput(files, settings, { 'lib/a': 'generated' }),
        covers: ({ language }, lens) => language !== 'JSON' || lens === 'security',
      });
      const cells = [
        ...plan.tasks.flatMap(({ lens, paths }) => paths.map((path) => `${lens} ${path}`)),
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
  );
});

test('a file that grows cuts its own block of files anew and leaves the others as they are', () => {
  fc.assert(
    fc.property(
      filesArbitrary.filter((files) => files.length > 0),
      fc.nat(),
      fc.integer({ min: 1, max: 3000 }),
      (files, at, more) => {
        const grown = files[at % files.length];
        const edited = files.map((file) =>
          file === grown
            ? { ...file, lines: file.lines + more, digest: sha256Hex('grown') as Digest }
            : file,
        );
        // Security is asked of every file, so its tasks are the blocks.
        const before = planReview(planningInput(files, { lenses: ['security'] }));
        const kept = taskIds(planReview(planningInput(edited, { lenses: ['security'] })));
        for (const task of before.tasks) {
          if (!task.paths.includes(grown?.path ?? '')) expect(kept).toContain(task.id);
        }
      },
    ),
  );
});
