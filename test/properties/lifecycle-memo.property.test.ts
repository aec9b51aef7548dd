import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AuditEvent } from '../../src/domain/events.ts';
import {
  advance,
  advanceUnmemoised,
  canTake,
  initialLifecycle,
} from '../../src/decider/lifecycle.ts';
import { play, script } from '../helpers/history.ts';

test('what the life cycle remembers is what the chart would answer', () => {
  fc.assert(
    fc.property(script(), (plan) => {
      let lifecycle = initialLifecycle();
      for (const event of play(plan).commits.flatMap((commit) => commit.events)) {
        const asked = advanceUnmemoised(lifecycle, event);
        lifecycle = advance(lifecycle, event);
        expect(asked?.path).toBe(lifecycle.path);
        expect(asked?.flags).toEqual(lifecycle.flags);
      }
    }),
    { numRuns: 150 },
  );
});

test('an event that the chart cannot take is a broken invariant, not a silence', () => {
  const started = { type: 'CooldownElapsed', at: 1 } as AuditEvent;
  expect(canTake(initialLifecycle(), started)).toBe(false);
  expect(() => advance(initialLifecycle(), started)).toThrow(
    'M2: an audit in deriving.inventory cannot take CooldownElapsed',
  );
});
