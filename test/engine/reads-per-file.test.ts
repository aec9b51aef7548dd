import { expect, test } from 'vitest';
import { playAudit } from '../helpers/simulated-audit.ts';

/** Each file is a unit, and a packet of its own. */
const readsFor = async (count: number): Promise<number> => {
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `part${index}/file.js`,
      `export const part${index} = (input) => input + ${index};\n`,
    ]),
  );
  const { how, reads } = await playAudit(
    { name: 'willing agents', files, behave: () => 'answers', ceiling: 2, attemptsMax: 3 },
    [],
  );
  expect(how).toBe('full');
  return reads;
};

test('an answer has its own files read, and never the whole tree again (W30)', async () => {
  const [few, many] = [await readsFor(4), await readsFor(16)];
  expect(many / 16).toBe(few / 4);
  expect(few / 4).toBeLessThanOrEqual(4);
});
