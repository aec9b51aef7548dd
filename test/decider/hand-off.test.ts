import { describe, expect, test } from 'vitest';
import type { Command } from '../../src/domain/commands.ts';
import { whyOf } from '../../src/decider/views.ts';
import {
  accepts,
  advance,
  handsIn,
  judges,
  LATER,
  opensInput,
  receives,
  refuses,
  reports,
} from '../helpers/command-samples.ts';
import { given } from '../helpers/given.ts';
import { ACCOUNT, attemptStarted, blob, packetIdOf, planned } from '../helpers/samples.ts';
import { after } from '../helpers/whole-audit.ts';

const TOKEN = 12;
const HANDOFF = { provider: 'handoff' } as const;
const changesTo = (provider: 'handoff' | 'scripted'): Command => ({
  type: 'ChangeLimits',
  changes: { provider, accounts: [{ id: ACCOUNT, ceiling: 2, source: 'declared' }] },
  reason: 'asked for',
  now: LATER,
});
const drifts = (...files: readonly number[]): Command => ({
  type: 'ReportDrift',
  paths: files.map((file) => ({ path: `src/f${file}.ts`, expected: blob('before').digest })),
  now: LATER,
});
const offered = after(planned([[1, 2], [3]], HANDOFF), advance());

test('work that others do is handed off at once, and nothing is started', () => {
  const walk = given(...planned([[1, 2], [3]], HANDOFF)).when(advance());
  walk.then({ type: 'AuditBlocked', cause: 'hand-off', waitsFor: 'hand-off' });
  expect(walk.state.blocker?.message).toBe('Packets wait for somebody to review them.');
  expect(whyOf(walk.state, LATER, packetIdOf(1))).toEqual({ kind: 'hand-off' });
  given(...offered)
    .when(advance(LATER + 100_000))
    .thenTypes();
  given(...offered)
    .when({ type: 'Resume', by: 'run', now: LATER })
    .rejects('not-possible-now');
});

describe('answers to a hand-off', () => {
  test('that leave work open leave it handed off, without another block', () => {
    const came = after(offered, handsIn(2, 'by hand'));
    const walk = given(...came).when(judges(came.length, [accepts(3)]));
    walk.then(
      { type: 'ResultAccepted', provider: 'handoff', reviewer: 'agent' },
      { type: 'IngestionFinished', openWork: true, blocked: true },
    );
    expect(walk.state.lifecycle.path).toBe('blocked');
  });

  test('that settle the last task lead on to the end', () => {
    const came = after(offered, handsIn(1, 'one'), handsIn(2, 'two'));
    const walk = given(...after(came, judges(came.length - 1, [accepts(1), accepts(2)]))).when(
      judges(came.length, [accepts(3)]),
    );
    walk.thenTypes('ResultAccepted', 'IngestionFinished', 'ObligationWaived');
    expect([walk.state.lifecycle.path, walk.state.blocker]).toEqual([
      'deriving.synthesis',
      undefined,
    ]);
  });

  test('in part leave the packet as it was offered, with no attempt used up (R36)', () => {
    const came = after(offered, handsIn(1, 'half'));
    const walk = given(...came).when(
      judges(came.length, [accepts(1), refuses('invalid-location', 2)]),
    );
    walk.then(
      { type: 'ResultAccepted' },
      { type: 'ResultRejected', code: 'invalid-location' },
      { type: 'IngestionFinished', blocked: true },
    );
    expect(walk.state.packets.get(packetIdOf(1))).toMatchObject({
      status: 'ready',
      openTasks: 1,
      counted: 0,
    });
  });

  test('that were handed in before the block are opened first', () => {
    const early = after(planned([[1]], HANDOFF), receives('early'));
    given(...early)
      .when(advance())
      .thenTypes();
    given(...early)
      .when(opensInput(TOKEN, []))
      .thenTypes('ExternalInputConsumed', 'AuditBlocked');
  });
});

test('a hand-off whose tasks all went stale waits for nobody, and the audit ends in part', () => {
  given(...offered)
    .when(drifts(1))
    .thenTypes('InputDrifted');
  const walk = given(...offered).when(drifts(1, 2, 3));
  walk.thenTypes('InputDrifted', 'ArtifactsStale', 'ObligationWaived');
  expect([walk.state.lifecycle.path, walk.state.blocker]).toEqual([
    'deriving.synthesis',
    undefined,
  ]);
});

describe('a change of who does the work', () => {
  test('to others waits for the attempts that are in flight', () => {
    const inFlight = [...planned([[1], [2]]), attemptStarted(1)];
    const changed = after(inFlight, changesTo('handoff'));
    expect(given(...changed).state.lifecycle.path).toBe('dispatching');
    given(...changed)
      .when(advance())
      .thenTypes();
    given(...changed)
      .when(reports(TOKEN, { kind: 'cancelled', by: 'operator' }))
      .thenTypes('AttemptEnded', 'IngestionFinished', 'AuditBlocked');
  });

  test('to an agent lifts the block and starts what is open', () => {
    const came = after(offered, handsIn(2, 'by hand'));
    const half = after(came, judges(came.length, [accepts(3)]));
    const walk = given(...half).when(changesTo('scripted'));
    walk.thenTypes('LimitsChanged');
    given(...after(half, changesTo('scripted')))
      .when(advance())
      .then({ type: 'AttemptStarted', packet: packetIdOf(1), provider: 'scripted' });
  });

  test('and back offers again what is open then', () => {
    given(...after(offered, changesTo('scripted')))
      .when(changesTo('handoff'))
      .thenTypes('LimitsChanged', 'AuditBlocked');
  });
});

test('a stop changes nothing for those who review: their answers are taken', () => {
  const stopped = after(offered, { type: 'RequestStop', reason: 'operator', now: LATER });
  const came = after(stopped, handsIn(2, 'by hand'));
  given(...came)
    .when(judges(came.length, [accepts(3)]))
    .thenTypes('ResultAccepted', 'IngestionFinished');
});
