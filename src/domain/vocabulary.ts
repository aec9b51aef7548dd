import { z } from 'zod';

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
export const lens = z.enum(LENSES);
export type Lens = z.infer<typeof lens>;

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

export const taskKind = z.enum(['review', 'design', 'narrative']);
export type TaskKind = z.infer<typeof taskKind>;

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
  'conflicting-answer',
  'already-settled',
  'superseded',
  'answers-previous-version',
  'unknown-packet',
  'repeat',
]);
export type RejectionCode = z.infer<typeof rejectionCode>;
