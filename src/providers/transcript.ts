import { z } from 'zod';
import { answerFinding } from '../domain/answer.ts';
import { usage } from '../domain/attempt-end.ts';
import { UsageError } from '../domain/usage-error.ts';
import { narrative } from '../domain/narrative.ts';
import { evidence } from '../domain/verification.ts';
import { lens, severity, taskKind, verdict } from '../domain/vocabulary.ts';
import { messageOf } from '../std/message-of.ts';

/**
 * What the `scripted` provider says, for tests and demonstrations: a list of steps. An attempt takes
 * the first step that is not used up and that fits one of its packet's tasks.
 *
 *     {
 *       "contract": "casefile/transcript/v1",
 *       "steps": [
 *         { "fail": { "kind": "limited", "limit": "rate", "resetInMs": 500 } },
 *         { "when": { "path": "src/a.js", "lens": "security" }, "findings": [ … ] },
 *         { "verdicts": [ { "path": "src/a.js", "verdict": "confirmed", "evidence": { … } } ] }
 *       ],
 *       "otherwise": "clean"
 *     }
 */

/** How a scripted attempt fails. Times count from its end, since a transcript knows no instants. */
const failure = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('crashed'),
    exitCode: z.int().optional(),
    message: z.string().optional(),
  }),
  z.strictObject({
    kind: z.literal('timed-out'),
    limit: z.enum(['wall', 'idle', 'output']),
    afterMs: z.int().nonnegative(),
  }),
  z.strictObject({
    kind: z.literal('limited'),
    limit: z.enum(['rate', 'quota']),
    resetInMs: z.int().nonnegative().optional(),
  }),
  z.strictObject({
    kind: z.literal('overloaded'),
    retryInMs: z.int().nonnegative().optional(),
  }),
  z.strictObject({
    kind: z.literal('asked'),
    question: z.string().trim().min(1).describe('what the operator is asked'),
    options: z.array(z.string()).min(1).optional(),
  }),
]);
export type ScriptedFailure = z.infer<typeof failure>;

const selector = z.strictObject({
  path: z.string().min(1).optional().describe('a file of the task, relative to the audited root'),
  lens: lens.optional(),
  kind: taskKind.optional(),
});
export type TaskSelector = z.infer<typeof selector>;

const scriptedFinding = answerFinding.extend({
  lens: lens.optional().describe('of the task that gets it, when several are over its path'),
});

const scriptedVerdict = z.strictObject({
  path: z.string().min(1).optional().describe('of the finding; any without it'),
  verdict,
  severity: severity.optional(),
  reason: z.string().min(1).optional(),
  evidence: evidence.partial({ path: true }).optional().describe("in the finding's own file"),
});

const everyStep = {
  when: selector.optional().describe('fits packets with such a task; every packet without it'),
  times: z.int().positive().optional().describe('uses; 1 without `when`, else without bound'),
  delayMs: z.int().nonnegative().optional(),
  usage: usage.optional(),
};

const step = z.union([
  z.strictObject({
    ...everyStep,
    findings: z.array(scriptedFinding).describe('tasks that get none of them are clean'),
    omit: z.array(selector).optional().describe('tasks about which nothing is said'),
  }),
  z.strictObject({
    ...everyStep,
    verdicts: z
      .array(scriptedVerdict)
      .describe('on findings to verify, the first that fits; about the others it is undecided'),
  }),
  z.strictObject({
    ...everyStep,
    narrative: narrative.describe('what the findings mean together'),
  }),
  z.strictObject({ ...everyStep, fail: failure }),
  z.strictObject({ ...everyStep, raw: z.string().describe('the answer as it is, good or bad') }),
]);
export type TranscriptStep = z.infer<typeof step>;

export const transcript = z.strictObject({
  contract: z.literal('casefile/transcript/v1'),
  steps: z.array(step),
  otherwise: z
    .enum(['clean', 'error'])
    .optional()
    .describe('what a packet gets that no step is left for; an error when absent'),
});
export type Transcript = z.infer<typeof transcript>;

/**
 * Reads a transcript's text.
 *
 * @param source the file's name, for the message.
 * @throws {UsageError} that names the place and the rule.
 */
export const readTranscript = (text: string, source: string): Transcript => {
  const hint = 'fixtures/transcripts of the casefile package has examples.';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = messageOf(error);
    throw new UsageError(`The transcript ${source} is not JSON: ${reason}.`, hint);
  }
  const read = transcript.safeParse(value);
  if (read.success) return read.data;
  const issues = z.prettifyError(read.error).replaceAll(/\s*\n\s*/g, ' ');
  throw new UsageError(`The transcript ${source} cannot be used: ${issues}`, hint);
};

/** Every path that a transcript names, in its order. */
export const pathsOf = ({ steps }: Transcript): readonly string[] =>
  steps
    .flatMap((each) => [
      each.when?.path,
      ...('findings' in each ? each.findings.map(({ path }) => path) : []),
      ...('verdicts' in each ? each.verdicts.map(({ path }) => path) : []),
      ...('omit' in each ? (each.omit ?? []).map(({ path }) => path) : []),
    ])
    .filter((path) => path !== undefined);
