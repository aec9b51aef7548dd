import { describe, expect, test } from 'vitest';
import type { TaskVerdict } from '../../src/domain/commands.ts';
import { accepts, advance, derives, judges, LATER, reports } from '../helpers/command-samples.ts';
import { findingIdOf } from '../helpers/finding-samples.ts';
import { given } from '../helpers/given.ts';
import { blob, NO_FINDINGS, packet, task, taskIdOf } from '../helpers/samples.ts';
import { after, answers, reviewed } from '../helpers/whole-audit.ts';

const about = (finding: number) => ({
  trigger: 'finding' as const,
  round: 1,
  finding: { id: findingIdOf(finding), severity: 'high' as const },
});
const verifying = [
  task(8, { kind: 'verification', about: about(1) }),
  task(9, { kind: 'verification', about: about(2) }),
];
const judged = (number: number, finding: number): TaskVerdict => ({
  kind: 'accepted',
  task: taskIdOf(number),
  result: blob(`judgement ${number}`),
  verdict: 'judged',
  findings: NO_FINDINGS,
  judgement: { finding: findingIdOf(finding), verdict: 'refuted' },
});
const { state: asked } = given(...reviewed());
/** The synthesis with a packet that verifies two findings, and its answer. */
const verified = after(
  reviewed(),
  derives(asked, { tasks: verifying, packets: [packet(8, [8, 9])] }),
  advance(),
  answers,
);
const of = [...given(...verified).state.queue.keys()][0] ?? 0;
const END = {
  reason: 'nothing-left',
  rounds: 1,
  tasks: 2,
  tokens: 900,
  tokensMax: 12_000,
} as const;

test('what a second pass says of a finding is an event of its own, and makes the synthesis stale', () => {
  const walk = given(...verified).when(judges(of, [judged(8, 1), judged(9, 2)]));
  walk.then(
    { type: 'ResultAccepted', task: taskIdOf(8), verdict: 'judged' },
    { type: 'ResultAccepted', task: taskIdOf(9) },
    { type: 'FindingVerified', finding: findingIdOf(1), verdict: 'refuted', by: of },
    { type: 'FindingVerified', finding: findingIdOf(2), verdict: 'refuted', by: of },
    { type: 'ArtifactsStale', obligations: ['synthesis', 'narrative'], openWork: false },
    { type: 'IngestionFinished', openWork: false },
  );
  expect(walk.state.lifecycle.path).toBe('deriving.synthesis');
  expect(walk.state.verdicts.get(findingIdOf(1))).toMatchObject({ verdict: 'refuted' });
});

test('a verification says something of the finding of its task and of no other (V1)', () => {
  expect(() => given(...verified).when(judges(of, [judged(8, 2)]))).toThrow(/V1/);
});

test('the same answer judged twice verifies nothing twice', () => {
  given(...after(verified, judges(of, [judged(8, 1), judged(9, 2)])))
    .when(judges(of, [judged(8, 1)]))
    .rejects('not-judging');
});

describe('the end of deepening', () => {
  const again = after(verified, judges(of, [judged(8, 1), judged(9, 2)]));
  const { state } = given(...again);

  test('is an event with its reason, before the synthesis that it comes with', () => {
    const walk = given(...again).when(derives(state, { deepeningEnd: END }));
    walk.then(
      { type: 'DeepeningEnded', reason: 'nothing-left', rounds: 1, tasks: 2 },
      { type: 'ArtifactDerived', obligation: 'synthesis', openWork: false },
      { type: 'ObligationWaived', obligation: 'narrative' },
      { type: 'AuditCompleted', how: 'full' },
    );
  });

  test('is said once, however often the synthesis is made', () => {
    const ended = given(...reviewed()).when(
      derives(asked, {
        deepeningEnd: END,
        tasks: [task(9, { kind: 'deepening' })],
        packets: [packet(9, [9])],
      }),
    ).state;
    expect(ended.deepeningEnded).toBe('nothing-left');
    expect(derivesAgain()).not.toContain('DeepeningEnded');
  });

  const derivesAgain = (): readonly string[] => {
    const first = after(
      reviewed(),
      derives(asked, {
        deepeningEnd: END,
        tasks: [task(9, { kind: 'deepening' })],
        packets: [packet(9, [9])],
      }),
      advance(),
      answers,
    );
    const [waiting] = given(...first).state.queue.keys();
    const settled = after(first, judges(waiting ?? 0, [accepts(9)]));
    const { state: now } = given(...settled);
    return after(settled, derives(now, { deepeningEnd: END }))
      .slice(settled.length)
      .map(({ type }) => type);
  };
});

test('what was to deepen a synthesis and is given up is left out of the next one, and the audit is partial', () => {
  let events = after(
    reviewed(),
    derives(asked, { tasks: verifying, packets: [packet(8, [8, 9])] }),
  );
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const now = LATER + attempt * 300_000;
    events = after(events, advance(now), ({ leases }) =>
      reports([...leases][0] ?? 0, { kind: 'crashed', exitCode: 1 }, undefined, now),
    );
  }
  expect(events.slice(-4)).toMatchObject([
    { type: 'TaskAbandoned', task: taskIdOf(8) },
    { type: 'TaskAbandoned', task: taskIdOf(9) },
    { type: 'ArtifactsStale', obligations: ['synthesis', 'narrative'], openWork: false },
    { type: 'IngestionFinished', openWork: false },
  ]);
  const { state } = given(...events);
  expect(state.lifecycle.path).toBe('deriving.synthesis');
  expect(after(events, derives(state)).at(-1)).toMatchObject({
    type: 'AuditCompleted',
    how: 'partial',
    reasons: ['2 tasks given up.'],
  });
});
