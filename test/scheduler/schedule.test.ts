import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AccountId, PacketId } from '../../src/domain/ids.ts';
import type { AccountView, Board, Budget } from '../../src/scheduler/board.ts';
import { schedule } from '../../src/scheduler/schedule.ts';
import { why } from '../../src/scheduler/why.ts';

const NOW = 1_000_000;
const OPEN: Budget = { startsLeft: undefined, packets: undefined, heldBack: undefined };

type Waits = { readonly order: number; readonly retryAt?: number | undefined };

const packetOf = (order: number): PacketId => `p-${String(order).padStart(16, '0')}` as PacketId;

/** A board of packets by their order; those with a `retryAt` wait after a failure. */
const boardOf = (waits: readonly Waits[]): Board => {
  const ready = waits.filter(({ retryAt }) => retryAt === undefined);
  const backing = waits.filter(({ retryAt }) => retryAt !== undefined);
  const inOrder = (items: readonly Waits[], key: (item: Waits) => number) =>
    items
      .toSorted((left, right) => key(left) - key(right) || left.order - right.order)
      .map(({ order, retryAt = 0 }) => ({ packet: packetOf(order), order, retryAt }));
  return {
    ready: () => inOrder(ready, ({ order }) => order),
    backingOff: () => inOrder(backing, ({ retryAt = 0 }) => retryAt),
    standing: (packet) => {
      const found = waits.find(({ order }) => packetOf(order) === packet);
      return (
        found && {
          status: found.retryAt === undefined ? 'ready' : 'backing-off',
          order: found.order,
          retryAt: found.retryAt,
        }
      );
    },
  };
};

const account = (fields: Partial<AccountView> = {}): AccountView => ({
  id: 'one' as AccountId,
  ceiling: 2,
  inFlight: 0,
  cooldownUntil: undefined,
  isExhausted: false,
  ...fields,
});
const numbersOf = ({ start }: ReturnType<typeof schedule>): number[] =>
  start.map(({ packet }) => Number(packet.slice(2)));

const waits = fc.uniqueArray(
  fc.record({
    order: fc.nat({ max: 40 }),
    retryAt: fc.option(fc.integer({ min: NOW - 50, max: NOW + 50 }), { nil: undefined }),
  }),
  { selector: ({ order }) => order, maxLength: 20 },
);
const accounts = fc
  .array(
    fc.record({
      ceiling: fc.integer({ min: 1, max: 5 }),
      inFlight: fc.nat({ max: 6 }),
      cooldownUntil: fc.option(fc.integer({ min: NOW - 50, max: NOW + 50 }), { nil: undefined }),
      isExhausted: fc.boolean(),
    }),
    { maxLength: 4 },
  )
  .map((list) => list.map((view, index) => ({ ...view, id: `account ${index}` as AccountId })));
const budgets = fc.record({
  startsLeft: fc.option(fc.nat({ max: 6 }), { nil: undefined }),
  /** At most so many fresh packets, beside those of the first orders that were begun. */
  packets: fc.option(
    fc.record({
      max: fc.nat({ max: 6 }),
      begun: fc
        .nat({ max: 6 })
        .map((count) => new Set(Array.from({ length: count }, (_, order) => packetOf(order)))),
    }),
    { nil: undefined },
  ),
  heldBack: fc
    .integer({ min: 0, max: 19 })
    .map((dice) => (['stopped', 'hand-off', 'question', 'answers-held'] as const)[dice]),
});

const mayStart = ({ isExhausted, cooldownUntil }: AccountView): boolean =>
  !isExhausted && (cooldownUntil === undefined || cooldownUntil <= NOW);
/** Counted without the scheduler: free places on accounts that may start. */
const freeSlots = (views: readonly AccountView[]): number =>
  views
    .filter(mayStart)
    .reduce((sum, { ceiling, inFlight }) => sum + Math.max(0, ceiling - inFlight), 0);
/** Of packets in order: those that were begun, and as many others as may still begin. */
const withinLimit =
  ({ packets }: Budget) =>
  ({ order }: Waits, _: number, all: readonly Waits[]): boolean => {
    if (packets === undefined || packets.begun.has(packetOf(order))) return true;
    const fresher = all.filter(
      (other) => other.order < order && !packets.begun.has(packetOf(other.order)),
    );
    return fresher.length < packets.max - packets.begun.size;
  };
const isDue = ({ retryAt }: Waits): boolean => retryAt === undefined || retryAt <= NOW;

test('never more in flight than the ceiling, on no account, and nothing where nothing may start', () => {
  fc.assert(
    fc.property(waits, accounts, budgets, (packets, views, budget) => {
      const { start } = schedule(boardOf(packets), views, budget, NOW);
      for (const view of views) {
        const started = start.filter(({ account: on }) => on === view.id).length;
        if (started === 0) continue;
        expect(mayStart(view)).toBe(true);
        expect(view.inFlight + started).toBeLessThanOrEqual(view.ceiling);
      }
      expect(new Set(start.map(({ packet }) => packet)).size).toBe(start.length);
    }),
    { numRuns: 500 },
  );
});

test('never idle while a packet is ready, a slot is free and the budget allows', () => {
  fc.assert(
    fc.property(waits, accounts, budgets, (packets, views, budget) => {
      const { start } = schedule(boardOf(packets), views, budget, NOW);
      const allowed = budget.heldBack !== undefined ? 0 : (budget.startsLeft ?? Infinity);
      const could = packets.filter(isDue).filter(withinLimit(budget)).length;
      expect(start).toHaveLength(Math.min(could, freeSlots(views), allowed));
    }),
    { numRuns: 500 },
  );
});

