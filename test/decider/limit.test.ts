import { expect, test } from 'vitest';
import type { AttemptEnd } from '../../src/domain/attempt-end.ts';
import type { Command } from '../../src/domain/commands.ts';
import type { AuditEvent } from '../../src/domain/events.ts';
import type { AuditState } from '../../src/decider/state.ts';
import { whyOf } from '../../src/decider/views.ts';
import { accepts, advance, judges, LATER, refuses, reports } from '../helpers/command-samples.ts';
import { given } from '../helpers/given.ts';
import { ACCOUNT, blob, packet, packetIdOf, planned, START } from '../helpers/samples.ts';
import { after, answers, takesAll } from '../helpers/whole-audit.ts';

/** Six packets of two tasks, a ceiling of four, and a process that may begin `packetsMax`. */
const limited = (packetsMax: number): AuditEvent[] => {
  const tasks = Array.from({ length: 6 }, (_, index) => [index * 2 + 1, index * 2 + 2]);
  const [opened, , ...rest] = planned(tasks, {
    accounts: [{ id: ACCOUNT, ceiling: 4, source: 'declared' }],
  });
  const writer = { type: 'WriterOpened', epoch: 1, tool: '0.1.0', packetsMax, at: START } as const;
  return [opened as AuditEvent, writer, ...rest];
};
const started = (events: readonly AuditEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'AttemptStarted' ? [event.packet] : []));
const ends =
  (end: AttemptEnd, now = LATER) =>
  ({ leases }: AuditState): Command =>
    reports([...leases][0] ?? 0, end, undefined, now);

test('a process begins as many packets as it may, however many slots are free', () => {
  for (const packetsMax of [1, 2, 3]) {
    const history = after(limited(packetsMax), advance());
    expect(started(history)).toHaveLength(packetsMax);
    given(...history)
      .when(advance(LATER + 1))
      .thenTypes();
    const { state } = given(...history);
    expect(whyOf(state, LATER, packetIdOf(6))).toEqual({ kind: 'packets-used-up' });
  }
});

test('it stops when all of them are at their end, for the reason that it was given', () => {
  const first = after(limited(2), advance(), answers, takesAll);
  expect(given(...first).state.writer.stop).toBeUndefined();
  given(...after(first, answers))
    .when(takesAll(given(...after(first, answers)).state))
    .then(
      { type: 'ResultAccepted' },
      { type: 'ResultAccepted' },
      { type: 'IngestionFinished' },
      { type: 'StopRequested', reason: 'limit' },
    );
});

test('attempts at a packet that was begun are free, and so are those at what is left of it', () => {
  const crashed = after(limited(1), advance(), ends({ kind: 'crashed', exitCode: 1 }));
  expect(given(...crashed).state.writer.stop).toBeUndefined();
  const again = after(crashed, advance(LATER + 100_000));
  expect(started(again)).toEqual([packetIdOf(1), packetIdOf(1)]);

  const half = after(
    again,
    ({ leases }) => reports([...leases][0] ?? 0, { kind: 'exited' }, blob('half'), LATER + 100_001),
    ({ queue }) =>
      judges(
        [...queue.keys()][0] ?? 0,
        [accepts(1), refuses('wrong-shape', 2)],
        packet(9, [2]),
        LATER + 100_002,
      ),
  );
  expect(given(...half).state.writer.stop).toBeUndefined();
  given(...half)
    .when(advance(LATER + 200_000))
    .then({ type: 'AttemptStarted', packet: packetIdOf(9) });
});

test('a packet that is given up is at its end', () => {
  let history = after(limited(1), advance());
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const now = LATER + attempt * 1_000_000;
    history = after(history, ends({ kind: 'lost' }, now), advance(now + 500_000));
  }
  expect(started(history)).toHaveLength(3);
  const { state } = given(...history);
  expect([state.writer.stop, state.counts.tasks.abandoned]).toEqual(['limit', 2]);
});

test('one that was only limited is begun, and waits for its turn', () => {
  const cooled = after(limited(1), advance(), ends({ kind: 'limited', limit: 'rate' }));
  const { state } = given(...cooled);
  expect([state.writer.stop, state.lifecycle.path]).toEqual([undefined, 'cooldown']);
  const again = after(cooled, advance(LATER + 10_000_000), advance(LATER + 10_000_000));
  expect(started(again)).toEqual([packetIdOf(1), packetIdOf(1)]);
});

test('the next process may begin as many again', () => {
  const stopped = after(limited(1), advance(), answers, takesAll);
  expect(given(...stopped).state.writer.stop).toBe('limit');
  const next = { type: 'OpenWriter', epoch: 2, tool: '0.1.0', packetsMax: 2, now: LATER } as const;
  expect(started(after(stopped, next, advance())).slice(1)).toEqual([packetIdOf(2), packetIdOf(3)]);
  expect(started(after(stopped, { ...next, packetsMax: undefined }, advance()))).toHaveLength(5);
});

test('a limit that nothing is left beyond is none: the audit goes on to its end', () => {
  const all = after(limited(6), advance());
  let history = all;
  for (let turn = 0; turn < 6; turn += 1) history = after(history, answers, takesAll, advance());
  const { state } = given(...history);
  expect([state.writer.stop, state.lifecycle.path]).toEqual([undefined, 'deriving.synthesis']);
});
