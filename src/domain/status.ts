import { z } from 'zod';
import { toldBlocker } from './blocker.ts';
import { stopReason } from './events.ts';
import { inheritedFrom } from './inherited-from.ts';
import { limitSource, OBLIGATIONS } from './vocabulary.ts';

/**
 * Where an audit stands: what `status --json` and `replay --json` print and `state.json` holds. A
 * pure view of the log up to `seq`; no field depends on the moment of asking. Instants are ISO 8601.
 */
const count = z.int().nonnegative();
const instantText = z.iso.datetime({ precision: 3 });

export const auditStatus = z.strictObject({
  audit: z.string(),
  /** Number of the last event. */
  seq: count,
  /** Dotted path of the audit chart's state. */
  state: z.string(),
  how: z.enum(['full', 'partial']).optional(),
  /** Instant of the last event. */
  at: instantText,
  obligations: z.array(
    z.strictObject({
      id: z.enum(OBLIGATIONS),
      state: z.enum(['missing', 'current', 'stale', 'waived', 'open']),
      reason: z.string().optional(),
    }),
  ),
  tasks: z.strictObject({
    open: count,
    accepted: count,
    abandoned: count,
    stale: count,
    retired: count,
    total: count,
  }),
  /** Accepted tasks that were not asked again, by the audit that reviewed them. */
  inherited: z.array(inheritedFrom).min(1).optional(),
  packets: z.strictObject({
    ready: count,
    running: count,
    leased: count,
    answered: count,
    'backing-off': count,
    settled: count,
    abandoned: count,
    total: count,
  }),
  attempts: z.strictObject({
    running: count,
    answered: count,
    failed: count,
    limited: count,
    cancelled: count,
    /** Attempts that ended with a question to the operator. */
    asked: count.optional(),
    total: count,
  }),
  accounts: z.array(
    z.strictObject({
      id: z.string(),
      state: z.enum(['open', 'throttled', 'cooling', 'exhausted']),
      inFlight: count,
      ceiling: count,
      source: limitSource,
      until: instantText.optional(),
      reason: z.string().optional(),
      /** Starts of the last minute before `at`. */
      window: z.strictObject({ starts: count }),
    }),
  ),
  budget: z.strictObject({
    /** Attempts in flight, attempts ended, and the cap of this process's starts. */
    attempts: z.strictObject({ reserved: count, spent: count, cap: count.optional() }),
  }),
  answersWaiting: count,
  /** What was handed in from outside: waiting until it can be used, and used. */
  inputs: z.strictObject({ held: count, consumed: count }).optional(),
  stopping: stopReason.optional(),
  blocker: toldBlocker.extend({ since: instantText, event: count }).optional(),
});
export type AuditStatus = z.infer<typeof auditStatus>;