test("what starts is the first of all that may, in the plan's order, whether new or tried again", () => {
  fc.assert(
    fc.property(waits, accounts, budgets, (packets, views, budget) => {
      const started = numbersOf(schedule(boardOf(packets), views, budget, NOW));
      const due = packets
        .filter(isDue)
        .toSorted((left, right) => left.order - right.order)
        .filter(withinLimit(budget))
        .map(({ order }) => order);
      expect(started).toEqual(due.slice(0, started.length));
    }),
    { numRuns: 500 },
  );
});

test('the next chance is the first instant at which waiting alone can change the decision', () => {
  fc.assert(
    fc.property(waits, accounts, (packets, views) => {
      const { start, waitUntil } = schedule(boardOf(packets), views, OPEN, NOW);
      const instants = [
        ...packets.map(({ retryAt }) => retryAt),
        ...(packets.length === 0 ? [] : views)
          .filter(({ isExhausted }) => !isExhausted)
          .map(({ cooldownUntil }) => cooldownUntil),
      ].filter((instant) => instant !== undefined && instant > NOW);
      expect(waitUntil).toBe(
        instants.length === 0 ? undefined : Math.min(...(instants as number[])),
      );
      const until = waitUntil ?? NOW + 100;
      if (until - 1 > NOW) {
        expect(schedule(boardOf(packets), views, OPEN, until - 1).start).toEqual(start);
      }
    }),
    { numRuns: 500 },
  );
});

test('the same inputs give the same decision', () => {
  fc.assert(
    fc.property(waits, accounts, budgets, (packets, views, budget) => {
      expect(schedule(boardOf(packets), views, budget, NOW)).toEqual(
        schedule(boardOf(packets.toReversed()), views, budget, NOW),
      );
    }),
    { numRuns: 200 },
  );
});

test('accounts are used in their order of preference, the first one full before the next', () => {
  const views = [account(), account({ id: 'two' as AccountId, ceiling: 3 })];
  const { start } = schedule(boardOf([{ order: 1 }, { order: 2 }, { order: 3 }]), views, OPEN, NOW);
  expect(start.map(({ account: on }) => on)).toEqual(['one', 'one', 'two']);
});

test('the work of a call grows with its starts, not with the board', () => {
  let looked = 0;
  function* endless() {
    for (let order = 0; ; order += 1) {
      looked += 1;
      yield { packet: packetOf(order), order };
    }
  }
  const board: Board = { ready: endless, backingOff: () => [], standing: () => undefined };
  expect(schedule(board, [account({ ceiling: 3 })], OPEN, NOW).start).toHaveLength(3);
  expect(looked).toBeLessThanOrEqual(5);
});

describe('why', () => {
  const board = boardOf([{ order: 1 }, { order: 2 }, { order: 3, retryAt: NOW + 10 }]);
  const standing = (status: string): Board => ({
    ...board,
    standing: () => ({ status, order: 1, retryAt: undefined }) as never,
  });
  const reasonOf = (views: readonly AccountView[], order: number, budget = OPEN, on = board) =>
    why(on, views, budget, NOW, packetOf(order));
  const one = [account({ ceiling: 1 })];

  test.each([
    ['starts-now', reasonOf(one, 1)],
    ['no-free-slot', reasonOf(one, 2)],
    ['backing-off', reasonOf([account({ ceiling: 5 })], 3)],
    ['unknown-packet', reasonOf(one, 99)],
    ['stopped', reasonOf(one, 1, { ...OPEN, heldBack: 'stopped' })],
    ['question', reasonOf(one, 1, { ...OPEN, heldBack: 'question' })],
    [
      'packets-used-up',
      reasonOf(one, 1, { ...OPEN, packets: { max: 1, begun: new Set([packetOf(2)]) } }),
    ],
    ['starts-used-up', reasonOf(one, 1, { ...OPEN, startsLeft: 0 })],
    ['accounts-exhausted', reasonOf([account({ isExhausted: true })], 1)],
    ['accounts-cooling', reasonOf([account({ cooldownUntil: NOW + 5 })], 1)],
    ['settled', reasonOf(one, 1, OPEN, standing('settled'))],
    ['abandoned', reasonOf(one, 1, OPEN, standing('abandoned'))],
    ['in-flight', reasonOf(one, 1, OPEN, standing('running'))],
    ['in-flight', reasonOf(one, 1, OPEN, standing('leased'))],
    ['being-judged', reasonOf(one, 1, OPEN, standing('answered'))],
  ])('says %s', (kind, reason) => {
    expect(reason.kind).toBe(kind);
  });

  test('tells until when, and how many slots there are', () => {
    expect(reasonOf([account({ cooldownUntil: NOW + 5 })], 1)).toMatchObject({ until: NOW + 5 });
    expect(reasonOf([account({ ceiling: 5 })], 3)).toMatchObject({ until: NOW + 10 });
    expect(reasonOf(one, 2)).toMatchObject({ ceiling: 1 });
  });

  test('agrees with the schedule about every packet', () => {
    fc.assert(
      fc.property(waits, accounts, budgets, (packets, views, budget) => {
        const all = boardOf(packets);
        const started = numbersOf(schedule(all, views, budget, NOW));
        for (const { order } of packets) {
          const { kind } = why(all, views, budget, NOW, packetOf(order));
          expect(kind === 'starts-now').toBe(started.includes(order));
        }
      }),
      { numRuns: 300 },
    );
  });
});
