import { expect, test } from 'vitest';
import { playAudit, type Scenario } from '../helpers/simulated-audit.ts';
import { SCENARIOS } from '../helpers/simulated-scenarios.ts';

const scenario = SCENARIOS[0] as Scenario;

test('stopped anywhere while it finishes, an audit still has its report after the next start (R1)', async () => {
  const base = await playAudit(scenario, []);
  const operations = base.operations[0] ?? [];
  const firstReport = operations.findIndex(({ path }) => path.includes('/report'));
  expect(firstReport).toBeGreaterThan(0);
  // From a little before the completion is written to the very end.
  for (const { ordinal } of operations.slice(firstReport - 15)) {
    for (const end of [{ kind: 'kill' }, { kind: 'power', seed: ordinal }] as const) {
      const outcome = await playAudit(scenario, [{ kind: 'disk', operation: ordinal, end }]);
      expect(outcome.findings).toBe(base.findings);
    }
  }
});

test("completion deletes nothing: log, blobs, answers and the user's settings stay (R2, W04)", async () => {
  const { operations } = await playAudit(scenario, []);
  const removed = (operations[0] ?? [])
    .filter(({ kind }) => kind === 'remove')
    .map(({ path }) => path);
  // What is put aside to be linked or renamed into its place, and nothing else.
  expect(
    removed.filter((path) => !/\/\.writer-[^/]+$|\.new$|\.tmp[^/]*$|\/tmp-[^/]+$/.test(path)),
  ).toEqual([]);
});
