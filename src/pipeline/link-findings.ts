import type { FindingId } from '../domain/ids.ts';
import type { ReportedFinding } from '../domain/synthesis.ts';
import { foldSpace } from '../std/printable.ts';
import { foldCategory } from './fingerprint.ts';

/** What of a finding tells that it is the one of another audit. */
export type LinkedFinding = Pick<
  ReportedFinding,
  'id' | 'aliases' | 'category' | 'place' | 'quote' | 'around'
>;

/** A finding of one audit that is one of another, and by what. */
export type FindingLink = {
  readonly before: FindingId;
  readonly after: FindingId;
  /**
   *   same    a fingerprint of it is one of the other's
   *   changed in the same file; what is around it has changed
   *   moved   its file was renamed, or it went to another file
   */
  readonly how: 'same' | 'changed' | 'moved';
};

/**
 * Finds findings of an earlier audit again in a later one. Fingerprints hold the path and what tells equal
 * statements apart, so that they never take another's name; what changes them by a rename or an edit
 * beside the finding is put together here, step by step from what is sure to what is likely:
 *
 *   1  a fingerprint in common
 *   2  same file, kind, definition, quote and following line; then same file, kind and quote
 *   3  another file, with kind, definition, quote and following line; then without the last
 *
 * In a step findings are only taken for each other when as many are left before as after, all in one
 * file each: they are paired from the top. Anything else would be a guess. Cost: that of the findings.
 */
export const linkFindings = (
  before: readonly LinkedFinding[],
  after: readonly LinkedFinding[],
): readonly FindingLink[] => {
  const links: FindingLink[] = [];
  const left = { before: new Set(before), after: new Set(after) };
  const link = (one: LinkedFinding, other: LinkedFinding, how: FindingLink['how']): void => {
    left.before.delete(one);
    left.after.delete(other);
    links.push({ before: one.id, after: other.id, how });
  };
  const byName = new Map(after.flatMap((one) => namesOf(one).map((name) => [name, one] as const)));
  for (const one of before) {
    const other = namesOf(one)
      .flatMap((name) => byName.get(name) ?? [])
      .find((candidate) => left.after.has(candidate));
    if (other !== undefined) link(one, other, 'same');
  }
  for (const { how, keyOf } of STEPS) {
    const groups = groupBy(left.after, keyOf);
    for (const [key, ones] of groupBy(left.before, keyOf)) {
      const others = groups.get(key) ?? [];
      if (ones.length !== others.length || !isOneFile(ones) || !isOneFile(others)) continue;
      const ordered = others.toSorted(byLine);
      for (const [index, one] of ones.toSorted(byLine).entries()) {
        const other = ordered[index];
        if (other !== undefined) link(one, other, how);
      }
    }
  }
  return links;
};

const namesOf = ({ id, aliases = [] }: LinkedFinding): readonly FindingId[] => [id, ...aliases];

type Step = {
  readonly how: FindingLink['how'];
  /** Undefined: too little is known of it for this step. */
  readonly keyOf: (finding: LinkedFinding) => string | undefined;
};

const said = ({ category, quote }: LinkedFinding): readonly string[] => [
  foldCategory(category),
  foldSpace(quote),
];

const STEPS: readonly Step[] = [
  {
    how: 'changed',
    keyOf: (one) =>
      one.around && join(one.place.path, ...said(one), one.around.definition, one.around.follows),
  },
  { how: 'changed', keyOf: (one) => join(one.place.path, ...said(one)) },
  {
    how: 'moved',
    keyOf: (one) => one.around && join(...said(one), one.around.definition, one.around.follows),
  },
  { how: 'moved', keyOf: (one) => one.around && join(...said(one), one.around.definition) },
];

const join = (...parts: readonly string[]): string => JSON.stringify(parts);

const groupBy = (
  findings: ReadonlySet<LinkedFinding>,
  keyOf: Step['keyOf'],
): ReadonlyMap<string, readonly LinkedFinding[]> => {
  const groups = new Map<string, LinkedFinding[]>();
  for (const finding of findings) {
    const key = keyOf(finding);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  return groups;
};

const isOneFile = (findings: readonly LinkedFinding[]): boolean =>
  findings.every(({ place }) => place.path === findings[0]?.place.path);

const byLine = (left: LinkedFinding, right: LinkedFinding): number =>
  left.place.line - right.place.line;
