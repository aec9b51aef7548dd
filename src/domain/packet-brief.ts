import { z } from 'zod';
import { fileRange } from './file-range.ts';
import { findingId } from './ids.ts';
import { lens, severity, taskKind } from './vocabulary.ts';

/**
 * What a worker is told about its packet, besides the prompt: the content of the packet file
 * (`{packet}`, `CASEFILE_PACKET`). `casefile check ANSWER --packet FILE` judges by it.
 */
export const packetBrief = z.strictObject({
  contract: z.literal('casefile/packet/v1'),
  answerVersion: z.int().positive(),
  packet: z.string(),
  /** SHA-256 of the prompt's text. */
  promptDigest: z.string(),
  /** What the operator answered to questions of an earlier attempt at this packet. */
  operator: z
    .array(z.strictObject({ question: z.string(), value: z.string() }))
    .min(1)
    .optional(),
  tasks: z
    .array(
      z.strictObject({
        id: z.string(),
        kind: taskKind,
        lens,
        unit: z.string(),
        /** Its result may ask for more; see `followUp`. */
        asksFollowUps: z.literal(true).optional(),
        /** With kind `verification`: the finding that is verified, and its severity as stated. */
        finding: z.strictObject({ id: findingId, severity }).optional(),
        files: z
          .array(
            z.strictObject({
              path: z.string(),
              lines: z.int().nonnegative(),
              digest: z.string(),
              /** The only part of it that is asked about: a finding elsewhere is refused. */
              range: fileRange.omit({ path: true }).optional(),
            }),
          )
          .min(1),
      }),
    )
    .min(1),
});
export type PacketBrief = z.infer<typeof packetBrief>;
