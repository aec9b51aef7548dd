import { z } from 'zod';
import { toldBlocker } from './blocker.ts';
import { inputKind } from './events.ts';
import { rejectionCode } from './vocabulary.ts';

const count = z.int().nonnegative();
const refusal = z.strictObject({
  task: z.string().optional(),
  packet: z.string().optional(),
  code: rejectionCode,
  message: z.string(),
});

/**
 * What became of the files that were handed in: what `casefile ingest --json` and `import --json` print.
 *
 *   taken       something of it was accepted
 *   refused     nothing of it was accepted; `refused` says why
 *   repeat      these very bytes came before; nothing changed
 *   held        recorded; it is used as soon as it can be
 *   late        the audit was complete: recorded, and the report stays as it is
 *   unexpected  another file lies in the assigned place of its packet; left where it is, not recorded
 *   unreadable  it could not be read; not recorded
 */
export const ingestOutput = z.strictObject({
  contract: z.literal('casefile/ingest/v1'),
  audit: z.string(),
  state: z.string(),
  files: z.array(
    z.strictObject({
      file: z.string(),
      kind: inputKind.optional(),
      outcome: z.enum(['taken', 'refused', 'repeat', 'held', 'late', 'unexpected', 'unreadable']),
      message: z.string().optional(),
      packets: z.array(z.string()),
      accepted: z.array(z.string()),
      /** What was put right before it could be taken, a sentence each. */
      repaired: z.array(z.string()).min(1).optional(),
      refused: z.array(refusal),
    }),
  ),
  tasks: z.strictObject({ open: count, settled: count, total: count }),
  blocker: toldBlocker.optional(),
  /** Absolute, once the audit is complete. */
  report: z.strictObject({ markdown: z.string(), json: z.string() }).optional(),
  lastSeq: count,
  lastHash: z.string(),
});
export type IngestOutput = z.infer<typeof ingestOutput>;
