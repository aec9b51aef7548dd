import { z } from 'zod';
import type { AttemptEnd } from '../domain/attempt-end.ts';
import { printable } from '../std/printable.ts';

/** The exit code that says: the account's limit, not a failure (EX_TEMPFAIL of sysexits). */
export const LIMIT_EXIT_CODE = 75;

/** The signal file of the `command` contract, when it tells of a limit. */
export const limitSignal = z.object({
  limit: z.object({
    kind: z.enum(['rate', 'quota']),
    /** ISO 8601 with an offset: a local time without one means another instant elsewhere. */
    resetAt: z.iso.datetime({ offset: true }).optional(),
  }),
});

/** What a whole signal file says; undefined when it is missing, damaged or of unknown kind. */
export const readLimitSignal = (
  bytes: Uint8Array | undefined,
): Extract<AttemptEnd, { kind: 'limited' }> | undefined => {
  const signal = limitSignal.safeParse(parseJson(bytes));
  if (!signal.success) return undefined;
  const { kind, resetAt } = signal.data.limit;
  const reset = resetAt === undefined ? undefined : Date.parse(resetAt);
  const isInstant = reset !== undefined && Number.isSafeInteger(reset) && reset >= 0;
  return { kind: 'limited', limit: kind, ...(isInstant ? { resetAt: reset } : {}) };
};

/** The signal file, when the worker cannot go on without the operator's word. */
export const questionSignal = z.object({
  question: z.object({
    text: z.string().trim().min(1).max(2000),
    /** The only values that it takes; any text without them. */
    options: z.array(z.string().trim().min(1).max(200)).min(1).max(20).optional(),
  }),
});

/** What a whole signal file asks; undefined when it asks nothing that can be answered. */
export const readQuestionSignal = (
  bytes: Uint8Array | undefined,
): Extract<AttemptEnd, { kind: 'asked' }> | undefined => {
  const signal = questionSignal.safeParse(parseJson(bytes));
  if (!signal.success) return undefined;
  const { text, options } = signal.data.question;
  const question = printable(text, 2000);
  return options === undefined
    ? { kind: 'asked', question }
    : { kind: 'asked', question, options: options.map((option) => printable(option, 200)) };
};

/** Undefined for what is no JSON. A byte order mark is skipped, as most writers of it expect. */
export const parseJson = (bytes: Uint8Array | undefined): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
};
