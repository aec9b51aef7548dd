import { z } from 'zod';
import { compareText } from '../std/canonical-json.ts';

/** Closed vocabularies. Each exists here and nowhere else. */

/**
 * Obligations in their priority order (protocol section 1). The audit chart has the same order and
 * decides by it; a test compares the two.
 */
export const OBLIGATIONS = [
  'inventory',
  'disposition',
  'formatting',
  'structure',
  'enrichment',
  'designAssessment',
  'planning',
  'ingestion',
  'review',
  'runtimeValidation',
  'synthesis',
  'narrative',
] as const;
export type Obligation = (typeof OBLIGATIONS)[number];

/** Obligations with a stage, that is with a substate of `deriving`. */
export const STAGES = [
  'inventory',
  'disposition',
  'formatting',
  'structure',
  'enrichment',
  'designAssessment',
  'planning',
  'runtimeValidation',
  'synthesis',
] as const;
export type Stage = (typeof STAGES)[number];

/** Obligations that an artifact (or a waiver) satisfies; the others are satisfied by work. */
export const DERIVED_OBLIGATIONS = [...STAGES, 'narrative'] as const;
export const derivedObligation = z.enum(DERIVED_OBLIGATIONS);
export type DerivedObligation = z.infer<typeof derivedObligation>;

export const LENSES = [
  'security',
  'correctness',
  'reliability',
  'data_integrity',
  'performance',
  'operability',
  'config_deployment',
  'observability',
  'maintainability',
  'architecture',
  'tests',
] as const;
export const bundledLens = z.enum(LENSES);
export type BundledLens = z.infer<typeof bundledLens>;

/** The name of a point of view that somebody has written down; never one of ours. */
export const OWN_LENS_PATTERN = /^[a-z][a-z0-9_-]{1,39}$/;
export const ownLens = z.string().regex(OWN_LENS_PATTERN).brand<'OwnLens'>();
export type OwnLens = z.infer<typeof ownLens>;

export const lens = z.union([bundledLens, ownLens]);
export type Lens = z.infer<typeof lens>;

export const isBundledLens = (one: string): one is BundledLens =>
  (LENSES as readonly string[]).includes(one);

/** Each once: ours in our order, then the others by name. */
export const inLensOrder = (lenses: Iterable<Lens>): Lens[] => {
  const given = new Set(lenses);
  const own = [...given].filter((one) => !isBundledLens(one));
  return [...LENSES.filter((one) => given.has(one)), ...own.toSorted(compareText)];
};

/** What a file is for, as far as name and language say. */
export const FILE_ROLES = ['code', 'test', 'config', 'prose', 'style', 'data'] as const;
export const fileRole = z.enum(FILE_ROLES);
export type FileRole = z.infer<typeof fileRole>;

/** Most severe first. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
export const severity = z.enum(SEVERITIES);
export type Severity = z.infer<typeof severity>;

export const confidence = z.enum(['high', 'medium', 'low']);
export type Confidence = z.infer<typeof confidence>;

/** A gate's threshold: fail on findings of this severity or above; `none` never fails. */
export const gateSeverity = z.enum([...SEVERITIES, 'none']);
export type GateSeverity = z.infer<typeof gateSeverity>;

export const providerId = z.enum([
  'builtin',
  'claude-code',
  'codex',
  'opencode',
  'gemini',
  'command',
  'handoff',
  'scripted',
]);
export type ProviderId = z.infer<typeof providerId>;

/** How a provider judges: by analyzers alone (coverage says so) or by an agent. */
export const reviewer = z.enum(['analyzers', 'agent']);
export type Reviewer = z.infer<typeof reviewer>;

/** The verdict of a second pass over a finding; none yet is undecided. */
export const verdict = z.enum(['confirmed', 'downgraded', 'refuted', 'undecided']);
export type Verdict = z.infer<typeof verdict>;

/** Where a limit is known from. Unknown means a stated, small, non-zero width. */
export const limitSource = z.enum(['declared', 'discovered', 'learned', 'unknown']);
export type LimitSource = z.infer<typeof limitSource>;

export const taskKind = z.enum(['review', 'design', 'deepening', 'verification', 'narrative']);
export type TaskKind = z.infer<typeof taskKind>;

/**
 * Why something is looked at again after the review:
 *
 *   finding    a severe or unsure finding is verified
 *   conflict   reviewers differ widely on the same thing: the findings are verified
 *   follow-up  a steward of a lens asked for it
 *   runtime    a command of the project failed, and names files without a severe finding
 *   steward    a lens that matters is looked over as a whole, with what was said under it
 *   clean      a risky part of which nothing was found is read a second time
 */
export const DEEPENING_TRIGGERS = [
  'finding',
  'conflict',
  'follow-up',
  'runtime',
  'steward',
  'clean',
] as const;
export const deepeningTrigger = z.enum(DEEPENING_TRIGGERS);
export type DeepeningTrigger = z.infer<typeof deepeningTrigger>;

/** Why deepening is over: nothing gives cause for more, or a bound was met. */
export const deepeningEnd = z.enum(['nothing-left', 'share-spent', 'rounds-spent']);
export type DeepeningEnd = z.infer<typeof deepeningEnd>;

/** What a result says of its task: of files, of a finding, or a text. */
export const resultVerdict = z.enum(['clean', 'findings', 'judged', 'written']);
export type ResultVerdict = z.infer<typeof resultVerdict>;

/** Why a task's part of an answer was not taken. */
export const rejectionCode = z.enum([
  'unreadable-answer',
  'wrong-shape',
  'wrong-packet',
  'unknown-task',
  'no-verdict',
  'not-accounted-for',
  'path-outside-task',
  'invalid-location',
  'evidence-not-found',
  'self-verified',
  'no-work-measured',
  'conflicting-answer',
  'already-settled',
  'superseded',
  'answers-previous-version',
  'unknown-packet',
  'repeat',
]);
export type RejectionCode = z.infer<typeof rejectionCode>;
