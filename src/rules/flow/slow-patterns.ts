import { automatonOf, type Automaton } from './pattern-automaton.ts';
import type { Pattern } from './value.ts';

/**
 * Whether some text makes a regular expression take time that grows faster than the text: when what one
 * repetition reads can be divided in several ways among repetitions, and what must follow them is not there,
 * a matcher that goes back tries them all.
 *
 *   exponential   a repetition can read the same text in two ways and be where it was: `(a+)+`, `(a|a)*`
 *   polynomial    two repetitions, one behind the other, can both read what lies between: `\d*\.?\d+%`
 *
 * That a pattern may begin anywhere makes most patterns slow with the square of the text; this counts only
 * where it looks for what stands at the end, as `/\s+$/` does. (Weideman et al., "Analyzing Matching Time
 * Behavior of Backtracking Regular Expression Matchers by Using Ambiguity of NFA", CIAA 2016.)
 *
 * Bounded in steps, so it is the same on any machine; what is not told within them passes for fast.
 */
export const isSlowPattern = ({ source, flags }: Pick<Pattern, 'source' | 'flags'>): boolean => {
  const key = `${source}/${flags}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const isSlow = REPEATS.test(source) && (TRIMS.test(source) || isAmbiguous(source, flags));
  if (known.size < KNOWN_MAX) known.set(key, isSlow);
  return isSlow;
};

/** Pure, and the same few patterns come over and over. */
const known = new Map<string, boolean>();
const KNOWN_MAX = 20_000;

/** Without a repetition that has no bound there is nothing to divide. */
const REPEATS = /[*+]|\{\d+,\}/;
const TRIMS = /^\(?(?:\\s|\[[^\]]*\]|\.|\\[wd]|\\?[^\\^$()[\]{}|*+?.])[*+]\??\)?\$$/;

const STEPS_MAX = 60_000;

const isAmbiguous = (source: string, flags: string): boolean => {
  const automaton = automatonOf(source, flags);
  if (automaton === undefined) return false;
  const budget = { steps: STEPS_MAX };
  const groups = loopsOf(automaton);
  return (
    groups.some((group) => isExponential(group, automaton, budget)) ||
    isPolynomial(groups, automaton, budget)
  );
};

type Budget = { steps: number };
type Loop = ReadonlySet<number>;

/** Positions from which each other can be reached: where a match can stay as long as it likes. */
const loopsOf = ({ next, reads }: Automaton): readonly Loop[] => {
  const reach = reads.map((_, from) => reachableFrom([from], next));
  const loops: Loop[] = [];
  const seen = new Set<number>();
  for (const [from, reached] of reach.entries()) {
    if (seen.has(from) || !reached.has(from)) continue;
    const loop = new Set([...reached].filter((to) => reach[to]?.has(from) === true));
    for (const one of loop) seen.add(one);
    loops.push(loop);
  }
  return loops;
};

/** What can be reached in one step or more. */
const reachableFrom = (starts: readonly number[], next: Automaton['next']): ReadonlySet<number> => {
  const reached = new Set<number>();
  const open = [...starts];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const { to } of next[at] ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      open.push(to);
    }
  }
  return reached;
};

/** Whether the match may be complete behind a loop without anything more: then nothing sends it back. */
const isFreeToEnd = (loop: Loop, { last }: Automaton): boolean =>
  [...loop].some((position) => last.has(position));

/** Two ways over the same text, both in the loop, that come together again. */
const isExponential = (loop: Loop, automaton: Automaton, budget: Budget): boolean => {
  if (isFreeToEnd(loop, automaton)) return false;
  const { next, reads } = automaton;
  const inLoop = (at: number) => (next[at] ?? []).filter(({ to }) => loop.has(to));
  for (const at of loop) if (inLoop(at).some(({ ways }) => ways > 1)) return true;
  const size = reads.length;
  /** Pairs that two ways from one position can come to, by what they came from. */
  for (const start of loop) {
    const seen = new Set<number>();
    const open: number[] = [start * size + start];
    for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
      const [left, right] = [Math.floor(pair / size), pair % size];
      for (const { to: one } of inLoop(left)) {
        for (const { to: other } of inLoop(right)) {
          budget.steps -= 1;
          if (budget.steps < 0) return false;
          if (((reads[one] ?? 0n) & (reads[other] ?? 0n)) === 0n) continue;
          // They were apart before, and are together where they began.
          if (one === start && other === start && left !== right) return true;
          const key = one * size + other;
          if (one === other && left === right) {
            if (one !== start && !seen.has(key)) {
              seen.add(key);
              open.push(key);
            }
            continue;
          }
          if (seen.has(key)) continue;
          seen.add(key);
          open.push(key);
        }
      }
    }
  }
  return false;
};

/** One text that keeps a match in a first loop, brings it to a second, and keeps it there. */
const isPolynomial = (loops: readonly Loop[], automaton: Automaton, budget: Budget): boolean => {
  const { next, reads } = automaton;
  const size = reads.length;
  for (const first of loops) {
    for (const second of loops) {
      if (first === second || isFreeToEnd(second, automaton)) continue;
      for (const from of first) {
        const reach = reachableFrom([from], next);
        for (const into of second) {
          if (!reach.has(into)) continue;
          if (isDivided({ from, into, first, second }, automaton, budget, size)) return true;
          if (budget.steps < 0) return false;
        }
      }
    }
  }
  return false;
};

/** A search over three matches at once: one that stays, one that goes over, one that is there. */
const isDivided = (
  {
    from,
    into,
    first,
    second,
  }: { readonly from: number; readonly into: number; readonly first: Loop; readonly second: Loop },
  { next, reads }: Automaton,
  budget: Budget,
  size: number,
): boolean => {
  const start = (from * size + from) * size + into;
  const seen = new Set<number>([start]);
  const open = [start];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const third = at % size;
    const middle = Math.floor(at / size) % size;
    const stays = Math.floor(at / (size * size));
    for (const { to: a } of next[stays] ?? []) {
      if (!first.has(a)) continue;
      for (const { to: c } of next[third] ?? []) {
        const both = (reads[a] ?? 0n) & (reads[c] ?? 0n);
        if (!second.has(c) || both === 0n) continue;
        for (const { to: b } of next[middle] ?? []) {
          budget.steps -= 1;
          if (budget.steps < 0) return false;
          if ((both & (reads[b] ?? 0n)) === 0n) continue;
          if (a === from && b === into && c === into) return true;
          const key = (a * size + b) * size + c;
          if (seen.has(key)) continue;
          seen.add(key);
          open.push(key);
        }
      }
    }
  }
  return false;
};
