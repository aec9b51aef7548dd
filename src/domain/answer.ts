import { z } from 'zod';
import { confidence, severity } from './vocabulary.ts';

/** Version of the answer's contract; stands in prompts and in `AuditOpened`. */
export const ANSWER_VERSION = 1;

/**
 * What a worker returns for a packet: its judgement and nothing else. Ids, coverage and identity
 * are ours. A clean verdict is a positive statement; findings and `clean` exclude each other.
 */
export const answerFinding = z.strictObject({
  title: z.string().trim().min(1).max(300),
  category: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .describe('short kind of the defect, for example "sql-injection" or "off-by-one"'),
  severity,
  confidence,
  path: z.string().min(1).describe("one of the task's paths, exactly as given"),
  line: z.int().positive().describe('first line of the defect, from 1'),
  endLine: z.int().positive().optional(),
  quote: z
    .string()
    .trim()
    .min(1)
    .max(2000)
    .describe('the source text that shows the defect, copied from the file'),
  explanation: z
    .string()
    .trim()
    .min(1)
    .max(8000)
    .describe('what is wrong and what follows from it'),
  suggestion: z.string().max(8000).optional(),
});
export type AnswerFinding = z.infer<typeof answerFinding>;

/** What somebody who looked over a whole lens asks to be looked at more closely. */
export const followUp = z.strictObject({
  paths: z.array(z.string().min(1)).min(1).max(12),
  question: z.string().trim().min(1).max(1000),
});
export type FollowUp = z.infer<typeof followUp>;

export const FOLLOW_UPS_MAX = 4;
const followUps = z
  .array(followUp)
  .max(FOLLOW_UPS_MAX)
  .optional()
  .describe('only for a task that asks for it: what somebody should look at more closely');

export const answerResult = z.discriminatedUnion('verdict', [
  z.strictObject({
    task: z.string(),
    verdict: z.literal('clean').describe('every path of the task was read and nothing was found'),
    followUps,
  }),
  z.strictObject({
    task: z.string(),
    verdict: z.literal('findings'),
    findings: z.array(answerFinding).min(1).max(500),
    followUps,
  }),
]);
export type AnswerResult = z.infer<typeof answerResult>;

export const answer = z.strictObject({
  packet: z.string(),
  results: z.array(answerResult).min(1),
});
export type Answer = z.infer<typeof answer>;
