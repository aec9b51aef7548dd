import { expect, test } from 'vitest';
import { playAudit } from '../helpers/simulated-audit.ts';
import { willingAgentsOver } from '../helpers/simulated-scenarios.ts';

const readsFor = async (count: number): Promise<number> => {
  const { how, reads } = await playAudit(willingAgentsOver(count), []);
  expect(how).toBe('full');
  return reads;
};

test('within a run, an answer has its own files read, and never the whole tree again (W30)', async () => {
  const [few, many] = [await readsFor(4), await readsFor(16)];
  expect(many / 16).toBe(few / 4);
  expect(few / 4).toBeLessThanOrEqual(4);
});
