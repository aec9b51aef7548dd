import { z } from 'zod';

const count = z.int().nonnegative();

/**
 * What the audit has cost, as reports and `run --json` show it. Sums are of what was reported;
 * `unknown` counts the ended attempts that reported nothing of the kind.
 */
export const spend = z.strictObject({
  attempts: z.strictObject({
    started: count,
    ended: count,
    counted: count,
    limited: count,
    cancelled: count,
  }),
  tokens: z.strictObject({ input: count, output: count, unknown: count }),
  costUsd: z.strictObject({ sum: z.number().nonnegative(), unknown: count }),
});
