import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Effect } from '../../src/domain/effects.ts';
import { createEngine } from '../../src/engine/engine.ts';
import type { Performer } from '../../src/engine/performer.ts';
import { initialState } from '../../src/decider/state.ts';
import type { EventStore } from '../../src/store/event-store.ts';
import { createMemoryEventStore } from '../../src/store/memory-event-store.ts';
import * as sample from '../helpers/samples.ts';
import { createSimulatedClock } from '../helpers/simulated-clock.ts';

/** A store whose commits become durable one at a time, when the test says so. */
const createGatedStore = () => {
  const memory = createMemoryEventStore({ epoch: 1 });
  const waiting: (() => void)[] = [];
  let durable = 0;
  const store: EventStore = {
    ...memory,
    append: async (draft, expected) => {
      const appended = await memory.append(draft, expected);
      await new Promise<void>((resolve) => waiting.push(resolve));
      durable = appended.position.seq;
      return appended;
    },
  };
  return {
    store,
    durable: () => durable,
    syncNext: async (): Promise<boolean> => {
      for (let turns = 0; turns < 5; turns += 1) await turn();
      const next = waiting.shift();
      next?.();
      for (let turns = 0; turns < 5; turns += 1) await turn();
      return next !== undefined;
    },
  };
};

const createWatchedPerformer = (
  watch: (effect: Effect['type'], needs: number) => void,
): Performer => ({
  derive: async ({ basis, stage }) => {
    watch('DeriveStage', basis);
    return {
      kind: 'derived',
      artifact: sample.blob(stage),
      ...(stage === 'planning' && {
        tasks: [sample.task(1), sample.task(2)],
        packets: [sample.packet(1, [1]), sample.packet(2, [2])],
      }),
    };
  },
  attempt: async ({ token }) => {
    watch('RunAttempt', token);
    return { end: { kind: 'exited' }, answer: sample.blob(`answer ${token}`) };
  },
  judge: async ({ of, packet }) => {
    watch('JudgeAnswer', of);
    const task = packet === sample.packetIdOf(1) ? sample.taskIdOf(1) : sample.taskIdOf(2);
    return {
      verdicts: [
        {
          kind: 'accepted',
          task,
          result: sample.blob(`result ${task}`),
          verdict: 'clean',
          findings: sample.NO_FINDINGS,
        },
      ],
    };
  },
  openInput: async ({ of }) => {
    watch('OpenInput', of);
    return { packets: [sample.packetIdOf(1)], refused: [] };
  },
  report: async (_, position) => watch('WriteReport', position.seq),
});

const opening = () => {
  const {
    type: _,
    at: __,
    ...fields
  } = sample.auditOpened() as Extract<
    ReturnType<typeof sample.auditOpened>,
    { type: 'AuditOpened' }
  >;
  return fields;
};

test('no effect starts before the event that asks for it is durable (R7)', async () => {
  const gate = createGatedStore();
  const started: string[] = [];
  const engine = createEngine(
    {
      store: gate.store,
      clock: createSimulatedClock(sample.START),
      epoch: 1,
      state: initialState(),
      performer: createWatchedPerformer((type, needs) => {
        started.push(type);
        expect(needs, `${type} needs event ${needs}`).toBeLessThanOrEqual(gate.durable());
      }),
    },
    { wait: true, graceMs: 1000 },
  );
  const opened = [
    engine.submit({ type: 'OpenAudit', ...opening() }),
    engine.submit({ type: 'OpenWriter', epoch: 1, tool: '0.1.0' }),
  ];
  const end = engine.run();
  for (let turns = 0; turns < 20; turns += 1) await turn();
  expect(started, 'nothing is durable yet').toEqual([]);
  expect(engine.published().seq).toBe(0);

  let ended = false;
  void end.then(() => (ended = true));
  while (!ended) await gate.syncNext();
  await Promise.all(opened);
  expect(await end).toEqual({ kind: 'complete' });
  expect(started.filter((type) => type === 'RunAttempt')).toHaveLength(2);
  expect(started.at(-1)).toBe('WriteReport');
});

test('what is published is what is durable, and a rejection waits for what it was decided on', async () => {
  const gate = createGatedStore();
  const engine = createEngine(
    {
      store: gate.store,
      clock: createSimulatedClock(sample.START),
      epoch: 1,
      state: initialState(),
      performer: createWatchedPerformer(() => undefined),
      onPublished: (commit, state, position) => {
        expect(state.seq).toBe(position.seq);
        expect(position.seq).toBe(gate.durable());
        expect(commit.seq).toBeLessThanOrEqual(position.seq);
      },
    },
    { wait: true, graceMs: 1000 },
  );
  const opened = engine.submit({ type: 'OpenAudit', ...opening() });
  let refused = false;
  const again = engine.submit({ type: 'OpenAudit', ...opening() });
  void again.then(() => (refused = true));
  for (let turns = 0; turns < 20; turns += 1) await turn();
  expect(refused, 'C3: the rejection rests on a commit that is not synced').toBe(false);
  await gate.syncNext();
  expect(await opened).toEqual({ kind: 'done', seq: 1 });
  expect(await again).toMatchObject({ kind: 'rejected', rejection: { code: 'audit-exists' } });
});

test('an append that fails ends the engine, and nothing is decided any more (C4)', async () => {
  const memory = createMemoryEventStore({ epoch: 1 });
  let fails = false;
  const engine = createEngine(
    {
      store: {
        ...memory,
        append: (draft, expected) =>
          fails ? Promise.reject(new Error('the disk is full')) : memory.append(draft, expected),
      },
      clock: createSimulatedClock(sample.START),
      epoch: 1,
      state: initialState(),
      performer: createWatchedPerformer(() => undefined),
    },
    { wait: true, graceMs: 1000 },
  );
  await engine.submit({ type: 'OpenAudit', ...opening() });
  await engine.submit({ type: 'OpenWriter', epoch: 1, tool: '0.1.0' });
  fails = true;
  await expect(engine.run()).rejects.toThrow('the disk is full');
  fails = false;
  await expect(engine.submit({ type: 'CloseWriter' })).rejects.toThrow('the disk is full');
});
