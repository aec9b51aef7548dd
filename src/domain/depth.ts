import { z } from 'zod';

/**
 * How much an agent is asked.
 *
 *   quick     security, correctness and reliability, over the quarter of the plan that comes first in
 *             its order (the riskiest, with a minimum for every area); the rest is skipped, and said so
 *   standard  every lens that suits a file's role, over everything
 *   deep      every lens over code, tests and configuration, in packets half as large: each file gets
 *             more than twice the attention, and costs that much
 *
 * Analyzers have read everything before: for them there is nothing to save or to deepen.
 */
export const DEPTHS = ['quick', 'standard', 'deep'] as const;
export const depth = z.enum(DEPTHS);
export type Depth = z.infer<typeof depth>;
