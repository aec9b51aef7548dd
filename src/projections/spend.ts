import type { AuditEvent } from '../domain/events.ts';

/**
 * What the audit has cost. Sums are of what was reported; `unknown` counts the ended attempts that
 * reported nothing of the kind, so that a sum is never taken for the whole when it is not.
 */
export type Spend = {
  attempts: { started: number; ended: number; counted: number; limited: number; cancelled: number };
  tokens: { input: number; output: number; unknown: number };
  costUsd: { sum: number; unknown: number };
};

export const createSpend = (): Spend => ({
  attempts: { started: 0, ended: 0, counted: 0, limited: 0, cancelled: 0 },
  tokens: { input: 0, output: 0, unknown: 0 },
  costUsd: { sum: 0, unknown: 0 },
});

/**
 * Adds one event; all but starts, ends and judgements of attempts change nothing. An attempt with an
 * answer is counted by the rejection that gives its packet back (A4).
 */
export const foldSpend = (spend: Spend, event: AuditEvent): void => {
  if (event.type === 'AttemptStarted') spend.attempts.started += 1;
  if (event.type === 'ResultRejected' && event.counted === true) spend.attempts.counted += 1;
  if (event.type !== 'AttemptEnded') return;
  const { end, usage, counted } = event;
  spend.attempts.ended += 1;
  if (counted) spend.attempts.counted += 1;
  if (end.kind === 'limited' || end.kind === 'overloaded') spend.attempts.limited += 1;
  if (end.kind === 'cancelled') spend.attempts.cancelled += 1;
  if (usage?.inputTokens === undefined && usage?.outputTokens === undefined) {
    spend.tokens.unknown += 1;
  }
  spend.tokens.input += usage?.inputTokens ?? 0;
  spend.tokens.output += usage?.outputTokens ?? 0;
  if (usage?.costUsd === undefined) spend.costUsd.unknown += 1;
  spend.costUsd.sum += usage?.costUsd ?? 0;
};
