import { z } from 'zod';
import { instant } from './ids.ts';

/**
 * How an attempt's process ended; `message` is the last line that it wrote to stderr. Whether it gave an answer is a separate fact: a valid answer file
 * is an answer whatever the exit code, and its end is recorded beside it.
 */
export const attemptEnd = z.discriminatedUnion('kind', [
  /** It ended by itself, exit code 0. */
  z.strictObject({ kind: z.literal('exited'), message: z.string().optional() }),
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
    message: z.string().optional(),
  }),
  /** The account's limit. Not counted as an attempt. */
  z.strictObject({
    kind: z.literal('limited'),
    limit: z.enum(['rate', 'quota']),
    resetAt: instant.optional(),
  }),
  /** The service is overloaded for everybody. Not counted. */
  z.strictObject({ kind: z.literal('overloaded'), retryAt: instant.optional() }),
  /** It cannot go on without the operator's word. Not counted: nobody failed. */
  z.strictObject({
    kind: z.literal('asked'),
    question: z.string(),
    options: z.array(z.string()).min(1).optional(),
  }),
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

/** One clause for people: "it ran out of time", and the last thing that the worker said. */
export const endInWords = (end: AttemptEnd): string => {
  const said = 'message' in end && end.kind !== 'not-started' ? end.message : undefined;
  return said === undefined ? bareEnd(end) : `${bareEnd(end)} (${said})`;
};

const bareEnd = (end: AttemptEnd): string => {
  switch (end.kind) {
    case 'exited':
      return 'it ended without an answer';
    case 'crashed':
      return end.signal === undefined
        ? `it exited with code ${end.exitCode ?? 'unknown'}`
        : `it was ended by ${end.signal}`;
    case 'not-started':
      return `it could not be started: ${end.message}`;
    case 'timed-out':
      return {
        wall: 'it ran out of time',
        idle: 'it was silent for too long',
        output: 'it printed too much',
      }[end.limit];
    case 'limited':
      return `the account's ${end.limit} limit was reached`;
    case 'overloaded':
      return 'the service was overloaded';
    case 'asked':
      return 'it asked the operator';
    case 'lost':
      return 'nothing of it was found after a restart';
    case 'expired':
      return 'its lease ran out';
    case 'cancelled':
      return {
        operator: 'it was stopped',
        settled: 'its tasks were settled otherwise',
        budget: 'the budget was spent',
      }[end.by];
  }
};
