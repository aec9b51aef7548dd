import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PacketId } from '../../src/domain/ids.ts';
import {
  copyWaitingList,
  createWaitingList,
  insertWaiting,
  removeWaiting,
  waitingIn,
  type Waiting,
} from '../../src/decider/waiting-list.ts';

const waiting = (order: number, retryAt: number): Waiting => ({
  packet: `p-${order}` as PacketId,
  order,
  retryAt,
});
const steps = fc.array(
  fc.record({ order: fc.nat({ max: 30 }), retryAt: fc.nat({ max: 5 }), isFirst: fc.boolean() }),
  { maxLength: 120, size: 'max' },
);

/** Eight packets; three are taken from the front, then four from behind it. */
const passedOver = [
  ...[0, 1, 2, 3, 9, 20, 25, 26].map((order) => ({ order, retryAt: 0, isFirst: false })),
  ...[0, 0, 0].map((order) => ({ order, retryAt: 0, isFirst: true })),
  ...[26, 25, 20, 9].map((order) => ({ order, retryAt: 0, isFirst: false })),
];

/** Packets that come, go from the front (as starts do) and go from anywhere (as changes do). */
test('a waiting list holds what was put in and not taken out, in order', () => {
  fc.assert(
    fc.property(steps, fc.constantFrom('order', 'retryAt'), (moves, key) => {
      const list = createWaitingList(key);
      let model: Waiting[] = [];
      for (const { order, retryAt, isFirst } of moves) {
        const gone = isFirst ? model[0] : model.find((entry) => entry.order === order);
        if (gone !== undefined) {
          removeWaiting(list, gone);
          model = model.filter((entry) => entry !== gone);
        } else if (model.every((entry) => entry.order !== order)) {
          insertWaiting(list, waiting(order, retryAt));
          model = [...model, waiting(order, retryAt)].toSorted(
            (left, right) => left[key] - right[key] || left.order - right.order,
          );
        }
        expect([...waitingIn(list)]).toEqual(model);
        expect([...waitingIn(copyWaitingList(list))]).toEqual(model);
        // What was passed over is let go of again.
        expect(list.entries.length).toBeLessThanOrEqual(2 * model.length + 1);
      }
    }),
    {
      numRuns: 300,
      // Once, the half was looked at when the front moved, and not when the rest became less.
      examples: [[passedOver, 'order']],
    },
  );
});

test('a packet that is not in the list cannot be taken out', () => {
  const list = createWaitingList('order');
  insertWaiting(list, waiting(1, 0));
  expect(() => removeWaiting(list, waiting(2, 0))).toThrow('I3');
});
