import { z } from 'zod';
import type { Assessment } from './assessment.ts';

/** Two stretches of code that are the same but for white space and comments. Lines from 1. */
const stretch = z.object({
  path: z.string(),
  line: z.int().positive(),
  endLine: z.int().positive(),
});
export const duplicate = z.object({
  first: stretch,
  second: stretch,
  tokens: z.int().positive(),
});
export type Duplicate = z.infer<typeof duplicate>;

/** `duplication`: each pair of files with long equal stretches, once, with all of those. */
export const assessDuplication = (duplicates: readonly Duplicate[]): readonly Assessment[] => {
  const byPair = new Map<string, Duplicate[]>();
  for (const one of duplicates) {
    const key = [one.first.path, one.second.path].toSorted().join('\n');
    const known = byPair.get(key);
    if (known === undefined) byPair.set(key, [one]);
    else known.push(one);
  }
  return [...byPair.values()].map((pairs) => {
    const lines = pairs.reduce((sum, { first }) => sum + first.endLine - first.line + 1, 0);
    return {
      rule: 'duplication',
      statement: `${lines} lines stand here twice, in ${pairs.length === 1 ? 'one stretch' : `${pairs.length} stretches`}, but for white space and comments.`,
      paths: [...new Set(pairs.flatMap(({ first, second }) => [first.path, second.path]))],
      evidence: pairs.slice(0, 6).flatMap(({ first, second }) =>
        [first, second].map(({ path, line, endLine }) => ({
          path,
          line,
          note: `lines ${line} to ${endLine}`,
        })),
      ),
      figures: {
        lines,
        stretches: pairs.length,
        tokens: pairs.reduce((sum, { tokens }) => sum + tokens, 0),
      },
      strength: lines,
    };
  });
};
