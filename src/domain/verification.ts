import { z } from 'zod';
import { place } from './finding.ts';
import { findingId } from './ids.ts';
import { severity, verdict } from './vocabulary.ts';

/** Source text that shows why a verdict holds: looked for in the frozen file, as every quote is. */
export const evidence = z.strictObject({
  path: z.string().min(1).describe('a file of the repository, relative to its root'),
  line: z.int().positive().describe('first line of the quote, from 1'),
  quote: z.string().trim().min(1).max(2000).describe('copied from the file'),
});

/**
 * What a worker returns for one finding that somebody else reported. To confirm, downgrade or refute it
 * takes evidence in the source; without any, all that can be said is `undecided`.
 */
export const verificationResult = z
  .strictObject({
    task: z.string(),
    verdict,
    severity: severity.optional().describe('with "downgraded", and only then: less than stated'),
    reason: z.string().trim().min(1).max(4000).describe('why, from what the source says'),
    evidence: evidence.optional().describe('with every verdict but "undecided"'),
  })
  .refine((one) => (one.verdict === 'downgraded') === (one.severity !== undefined), {
    path: ['severity'],
    error: 'Invalid input: expected a severity with "downgraded" and with no other verdict',
  })
  .refine((one) => one.verdict === 'undecided' || one.evidence !== undefined, {
    path: ['evidence'],
    error: 'Invalid input: expected evidence from the source',
  });
export type VerificationResult = z.infer<typeof verificationResult>;

export const verificationAnswer = z.strictObject({
  packet: z.string(),
  results: z.array(verificationResult).min(1),
});

export type VerificationAnswer = z.infer<typeof verificationAnswer>;

/** The blob behind the `ResultAccepted` of a task that verifies a finding. */
export const storedVerification = z.strictObject({
  verdict: z.literal('judged'),
  finding: findingId,
  judgement: verdict,
  severity: severity.optional(),
  reason: z.string(),
  /** Where the quote stands in the frozen file. */
  evidence: z.strictObject({ place, quote: z.string() }).optional(),
});
export type StoredVerification = z.infer<typeof storedVerification>;
