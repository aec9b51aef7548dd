import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evolve, evolveCommit } from '../../src/decider/evolve.ts';
import { copyState, initialState, plainState } from '../../src/decider/state.ts';
import { canonicalJson } from '../../src/std/canonical-json.ts';
import { play, script, type Commits } from '../helpers/history.ts';

const textOf = (state: ReturnType<typeof initialState>): string => canonicalJson(plainState(state));
const fold = (commits: Commits, from = initialState()) => commits.reduce(evolveCommit, from);

test('a replay gives the live state, at every commit', () => {
  fc.assert(
    fc.property(script(), (plan) => {
      const replayed = initialState();
      let folded = 0;
      play(plan, (live, _, commits) => {
        for (const commit of commits.slice(folded)) {
          expect(replayed.lifecycle.path).toBe(commit.from);
          evolveCommit(replayed, commit);
          expect(replayed.lifecycle.path).toBe(commit.to);
        }
        folded = commits.length;
        expect(textOf(replayed)).toBe(textOf(live));
      });
    }),
    { numRuns: 150 },
  );
});

test('folding a part and then the rest is folding the whole', () => {
  fc.assert(
    fc.property(script(), fc.nat(), (plan, cut) => {
      const { commits } = play(plan);
      const place = cut % (commits.length + 1);
      const state = fold(commits.slice(place), fold(commits.slice(0, place)));
      expect(textOf(state)).toBe(textOf(fold(commits)));
    }),
    { numRuns: 300 },
  );
});

test('a copy of the state and the rest of the log give the whole, and the copy is independent', () => {
  fc.assert(
    fc.property(script(), fc.nat(), (plan, cut) => {
      const { commits } = play(plan);
      const place = cut % (commits.length + 1);
      const state = fold(commits.slice(0, place));
      const copy = copyState(state);
      const before = textOf(copy);
      fold(commits.slice(place), state);
      expect(textOf(copy)).toBe(before);
      expect(textOf(fold(commits.slice(place), copy))).toBe(textOf(state));
    }),
    { numRuns: 300 },
  );
});

test('a replay needs nothing but the events: the same events give the same state twice', () => {
  fc.assert(
    fc.property(script(), (plan) => {
      const events = play(plan).commits.flatMap((commit) => commit.events);
      const once = JSON.parse(JSON.stringify(events)) as typeof events;
      expect(textOf(once.reduce(evolve, initialState()))).toBe(
        textOf(events.reduce(evolve, initialState())),
      );
    }),
    { numRuns: 300 },
  );
});
