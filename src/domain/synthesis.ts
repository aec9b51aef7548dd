import { z } from 'zod';
import { findingId } from './ids.ts';
import { finding, place, quarantined, traceStep } from './finding.ts';
import { confidence, lens, providerId, severity, verdict } from './vocabulary.ts';

/** Cells that nobody reviews, and why: one reason, the same lenses, many files. */
export const skippedGroup = z.object({
  by: z.enum(['disposition', 'selection']),
  reason: z.string(),
  lenses: z.array(lens),
  files: z.array(z.string()),
});
export type SkippedGroup = z.infer<typeof skippedGroup>;

/** Cells that were asked for and not settled, and why. */
export const gapGroup = z.object({
  state: z.enum(['failed', 'notReviewed']),
  reason: z.string(),
  lenses: z.array(lens),
  files: z.array(z.string()),
});
export type GapGroup = z.infer<typeof gapGroup>;

/**
 * How many (file, lens) cells are what, each in exactly one. `reviewed`: a result of an agent was
 * taken; `analyzersOnly`: analyzers alone; `failed`: abandoned; `notReviewed`: asked for and
 * unsettled, stale ones too; `skipped`: left out by disposition or selection.
 */
export const CELL_STATES = [
  'reviewed',
  'analyzersOnly',
  'failed',
  'notReviewed',
  'skipped',
] as const;
export type CellState = (typeof CELL_STATES)[number];
export const cellCounts = z.object({
  reviewed: z.int().nonnegative(),
  analyzersOnly: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  notReviewed: z.int().nonnegative(),
  skipped: z.int().nonnegative(),
});
export type CellCounts = z.infer<typeof cellCounts>;

export const coverage = z.object({
  /** Files of the inventory times lenses asked for. */
  cells: z.int().nonnegative(),
  counts: cellCounts,
  // In the order in which they are written, so that a report is the same to the byte when it is
  // rendered again from the stored synthesis.
  byLens: z.array(z.object({ lens, ...cellCounts.shape })),
  files: z.object({
    total: z.int().nonnegative(),
    /** With at least one cell that is reviewed or analyzersOnly. */
    looked: z.int().nonnegative(),
    unreadable: z.array(z.string()),
  }),
  skipped: z.array(skippedGroup),
  gaps: z.array(gapGroup),
});
export type Coverage = z.infer<typeof coverage>;

/**
 * One reviewer's statement of a finding: where it comes from, and what it said of its own. What is
 * optional is told only where it differs from the finding's, so that nothing which was said is lost.
 */
export const findingSource = z.object({
  /** Its own fingerprint. */
  id: findingId.optional(),
  task: z.string(),
  lens,
  provider: providerId,
  /** The analyzer and its rule, where the provider spoke for one. */
  analyzer: z.string().optional(),
  rule: z.string().optional(),
  severity,
  confidence,
  category: z.string().optional(),
  title: z.string(),
  explanation: z.string().optional(),
  place: place.optional(),
  quote: z.string().optional(),
  /** Empty: it suggested nothing. */
  suggestion: z.string().optional(),
});
export type FindingSource = z.infer<typeof findingSource>;

/** What a second pass said, of which of the ids that the finding goes by. */
export const verification = z.object({
  of: findingId,
  verdict,
  severity: severity.optional(),
  /** Who judged, and why. */
  by: providerId.optional(),
  reason: z.string().optional(),
  /** Source that shows it, and where it stands. */
  evidence: z.object({ place, quote: z.string() }).optional(),
  /** The event that brought the judgement. */
  event: z.int().positive().optional(),
});
export type Verification = z.infer<typeof verification>;

/** A finding as reports have it: all statements of one defect joined. */
export const reportedFinding = z.object({
  id: findingId,
  /** Fingerprints of other statements of the same defect: it may bear one of them in another audit. */
  aliases: z.array(findingId).min(1).optional(),
  /** After the verdict: what the gate reads. */
  severity,
  /** The highest that a reviewer stated, where the verdict lowered it. */
  statedSeverity: severity.optional(),
  confidence,
  category: z.string(),
  /** Answers a question about the design of several files; it is no review of one. */
  design: z.literal(true).optional(),
  lenses: z.array(lens),
  title: z.string(),
  explanation: z.string(),
  place,
  quote: z.string(),
  anchored: z.boolean(),
  /** What its reviewer stated where that was put right, and what tells it from others like it. */
  ...finding.pick({ stated: true, around: true }).shape,
  /** From where the data comes to where it does harm, as an analyzer followed it. */
  trace: z.array(traceStep).min(2).optional(),
  suggestion: z.string().optional(),
  /** Of all that was judged about it; see `verifications`. */
  verdict,
  verifications: z.array(verification).min(1).optional(),
  sources: z.array(findingSource),
  /** Analyzers that point to it, whether or not they are among its sources. */
  analyzers: z
    .array(z.object({ analyzer: z.string(), rule: z.string() }))
    .min(1)
    .optional(),
});
export type ReportedFinding = z.infer<typeof reportedFinding>;

/** Findings that one person can take and mend together. Each that is not refuted is in exactly one. */
export const workBlock = z.object({
  /** Digest of the findings' ids. */
  id: z.string().regex(/^b-[0-9a-f]{16}$/),
  title: z.string(),
  /** Why these belong together. */
  why: z.string(),
  maxSeverity: severity,
  size: z.enum(['small', 'medium', 'large']),
  /** Sorted. */
  files: z.array(z.string()),
  /** By a CODEOWNERS file. */
  owners: z.array(z.string()).min(1).optional(),
  /** In the order of the report. */
  findings: z.array(findingId),
  /** Blocks before this one whose files its files need: they are better mended first. */
  dependsOn: z.array(z.string()),
});
export type WorkBlock = z.infer<typeof workBlock>;

/** What the shape of the code says and no agent judged: figures, not a finding. */
export const observation = z.object({
  rule: z.string(),
  statement: z.string(),
  /** The most telling first. */
  paths: z.array(z.string()),
  evidence: z.array(z.object({ path: z.string(), line: z.int().positive(), note: z.string() })),
  figures: z.record(z.string(), z.number()),
});
export type Observation = z.infer<typeof observation>;

/** A finding that was set aside: what somebody said under a task, and why it could not be taken. */
export const quarantinedFinding = z.object({
  task: z.string(),
  ...quarantined.shape,
});
export type QuarantinedFinding = z.infer<typeof quarantinedFinding>;

/** The artifact of synthesis: what the reports are made of. Older ones have findings and coverage. */
export const synthesis = z.object({
  findings: z.array(reportedFinding),
  /** In the order in which they are to be taken. */
  workBlocks: z.array(workBlock).default([]),
  observations: z.array(observation).default([]),
  /** Sorted by task and place. */
  quarantined: z.array(quarantinedFinding).default([]),
  coverage,
});
export type Synthesis = z.infer<typeof synthesis>;
