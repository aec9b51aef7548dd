import { z } from 'zod';
import { instant } from './ids.ts';

/**
 * How an attempt's process ended. Whether it gave an answer is a separate fact: a valid answer file
 * is an answer whatever the exit code, and its end is recorded beside it.
 */
export const attemptEnd = z.discriminatedUnion('kind', [
  /** It ended by itself, exit code 0. */
  z.strictObject({ kind: z.literal('exited') }),
  /** It ended by itself with another exit code, or by a signal that we did not send. */
  z.strictObject({
    kind: z.literal('crashed'),
    exitCode: z.int().optional(),
    signal: z.string().optional(),
    message: z.string().optional(),
  }),
  /** It could not be started at all. */
  z.strictObject({ kind: z.literal('not-started'), message: z.string() }),
  /** We ended it: over its whole time, silent for too long, or over its output. */
  z.strictObject({
    kind: z.literal('timed-out'),
    limit: z.enum(['wall', 'idle', 'output']),
    afterMs: z.int().nonnegative(),
  }),
  /** The account's limit. Not counted as an attempt. */
  z.strictObject({
    kind: z.literal('limited'),
    limit: z.enum(['rate', 'quota']),
    resetAt: instant.optional(),
  }),
  /** The service is overloaded for everybody. Not counted. */
  z.strictObject({ kind: z.literal('overloaded'), retryAt: instant.optional() }),
  /** It had been started by an earlier process and nothing of it can be found any more (A2). */
  z.strictObject({ kind: z.literal('lost') }),
  /** The lease ran out and nobody runs it. */
  z.strictObject({ kind: z.literal('expired') }),
  /** We stopped it on purpose. Not counted. */
  z.strictObject({
    kind: z.literal('cancelled'),
    by: z.enum(['operator', 'settled', 'budget']),
  }),
]);
export type AttemptEnd = z.infer<typeof attemptEnd>;

/** What the call cost, as reported; absent fields are unknown, never zero. */
export const usage = z.strictObject({
  inputTokens: z.int().nonnegative().optional(),
  outputTokens: z.int().nonnegative().optional(),
  costUsd: z.number().nonnegative().optional(),
  model: z.string().optional(),
});
export type Usage = z.infer<typeof usage>;
