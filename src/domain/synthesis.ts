import { z } from 'zod';
import { findingId } from './ids.ts';
import { place } from './finding.ts';
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

/** One reviewer's statement of a finding: where it comes from, and what it said of its own. */
export const findingSource = z.object({
  task: z.string(),
  lens,
  provider: providerId,
  severity,
  confidence,
  title: z.string(),
  /** Only where it differs from the finding's. */
  explanation: z.string().optional(),
});
export type FindingSource = z.infer<typeof findingSource>;

/** A finding as reports have it: all statements of one defect joined. */
export const reportedFinding = z.object({
  id: findingId,
  /** After the verdict: what the gate reads. */
  severity,
  /** The highest that a reviewer stated, where the verdict lowered it. */
  statedSeverity: severity.optional(),
  confidence,
  category: z.string(),
  lenses: z.array(lens),
  title: z.string(),
  explanation: z.string(),
  place,
  quote: z.string(),
  anchored: z.boolean(),
  suggestion: z.string().optional(),
  verdict,
  /** What the second pass says for its verdict. */
  verification: z
    .object({
      reason: z.string(),
      evidence: z.object({ place, quote: z.string() }).optional(),
      provider: providerId.optional(),
      /** The event that brought its answer. */
      event: z.int().positive().optional(),
    })
    .optional(),
  sources: z.array(findingSource),
});
export type ReportedFinding = z.infer<typeof reportedFinding>;

/** The artifact of synthesis: what the reports are made of. */
export const synthesis = z.object({
  findings: z.array(reportedFinding),
  coverage,
});
export type Synthesis = z.infer<typeof synthesis>;
