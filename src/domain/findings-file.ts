import { z } from 'zod';
import { analyzerSummary } from './analyzer-summary.ts';
import { auditId, digest } from './ids.ts';
import { severityCounts } from './events.ts';
import { runtimeCheck } from './runtime-check.ts';
import { inheritedFrom } from './inherited-from.ts';
import { narrative } from './narrative.ts';
import { settings } from './settings.ts';
import { spend } from './spend.ts';
import {
  coverage,
  gapGroup,
  observation,
  quarantinedFinding,
  reportedFinding,
  skippedGroup,
  workBlock,
} from './synthesis.ts';

const count = z.int().nonnegative();

/** Version of the shape below; a field that changes its meaning raises it. */
export const FINDINGS_CONTRACT = 'casefile/findings/v1';

/** `findings.json`: everything that an audit says, for programs. */
export const findingsFile = z.strictObject({
  contract: z.literal(FINDINGS_CONTRACT),
  audit: auditId,
  root: z.strictObject({
    name: z.string(),
    inventory: z.enum(['git', 'walk']),
    commit: z.string().optional(),
  }),
  commit: z.string().optional(),
  inputDigest: digest,
  tool: z.strictObject({ name: z.string(), version: z.string() }),
  asked: settings.pick({
    provider: true,
    reviewer: true,
    model: true,
    lenses: true,
    ownLenses: true,
    depth: true,
    components: true,
    include: true,
    exclude: true,
    selection: true,
    failOn: true,
  }),
  /** Dotted path of the audit's state; `complete` when it is over. */
  state: z.string(),
  how: z.enum(['full', 'partial']).optional(),
  /** Why it is partial or stands still, one sentence each. */
  reasons: z.array(z.string()),
  startedAt: z.iso.datetime({ precision: 3 }),
  endedAt: z.iso.datetime({ precision: 3 }),
  summary: z.strictObject({
    /** Of the findings that stand: the quote was found, and no second pass refuted it. */
    total: count,
    bySeverity: severityCounts,
    /** In `findings` beside those: the quote was not found in the file. */
    notAnchored: count,
    /** In `findings` beside those: refuted by a second pass. */
    refuted: count,
    /** In `quarantined`: what reviewers wrote and nobody could take for a finding. */
    quarantined: count,
    overGate: count,
    workBlocks: count,
  }),
  /** Sorted by severity, path, line and id. */
  findings: z.array(reportedFinding),
  quarantined: z.array(quarantinedFinding),
  /** In the order in which they are to be taken. Each finding that is not refuted is in exactly one. */
  workBlocks: z.array(workBlock),
  /** What running the project showed; absent when nobody ran it. */
  runtime: z.array(runtimeCheck).optional(),
  /** Measured, and judged by no agent: no findings. */
  observations: z.array(observation),
  /** What a reviewer makes of it as a whole. */
  narrative: narrative.optional(),
  coverage: coverage.omit({ skipped: true, gaps: true }),
  /** Tasks that were not asked again, by the audit that reviewed them. */
  inherited: z.array(inheritedFrom).min(1).optional(),
  notReviewed: z.array(gapGroup),
  skipped: z.array(skippedGroup),
  analyzers: z.array(analyzerSummary),
  spend,
  /** Number and whole hash of the `AuditCompleted` line, or of the last one that was folded. */
  lastSeq: count,
  lastHash: digest,
});
export type FindingsFile = z.infer<typeof findingsFile>;
