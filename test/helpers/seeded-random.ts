/** Chance for tests: the same seed gives the same choices, on every machine. */
export type SeededRandom = {
  /** A whole number from 0 to `below` - 1. */
  readonly below: (below: number) => number;
  /** True once in `times`, on average. */
  readonly oneIn: (times: number) => boolean;
};

export const createSeededRandom = (seed: number): SeededRandom => {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, oneIn: (times) => below(times) === 0 };
};
