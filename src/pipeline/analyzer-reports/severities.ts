import type { Confidence, Lens, Severity } from '../../domain/vocabulary.ts';

/**
 * The words of other tools for how bad something is, and ours. One table for all: where two tools use a
 * word differently, its reader says so. A linter's "error" is a rule that its users switched on, so
 * it weighs `medium`; under security it weighs `high`.
 */
const WORDS: Readonly<Record<string, Severity>> = {
  critical: 'critical',
  blocker: 'critical',
  fatal: 'high',
  high: 'high',
  error: 'medium',
  major: 'medium',
  moderate: 'medium',
  medium: 'medium',
  warning: 'low',
  warn: 'low',
  minor: 'low',
  low: 'low',
  note: 'info',
  notice: 'info',
  info: 'info',
  information: 'info',
  informational: 'info',
  inventory: 'info',
  experiment: 'info',
  style: 'info',
  negligible: 'info',
  none: 'info',
  unknown: 'info',
  undefined: 'info',
};

const UNDER_SECURITY: Readonly<Record<string, Severity>> = {
  error: 'high',
  warning: 'medium',
  warn: 'medium',
  note: 'low',
  info: 'low',
};

/** Ours for a word of a tool; undefined for a word that no tool we know uses. */
export const severityOfWord = (word: string, lens: Lens): Severity | undefined => {
  const known = word.trim().toLowerCase();
  const table = lens === 'security' ? { ...WORDS, ...UNDER_SECURITY } : WORDS;
  return Object.hasOwn(table, known) ? table[known] : undefined;
};

/** Ours for a score as CVSS has it, 0 to 10. */
export const severityOfScore = (score: number): Severity => {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  if (score >= 4) return 'medium';
  return score > 0 ? 'low' : 'info';
};

/** How sure a tool says it is; undefined when it says nothing that we know. */
export const confidenceOfWord = (word: string | undefined): Confidence | undefined =>
  CONFIDENCES.get(word?.trim().toLowerCase() ?? '');

const CONFIDENCES: ReadonlyMap<string, Confidence> = new Map([
  ['very-high', 'high'],
  ['high', 'high'],
  ['medium', 'medium'],
  ['moderate', 'medium'],
  ['low', 'low'],
  ['undefined', 'low'],
]);
