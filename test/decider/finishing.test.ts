import { describe, expect, test } from 'vitest';
import type { Command } from '../../src/domain/commands.ts';
import { plan } from '../../src/decider/plan.ts';
import { statusOf } from '../../src/decider/status.ts';
import {
  accepts,
  advance,
  derives,
  handsIn,
  judges,
  LATER,
  reports,
} from '../helpers/command-samples.ts';
import { given } from '../helpers/given.ts';
import { blob, packetIdOf, planned } from '../helpers/samples.ts';
import { after, completed, reviewed } from '../helpers/whole-audit.ts';

const TOKEN = 12;
/** An import settles the only packet while its attempt still runs. */
const overtaken = after(planned([[1]]), advance(), handsIn(1, 'by hand'), judges(13, [accepts(1)]));

describe('an attempt whose tasks are all settled otherwise', () => {
  test('is to be stopped, under the key that it runs under', () => {
    expect(plan(given(...overtaken).state)).toContainEqual(
      expect.objectContaining({ type: 'StopAttempt', token: TOKEN, key: `attempt:${TOKEN}` }),
    );
  });

  test('holds up no stage, but the completion waits for its end', () => {
    const { state } = given(...overtaken);
    expect(state.lifecycle.path).toBe('deriving.synthesis');
    const waiting = given(...overtaken).when(derives(state));
    waiting.thenTypes('ArtifactDerived', 'ObligationWaived');
    expect(waiting.state.lifecycle.path).toBe('deriving.finishing');
    expect(plan(waiting.state)).toMatchObject([{ type: 'StopAttempt', token: TOKEN }]);
  });

  test('ends cancelled, and the completion stands in the same commit', () => {
    const finishing = after(overtaken, derives);
    const walk = given(...finishing).when(reports(TOKEN, { kind: 'cancelled', by: 'settled' }));
    walk.then(
      { type: 'AttemptEnded', end: { kind: 'cancelled', by: 'settled' }, counted: false },
      { type: 'AuditCompleted', how: 'full' },
    );
    expect(plan(walk.state)).toMatchObject([{ type: 'WriteReport' }]);
  });

  test('is not counted even when it crashes: its packet needs nothing any more', () => {
    const walk = given(...after(overtaken, derives)).when(reports(TOKEN, { kind: 'lost' }));
    walk.then({ type: 'AttemptEnded', counted: false }, { type: 'AuditCompleted' });
    expect(walk.state.packets.get(packetIdOf(1))?.counted).toBe(0);
  });

  test('may still answer: the answer is kept as late, and the audit is complete all the same', () => {
    const finishing = after(overtaken, derives);
    const walk = given(...finishing).when(reports(TOKEN, { kind: 'exited' }, blob('too late')));
    walk.then({ type: 'AttemptEnded', answer: blob('too late') }, { type: 'AuditCompleted' });
    expect(walk.state.queue.size).toBe(0);
    expect(statusOf(walk.state)).toMatchObject({
      answersWaiting: 0,
      obligations: expect.arrayContaining([{ id: 'ingestion', state: 'current' }]) as never,
    });
  });
});

test('an attempt with open tasks is to run, whoever started it', () => {
  const { state } = given(...after(planned([[1]]), advance()));
  expect(plan(state)).toMatchObject([{ type: 'RunAttempt', token: TOKEN, packet: packetIdOf(1) }]);
  const restarted = given(
    ...after(planned([[1]]), advance(), {
      type: 'OpenWriter',
      epoch: 2,
      tool: '0.1.0',
      now: LATER,
    }),
  );
  expect(plan(restarted.state)).toEqual(plan(state));
});

test('what was abandoned makes the audit partial, and it says so', () => {
  const limits = { attemptsMax: 1, wallMs: 1, idleMs: 1, outputBytesMax: 1 };
  const lost = after(planned([[1]], { limits }), advance(), reports(TOKEN, { kind: 'lost' }));
  given(...lost)
    .when(derives(given(...lost).state))
    .then(
      { type: 'ArtifactDerived' },
      { type: 'ObligationWaived', obligation: 'narrative' },
      { type: 'AuditCompleted', how: 'partial', reasons: [expect.any(String) as never] },
    );
});

describe('a file that changes', () => {
  const drift = (path: string, now = LATER): Command => ({
    type: 'ReportDrift',
    paths: [{ path, expected: blob('a').digest, found: blob('b').digest }],
    now,
  });

  test('makes its own tasks stale and no others', () => {
    const state = given(...planned([[1], [2]]))
      .when(drift('src/f1.ts'))
      .thenTypes('InputDrifted');
    expect([...state.tasks.values()].map(({ status }) => status)).toEqual(['stale', 'open']);
    expect(state.packets.get(packetIdOf(1))?.status).toBe('settled');
  });

  test('is told once', () => {
    given(...after(planned([[1], [2]]), drift('src/f1.ts')))
      .when(drift('src/f1.ts'))
      .rejects('nothing-changes');
  });

  test('with the last open task leads on to the end, which is partial', () => {
    const state = given(...planned([[1]]))
      .when(drift('src/f1.ts'))
      .thenTypes('InputDrifted', 'ArtifactsStale', 'ObligationWaived');
    expect(state.lifecycle.path).toBe('deriving.synthesis');
    const done = given(...after(planned([[1]]), drift('src/f1.ts'), derives)).state;
    expect(done.completed).toMatchObject({ how: 'partial' });
  });

  test('moves the inputs of the stage on, so that a report on the old ones is refused', () => {
    const { state } = given(...reviewed());
    const late = derives(state);
    given(...after(reviewed(), drift('src/f1.ts')))
      .when(late)
      .rejects('not-current');
  });
});

test('a report is what is left to do for a complete audit, also after a late answer', () => {
  const { state } = given(...completed());
  expect(plan(state)).toMatchObject([{ type: 'WriteReport' }]);
  expect(
    plan(given(...after(completed(), { ...handsIn(1, 'late'), answersWaiting: false })).state),
  ).toMatchObject([{ type: 'WriteReport' }]);
});
