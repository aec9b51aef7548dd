import { SEVERITIES, type Severity } from '../domain/vocabulary.ts';

/** 0 for the most severe. */
export const severityRank = (severity: Severity): number => SEVERITIES.indexOf(severity);
