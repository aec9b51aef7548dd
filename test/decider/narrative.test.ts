import { describe, expect, test } from 'vitest';
import { accepts, advance, derives, judges, LATER, reports } from '../helpers/command-samples.ts';
import { given } from '../helpers/given.ts';
import { blob, packet, packetIdOf, task, taskIdOf } from '../helpers/samples.ts';
import { after, answers, reviewed, takesAll } from '../helpers/whole-audit.ts';

const narrative = task(9, { kind: 'narrative', lens: 'architecture' });
const { state: asked } = given(...reviewed());
const told = derives(asked, { tasks: [narrative], packets: [packet(9, [9])] });
/** The synthesis with the packet that writes the narrative. */
const synthesised = after(reviewed(), told);
/** A synthesis that asks for more review beside the narrative. */
const deepened = after(
  reviewed(),
  derives(asked, {
    tasks: [narrative, task(8)],
    packets: [packet(9, [9]), packet(8, [8])],
  }),
);

test('the synthesis may bring the packet that writes the narrative, and it is dispatched', () => {
  const walk = given(...reviewed()).when(told);
  walk.then(
    { type: 'TasksPlanned' },
    { type: 'PacketsPlanned' },
    { type: 'ArtifactDerived', obligation: 'synthesis', openWork: true },
  );
  expect(walk.state.lifecycle.path).toBe('dispatching');
});

test("the narrative's result settles it, makes nothing stale, and completes the audit (M1)", () => {
  const walk = given(...after(synthesised, advance(), answers)).when(
    takesAll(given(...after(synthesised, advance(), answers)).state),
  );
  walk.then(
    { type: 'ResultAccepted', task: taskIdOf(9), settles: 'narrative' },
    { type: 'IngestionFinished', openWork: false },
    { type: 'AuditCompleted', how: 'full' },
  );
  expect(walk.state.obligations.get('narrative')?.state).toBe('current');
  expect(walk.state.obligations.get('synthesis')?.state).toBe('current');
});

test('without a narrative it is waived, and nothing is missing', () => {
  given(...reviewed())
    .when(derives(asked))
    .then(
      { type: 'ArtifactDerived', openWork: false },
      { type: 'ObligationWaived', obligation: 'narrative', atRunTime: false },
      { type: 'AuditCompleted', how: 'full', reasons: [] },
    );
});

test('a narrative that cannot be written is waived at run time: the audit is partial', () => {
  let events = synthesised;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const now = LATER + attempt * 300_000;
    events = after(events, advance(now), ({ leases }) =>
      reports([...leases][0] ?? 0, { kind: 'crashed', exitCode: 1 }, undefined, now),
    );
  }
  expect(events.slice(-3)).toMatchObject([
    { type: 'IngestionFinished' },
    { type: 'ObligationWaived', obligation: 'narrative', atRunTime: true },
    { type: 'AuditCompleted', how: 'partial' },
  ]);
});

describe('a review result after the synthesis (M1)', () => {
  const reviewAnswered = after(
    deepened,
    { ...advance(), running: new Set() } as never,
    ({ attempts }) => {
      const lease = [...attempts.values()].find(({ packet: of }) => of === packetIdOf(8));
      return reports(lease?.token ?? 0, { kind: 'exited' }, blob('deeper'));
    },
  );
  const of = [...given(...reviewAnswered).state.queue.keys()][0] ?? 0;

  test('makes synthesis and narrative stale, and retires the task that would have written it', () => {
    const walk = given(...reviewAnswered).when(judges(of, [accepts(8)]));
    walk.then(
      { type: 'ResultAccepted', task: taskIdOf(8) },
      { type: 'ArtifactsStale', obligations: ['synthesis', 'narrative'] },
      { type: 'IngestionFinished', openWork: false },
    );
    expect(walk.state.tasks.get(taskIdOf(9))?.status).toBe('retired');
    expect(walk.state.lifecycle.path).toBe('deriving.synthesis');
  });

  test('that was refused makes nothing stale', () => {
    const walk = given(...reviewAnswered).when(judges(of, []));
    walk.thenTypes('ResultRejected', 'IngestionFinished');
    expect(walk.state.obligations.get('synthesis')?.state).toBe('current');
  });
});
