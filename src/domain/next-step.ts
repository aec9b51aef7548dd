import { z } from 'zod';
import { toldBlocker } from './blocker.ts';
import { question } from './events.ts';
import { lens } from './vocabulary.ts';

/**
 * One bounded step for a host: what `casefile next --json` prints. A pure view of the log up to `seq`
 * and of what other hosts have claimed.
 *
 *   review     packets to be reviewed, each by its prompt; then hand the answers in
 *   question   the operator is asked; only a person may answer
 *   wait       nothing to do before `waitUntil`, or before another process has finished
 *   blocked    somebody has to mend something first
 *   complete   the report is there
 */
const count = z.int().nonnegative();

export const stepPacket = z.strictObject({
  packet: z.string(),
  /** Absolute paths. */
  promptPath: z.string(),
  packetPath: z.string(),
  answerPath: z.string(),
  tasks: count,
  lenses: z.array(lens),
  files: count,
  /** Estimated input tokens. */
  tokens: count,
  /** Tells whether the answer would be accepted. */
  check: z.string(),
  /** For hosts that can restrict a subagent's tools: all that it needs. */
  access: z.strictObject({ read: z.array(z.string()), write: z.array(z.string()) }).optional(),
  /** For hosts that can select a subagent's model. */
  model: z.enum(['small', 'standard', 'deep']).optional(),
});
export type StepPacket = z.infer<typeof stepPacket>;

export const nextStep = z.strictObject({
  contract: z.literal('casefile/next/v1'),
  audit: z.string(),
  seq: count,
  /** Dotted path of the audit chart's state. */
  state: z.string(),
  kind: z.enum(['review', 'question', 'wait', 'blocked', 'complete']),
  /** One sentence for people. */
  summary: z.string(),
  /** Of the first packet, for hosts that take one at a time. */
  promptPath: z.string().optional(),
  answerPath: z.string().optional(),
  /** JSON Schema of an answer. */
  schemaPath: z.string().optional(),
  /** Folder of the frozen files that are reviewed. */
  tree: z.string().optional(),
  packets: z.array(stepPacket),
  question: question.optional(),
  blocker: toldBlocker.optional(),
  waitUntil: z.iso.datetime({ precision: 3 }).optional(),
  /** When this step is over. */
  stopCondition: z.string(),
  /** The commands of casefile that belong to this step; no other advances the audit. */
  allowedCommands: z.array(z.string()),
  progress: z.strictObject({
    tasks: z.strictObject({ open: count, settled: count, total: count }),
    packets: z.strictObject({ open: count, total: count }),
  }),
  report: z.strictObject({ markdown: z.string(), json: z.string() }).optional(),
});
export type NextStep = z.infer<typeof nextStep>;
