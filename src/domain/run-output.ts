import { z } from 'zod';
import { toldBlocker } from './blocker.ts';
import { severityCounts } from './events.ts';
import { auditId, digest } from './ids.ts';
import { inheritedFrom } from './inherited-from.ts';
import { selection } from './selection.ts';
import { spend } from './spend.ts';
import { cellCounts } from './synthesis.ts';

const count = z.int().nonnegative();

/** One word for an exit code; the order in which they hold is that of the codes (protocol 4). */
export const exitReason = z.enum([
  'interrupted',
  'terminated',
  'stopped',
  'blocked',
  'cooling',
  'owned',
  'gate',
  'partial',
  'incomplete',
  'complete',
]);

export type ExitReason = z.infer<typeof exitReason>;

/** The one object that `run --json` prints. */
export const runOutput = z.strictObject({
  contract: z.literal('casefile/v1'),
  audit: auditId.optional(),
  /** Dotted path of the audit's state. */
  state: z.string(),
  how: z.enum(['full', 'partial']).optional(),
  blocker: toldBlocker.optional(),
  /** Where only what changed was asked about: against which commit, and how many files. */
  selection: selection
    .pick({ kind: true, asked: true, base: true, head: true })
    .extend({ changed: count, deleted: count })
    .optional(),
  /** `total` and `bySeverity` are of those that stand: quote found, not refuted. The others beside them. */
  findings: z.strictObject({
    total: count,
    bySeverity: severityCounts,
    notAnchored: count,
    refuted: count,
    /** What reviewers wrote and nobody could take for a finding; they are in no other count. */
    quarantined: count,
  }),
  coverage: cellCounts,
  /** Tasks that were not asked again, by the audit that reviewed them. */
  inherited: z.array(inheritedFrom).min(1).optional(),
  spend,
  /** Relative to the audited root. */
  report: z.strictObject({ markdown: z.string(), json: z.string() }),
  lastSeq: count,
  lastHash: digest,
  exit: z.strictObject({
    code: z.int().min(0).max(255),
    reason: exitReason,
    reasons: z.array(z.strictObject({ reason: exitReason, message: z.string() })).min(1),
  }),
});
