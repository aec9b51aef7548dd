import { foldSpace } from '../std/printable.ts';
import { digestOf } from '../std/digest.ts';
import { findingId, type FindingId } from '../domain/ids.ts';

/**
 * What makes a finding the same finding at the next audit. No line number stands here: code above
 * it may come and go. The lens and the severity are left out too, so that two reviewers who see one
 * defect from two sides name one finding.
 */
export type Fingerprint = {
  /** Rule of an analyzer or category of an agent. */
  readonly category: string;
  readonly path: string;
  /** Names of the definitions around it; empty when the quote was not found. */
  readonly definition: string;
  /** The quoted source; white space does not count. */
  readonly quote: string;
  /**
   * Only where the same quote stands more than once in the definition: the line that comes after it, and
   * how many with the same after them stand below. Of a quote that stands once nothing around it counts.
   */
  readonly twin?: { readonly follows: string; readonly below: number } | undefined;
};

export const findingIdOf = (fingerprint: Fingerprint): FindingId =>
  findingId.parse(
    `f-${digestOf([
      foldCategory(fingerprint.category),
      fingerprint.path,
      fingerprint.definition,
      foldSpace(fingerprint.quote),
      ...(fingerprint.twin === undefined
        ? [0]
        : [fingerprint.twin.follows, fingerprint.twin.below]),
    ]).slice(0, 16)}`,
  );

/** "SQL injection", "sql_injection" and "sql-injection" are one category. */
export const foldCategory = (category: string): string =>
  category
    .toLowerCase()
    .replace(/[\s_-]+/g, '-')
    .replace(/^-|-$/g, '');
