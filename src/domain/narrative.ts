import { z } from 'zod';
import { findingId } from './ids.ts';

const text = (lengthMax: number): z.ZodString => z.string().trim().min(1).max(lengthMax);
const findings = z.array(findingId).max(200);

/**
 * What a reviewer makes of the findings as a whole, for people who read no single one. It judges
 * nothing anew: every statement names findings that are known, and no severity or verdict comes from it.
 */
export const narrative = z.strictObject({
  summary: text(4000).describe('the audit in a few sentences'),
  themes: z
    .array(
      z.strictObject({
        title: text(200),
        rootCause: text(2000).describe('what these findings come from'),
        findings: findings.min(1),
        fix: text(2000).describe('what mends all of them'),
      }),
    )
    .max(12),
  topRisks: z
    .array(
      z.strictObject({
        title: text(200),
        why: text(1000).describe('what may happen, and to whom'),
        findings: findings.min(1),
      }),
    )
    .max(10),
});
export type Narrative = z.infer<typeof narrative>;

/** What a worker returns for the task that writes it. */
export const narrativeResult = z.strictObject({ task: z.string(), narrative });
export const narrativeAnswer = z.strictObject({
  packet: z.string(),
  results: z.array(narrativeResult).length(1),
});
export type NarrativeAnswer = z.infer<typeof narrativeAnswer>;

/** The blob behind the `ResultAccepted` of that task. */
export const storedNarrative = z.strictObject({ verdict: z.literal('written'), narrative });
