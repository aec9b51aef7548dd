import { expect, test } from 'vitest';
import { playAudit } from '../helpers/simulated-audit.ts';
import { SCENARIOS } from '../helpers/simulated-scenarios.ts';

test('an attempt has its prompt and its packet written once, and nothing else of casefile (W39)', async () => {
  for (const scenario of SCENARIOS) {
    const { commits, operations } = await playAudit(scenario, []);
    const tokens = commits.flatMap(({ seq, events }) =>
      events.flatMap(({ type }, index) => (type === 'AttemptStarted' ? [seq + index] : [])),
    );
    expect(tokens.length).toBeGreaterThan(2);
    const made = operations
      .flat()
      .flatMap(({ kind, path }) => (kind === 'create' ? [path] : []))
      .flatMap((path) => /\/attempts\/(.*?)(\.new)?$/.exec(path)?.[1] ?? []);
    const expected = tokens.flatMap((token) => [`${token}/packet.json`, `${token}/prompt.md`]);
    expect(made.toSorted()).toEqual(expected.toSorted());
  }
});
