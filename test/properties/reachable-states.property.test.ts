import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkInvariants } from '../../src/decider/invariants.ts';
import { STAGES } from '../../src/domain/vocabulary.ts';
import { finish, play, script } from '../helpers/history.ts';

test('every reachable state keeps the invariants', () => {
  fc.assert(
    fc.property(script(), (plan) => {
      play(plan, (state) => checkInvariants(state));
    }),
    { numRuns: 1500 },
  );
});

test('nothing that was derived is current while something before it is not (W09, W11)', () => {
  fc.assert(
    fc.property(script(), (plan) => {
      play(plan, ({ obligations }) => {
        const states = STAGES.map((stage) => obligations.get(stage)?.state);
        const first = states.findIndex((state) => state !== 'current' && state !== 'waived');
        if (first >= 0) expect(states.slice(first)).not.toContain('current');
      });
    }),
    { numRuns: 500 },
  );
});

test('with willing agents every audit comes to its end, from wherever it stands', () => {
  fc.assert(
    fc.property(script(), (plan) => {
      const state = finish(play(plan), plan.packets);
      checkInvariants(state);
      expect(state.lifecycle.path).toBe('complete');
    }),
    { numRuns: 1000 },
  );
});
