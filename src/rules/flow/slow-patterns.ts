import { isSafePattern } from 'redos-detector';
import type { Pattern } from './value.ts';

/**
 * Whether some text makes a regular expression take time that grows faster than the text: by the
 * backtracking that one and the same piece of a text can be matched in several ways. Bounded by steps, so it
 * is the same on any machine; what is not told within them passes for fast, as does what cannot be read.
 */
export const isSlowPattern = ({ source, flags }: Pattern): boolean => {
  const key = `${source}/${flags}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const isSlow = couldBeSlow(source) && isSlowFromItsStart(source, flags);
  if (known.size < KNOWN_MAX) known.set(key, isSlow);
  return isSlow;
};

/** Pure, and the same few patterns come over and over. */
const known = new Map<string, boolean>();
const KNOWN_MAX = 20_000;

/** Without two repetitions without a bound, or one inside another, there is nothing to choose. */
const couldBeSlow = (source: string): boolean =>
  source.length <= LENGTH_MAX && /[*+]|\{\d+,\}/.test(source);

const LENGTH_MAX = 2000;

/**
 * That a pattern may begin anywhere makes most of them slow with the square of the text. That alone counts
 * where it looks for what stands at the end, as in `/\s+$/`; else what counts is what it does from one place.
 */
const isSlowFromItsStart = (source: string, flags: string): boolean => {
  if (/^(?:\\s|\[[^\]]*\]|\.|\\[wd])[*+]\??\$$/.test(source)) return true;
  return measure(`^(?:${source})`, flags);
};

const measure = (source: string, flags: string): boolean => {
  try {
    const { safe, error } = isSafePattern(source, {
      caseInsensitive: flags.includes('i'),
      unicode: flags.includes('u'),
      dotAll: flags.includes('s'),
      multiLine: flags.includes('m'),
      maxScore: 200,
      maxSteps: 20_000,
      timeout: Infinity,
    });
    return !safe && error === 'hitMaxScore';
  } catch {
    return false;
  }
};
