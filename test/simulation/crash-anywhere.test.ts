import { expect, test } from 'vitest';
import {
  cutPoints,
  drawCuts,
  playAudit,
  type Cut,
  type End,
  type Outcome,
  type Scenario,
} from '../helpers/simulated-audit.ts';
import { SCENARIOS } from '../helpers/simulated-scenarios.ts';

/**
 * The whole engine, stopped at every write, sync, rename and effect. `npm run soak` asks for more
 * points than CI has time for.
 */
const POINTS = Number(process.env['CASEFILE_SOAK_POINTS'] ?? 5000);
const SEED = Number(process.env['CASEFILE_SOAK_SEED'] ?? 20261130);

const undisturbed = new Map<Scenario, Promise<Outcome>>();
const baseOf = (scenario: Scenario): Promise<Outcome> => {
  let base = undisturbed.get(scenario);
  if (base === undefined) undisturbed.set(scenario, (base = playAudit(scenario, [])));
  return base;
};

test.each(SCENARIOS)('undisturbed, an audit with $name finds what is there', async (scenario) => {
  const { findings, how } = await baseOf(scenario);
  const bad = Object.values(scenario.files).filter((text) => text.includes('eval')).length;
  expect(JSON.parse(findings)).toHaveLength(bad);
  expect(how).toBe(
    Object.keys(scenario.files).length === 3 && scenario.ceiling === 3 ? 'partial' : 'full',
  );
});

test('stopped at any write, sync, rename or effect, the audit comes to the findings of an undisturbed run (R3, R7, R39)', async () => {
  const points: {
    readonly scenario: Scenario;
    readonly kind: 'disk' | 'step';
    readonly at: number;
  }[] = [];
  for (const scenario of SCENARIOS) {
    points.push(...cutPoints(await baseOf(scenario), 0).map((point) => ({ scenario, ...point })));
  }
  // Each point first with the process killed, then with the power gone, in ever other ways.
  const seen = new Set<string>();
  let lives = 0;
  for (let round = 0; seen.size < POINTS; round += 1) {
    const end: End = round === 0 ? { kind: 'kill' } : { kind: 'power', seed: SEED + round };
    for (const { scenario, kind, at } of points) {
      if (seen.size >= POINTS) break;
      const cut: Cut = kind === 'disk' ? { kind, operation: at, end } : { kind, step: at, end };
      lives += (await compare(scenario, [cut])).lives;
      seen.add(`${scenario.name} ${kind} ${at} ${round}`);
    }
  }
  process.stdout.write(
    `crash anywhere: ${seen.size} distinct points, ${lives} lives, seed ${SEED}\n`,
  );
  expect(seen.size).toBeGreaterThanOrEqual(Math.min(POINTS, 5000));
});

test('an error of the disk at any operation stops the process, and the next one goes on', async () => {
  let count = 0;
  for (const scenario of SCENARIOS) {
    const { operations } = await baseOf(scenario);
    for (const { ordinal } of operations[0] ?? []) {
      // Every fourth one, alternating, keeps the time of the suite in bounds.
      if ((ordinal + SEED) % 4 !== 0) continue;
      const code = ordinal % 8 < 4 ? 'EIO' : 'ENOSPC';
      await compare(scenario, [{ kind: 'fault', operation: ordinal, code }]);
      count += 1;
    }
  }
  process.stdout.write(`disk errors: ${count} distinct points\n`);
});

test('stopped again and again, in the middle of recoveries too, the audit finds the same', async () => {
  for (let round = 0; round < Math.max(200, POINTS / 20); round += 1) {
    const scenario = SCENARIOS[round % SCENARIOS.length] as Scenario;
    await compare(scenario, drawCuts(SEED + round, 450));
  }
});

const compare = async (scenario: Scenario, cuts: readonly Cut[]): Promise<Outcome> => {
  const base = await baseOf(scenario);
  const where = `${scenario.name}: ${JSON.stringify(cuts)}`;
  const outcome = await playAudit(scenario, cuts).catch((error: unknown) => {
    throw new Error(`${where}: ${String(error)}`, { cause: error });
  });
  expect(outcome.findings, where).toBe(base.findings);
  expect(outcome.how, where).toBe(base.how);
  return outcome;
};
