import { z } from 'zod';
import { followUp } from './answer.ts';
import { findingId } from './ids.ts';
import { confidence, lens, providerId, rejectionCode, severity } from './vocabulary.ts';

/**
 * A place in a file. Lines from 1; columns are not identity and may be missing.
 * `path` is relative to the audited root, forward slashes.
 */
export const place = z.strictObject({
  path: z.string().min(1),
  line: z.int().positive(),
  endLine: z.int().positive().optional(),
});
export type Place = z.infer<typeof place>;

/** A defect with a place, evidence and a fingerprint, as kept in a result. */
export const finding = z.strictObject({
  id: findingId,
  lens,
  severity,
  confidence,
  /** Rule of an analyzer (`oxlint/no-debugger`) or category of an agent. */
  category: z.string().min(1),
  title: z.string().min(1),
  explanation: z.string(),
  place,
  /** Source text that shows it. Secrets are masked before they get here. */
  quote: z.string(),
  /** The quote was found in the frozen file. */
  anchored: z.boolean(),
  /** What the reviewer stated where it was put right: the quote stands elsewhere, the path was written otherwise. */
  stated: z
    .strictObject({ path: z.string().optional(), line: z.int().positive().optional() })
    .optional(),
  /** What tells it from the same statement elsewhere; see `linkFindings`. */
  around: z.strictObject({ definition: z.string(), follows: z.string() }).optional(),
  suggestion: z.string().optional(),
  provider: providerId,
});
export type Finding = z.infer<typeof finding>;

/** A finding that was not taken, although its result was: kept as it was written, and shown apart. */
export const quarantined = z.strictObject({
  /** Where it stands in its result: `findings[2]`. */
  at: z.string(),
  code: rejectionCode,
  /** One printable sentence: what is wrong with it. */
  message: z.string(),
  /** Its JSON, cut when it is long; the whole answer is a blob of the event that brought it. */
  raw: z.string(),
});
export type Quarantined = z.infer<typeof quarantined>;

/** What an accepted answer says about one task. */
export const taskResult = z.strictObject({
  task: z.string(),
  verdict: z.enum(['clean', 'findings']),
  findings: z.array(finding),
  quarantined: z.array(quarantined).min(1).optional(),
  followUps: z.array(followUp).min(1).optional(),
});
export type TaskResult = z.infer<typeof taskResult>;

/** The blob behind `ResultAccepted.result`: without its task, so that all clean ones are one blob. */
export const storedResult = taskResult.omit({ task: true });

/** A station on the way that data takes, in the order of the flow. */
export const traceStep = z.strictObject({ place, says: z.string().min(1) });
export type TraceStep = z.infer<typeof traceStep>;

/** Where an analyzer comes from that is not bundled: found on the machine, or run by somebody else. */
export const leadOrigin = z.enum(['found', 'imported']);
export type LeadOrigin = z.infer<typeof leadOrigin>;

/** What an analyzer says; not a finding until a provider says so. */
export const lead = z.strictObject({
  analyzer: z.string(),
  /** Absent: the analyzer is bundled. */
  origin: leadOrigin.optional(),
  rule: z.string(),
  /** Kind of the defect (`command-injection`), where the rule tells one; several rules may share it. */
  category: z.string().min(1).optional(),
  lens,
  severity,
  confidence,
  message: z.string(),
  place,
  quote: z.string(),
  help: z.string().optional(),
  /** From where the data comes to where it does harm, both ends included. */
  trace: z.array(traceStep).min(2).optional(),
});
export type Lead = z.infer<typeof lead>;
