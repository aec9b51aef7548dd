import { standingOf } from '../domain/finding-standing.ts';
import type { FindingId } from '../domain/ids.ts';
import type { ReportedFinding } from '../domain/synthesis.ts';
import { SEVERITIES } from '../domain/vocabulary.ts';
import { capital } from './report-words.ts';

/** A part of the findings under one heading. */
export type FindingSection = {
  readonly kind: 'severity' | 'design' | 'notAnchored' | 'refuted';
  readonly title: string;
  /** What is to be known of all of them. */
  readonly note?: string;
  /** Those of one category together, in the order of the first. */
  readonly groups: readonly (readonly ReportedFinding[])[];
};

/** Which finding stands where, and the number by which the report speaks of it. */
export type ReportLayout = {
  readonly sections: readonly FindingSection[];
  /** From 1, in the order of the report; by every name that a finding goes by. */
  readonly numbers: ReadonlyMap<FindingId, number>;
};

/**
 * Findings that stand by severity, then those about the design, then those that nobody could find in
 * the source, then what was refuted. Numbers are for reading this one report; ids are for good.
 */
export const layoutFindings = (findings: readonly ReportedFinding[]): ReportLayout => {
  const standing = findings.filter((one) => standingOf(one) === 'standing');
  const sections = [
    ...SEVERITIES.map((severity) =>
      section(
        'severity',
        capital(severity),
        standing.filter((one) => one.design !== true && one.severity === severity),
      ),
    ),
    section(
      'design',
      'About the design',
      standing.filter((one) => one.design === true),
      'Answers to questions about several files at once.',
    ),
    section(
      'notAnchored',
      'Not found in the source',
      findings.filter((one) => standingOf(one) === 'notAnchored'),
      'The quoted source is not in the file. These count neither in the headline nor for the gate.',
    ),
    section(
      'refuted',
      'Refuted by a second pass',
      findings.filter((one) => standingOf(one) === 'refuted'),
      'Shown so that nobody reports them again. They count for nothing.',
    ),
  ].filter(({ groups }) => groups.length > 0);
  const numbers = new Map<FindingId, number>();
  let number = 0;
  for (const { id, aliases = [] } of sections.flatMap(({ groups }) => groups.flat())) {
    number += 1;
    for (const name of [id, ...aliases]) numbers.set(name, number);
  }
  return { sections, numbers };
};

const section = (
  kind: FindingSection['kind'],
  words: string,
  findings: readonly ReportedFinding[],
  note?: string,
): FindingSection => {
  const groups = new Map<string, ReportedFinding[]>();
  for (const finding of findings) {
    const known = groups.get(finding.category);
    if (known === undefined) groups.set(finding.category, [finding]);
    else known.push(finding);
  }
  return {
    kind,
    title: `${words} (${findings.length})`,
    ...(note !== undefined && { note }),
    groups: [...groups.values()],
  };
};
