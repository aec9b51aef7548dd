import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Digest, TaskId } from '../../src/domain/ids.ts';
import { DEPTHS } from '../../src/domain/depth.ts';
import { LENSES } from '../../src/domain/vocabulary.ts';
import type { InventoryFile } from '../../src/pipeline/inventory.ts';
import { planReview, prepareReview } from '../../src/pipeline/planning.ts';
import { sha256Hex } from '../../src/std/digest.ts';
import { planningInput, sourceFile } from '../helpers/review-samples.ts';

const filesArbitrary = fc
  .uniqueArray(
    fc.record({
      folder: fc.constantFrom('', 'lib/', 'lib/deep/', 'test/'),
      name: fc.string({ minLength: 1, maxLength: 4 }).filter((name) => !name.includes('/')),
      lines: fc.integer({ min: 1, max: 9000 }),
    }),
    { minLength: 1, maxLength: 40, selector: ({ folder, name }) => folder + name },
  )
  .map((files) =>
    files.map(({ folder, name, lines }) =>
      sourceFile(`${folder}${name}`, { lines, size: lines * 30 }),
    ),
  );
const settingsArbitrary = fc.record({
  lenses: fc.uniqueArray(fc.constantFrom(...LENSES), { minLength: 1 }),
  depth: fc.constantFrom(...DEPTHS),
});
const RUNS = { numRuns: 60 };

test('what is inherited and what is in packets are all tasks, each once, within the same coverage', () => {
  fc.assert(
    fc.property(
      filesArbitrary,
      settingsArbitrary,
      fc.infiniteStream(fc.boolean()),
      (files, settings, isKnown) => {
        const review = prepareReview(planningInput(files, settings));
        const settled = new Set(
          review.whole.tasks.map(({ id }) => id).filter(() => isKnown.next().value === true),
        );
        const left = review.withoutSettled(settled);
        const packed = left.packets.flatMap(({ tasks }) => tasks);
        expect(left.tasks).toEqual(review.whole.tasks);
        expect([...settled, ...packed].toSorted()).toEqual(
          review.whole.tasks.map(({ id }) => id).toSorted(),
        );
        const { packets, tokens, ...cells } = left.artifact;
        const { packets: _, tokens: tokensOfAll, ...cellsOfAll } = review.whole.artifact;
        expect(cells).toEqual(cellsOfAll);
        expect([packets, tokens <= tokensOfAll]).toEqual([left.packets.length, true]);
        const { tokensMax = 0 } = left.artifact.budget ?? {};
        for (const packet of left.packets) expect(packet.tokens).toBeLessThanOrEqual(tokensMax);
      },
    ),
    RUNS,
  );
});

test('nothing inherited leaves the plan as it is, and everything inherited leaves no packet', () => {
  fc.assert(
    fc.property(filesArbitrary, settingsArbitrary, (files, settings) => {
      const { whole, withoutSettled } = prepareReview(planningInput(files, settings));
      const { packets } = withoutSettled(new Set<TaskId>());
      // A depth that reads a share packs what it reads anew; all others get the same packets.
      if (settings.depth !== 'quick') expect(packets).toEqual(whole.packets);
      expect(withoutSettled(new Set(whole.tasks.map(({ id }) => id))).packets).toEqual([]);
    }),
    RUNS,
  );
});

test('no task of an edited file has an id that it had before, and every task without one keeps it', () => {
  fc.assert(
    fc.property(filesArbitrary, settingsArbitrary, fc.nat(), (files, settings, pick) => {
      // No texts are read here: a file that is cut has its whole digest in the ids of its parts.
      const edited = files[pick % files.length]?.path;
      const edit = (file: InventoryFile): InventoryFile =>
        file.path === edited
          ? { ...file, digest: sha256Hex(`edited ${file.path}`) as Digest }
          : file;
      const depth = { ...settings, depth: 'standard' as const };
      const before = new Map(
        planReview(planningInput(files, depth)).tasks.map((task) => [task.id, task]),
      );
      for (const { id, paths } of planReview(planningInput(files.map(edit), depth)).tasks) {
        expect(before.has(id)).toBe(!paths.includes(edited ?? ''));
      }
    }),
    RUNS,
  );
});
