import { compareText } from '../std/canonical-json.ts';
import { counted } from '../std/counted.ts';
import { digestOf } from '../std/digest.ts';
import { standingOf } from '../domain/finding-standing.ts';
import type { ReportedFinding, WorkBlock } from '../domain/synthesis.ts';
import { defectKindOf } from './defect-kinds.ts';
import { foldCategory } from './fingerprint.ts';
import { severityRank } from './severity-rank.ts';

/** What is known of the tree; without it, a folder is a unit, nobody owns it, and nothing needs another. */
export type BlockContext = {
  readonly units?:
    readonly { readonly id: string; readonly files: readonly string[] }[] | undefined;
  readonly owners?:
    readonly { readonly unit: string; readonly owners: readonly string[] }[] | undefined;
  readonly edges?: readonly { readonly from: string; readonly to: string }[] | undefined;
};

export const BLOCK_FINDINGS_MAX = 10;
export const BLOCK_FILES_MAX = 5;

/**
 * Cuts the findings that are not refuted into blocks that people can take one by one: each finding is
 * in exactly one, and a block has at most `BLOCK_FINDINGS_MAX` of them in `BLOCK_FILES_MAX` files.
 *
 * What is urgent (high and above) is never mixed with what can wait, what nobody found in the source
 * never with what was found, nor files of different owners. Within these, one kind of defect that is in
 * several places is mended in one sweep; what is left goes by unit, file by file, and small remainders
 * of units by the folder above.
 *
 * Ordered by severity, what nobody found in the source last; then by need: a block whose files import
 * those of another comes after it. `dependsOn` names only blocks that come before, so nothing waits in
 * a circle, and what is urgent never waits for what is not; a block that one of them waits for already is
 * left out. Near-linear in findings and edges; the order of what is given does not matter.
 */
export const deriveWorkBlocks = (
  findings: readonly ReportedFinding[],
  context: BlockContext = {},
): WorkBlock[] => {
  const open = findings.filter((one) => standingOf(one) !== 'refuted').toSorted(byPlace);
  const places = placesOf(context);
  const parts = groupBy(open, (one) =>
    JSON.stringify([one.anchored, isUrgent(one), places(one.place.path).owners]),
  );
  const drafts = [...parts.values()].flatMap((part) => cutPart(part, places));
  return inOrder(
    drafts.filter(isFound).map((draft) => blockOf(draft, places)),
    context.edges ?? [],
  ).concat(
    drafts
      .filter((draft) => !isFound(draft))
      .map((draft) => blockOf(draft, places))
      .toSorted(byUrgency),
  );
};

type Draft = {
  readonly findings: readonly ReportedFinding[];
  /** One kind in several places, or whatever is in a unit's files. */
  readonly kind: string | undefined;
};
type PlacesOf = (path: string) => { readonly unit: string; readonly owners: readonly string[] };

const isFound = ({ findings: [first] }: Draft): boolean => first?.anchored === true;

/** Fewer places of one kind are no sweep. */
const SWEEP_MIN = 4;

/** A unit with less that can wait shares blocks with its neighbours. */
const ALONE_MIN = 3;

const topFolder = ({ place }: ReportedFinding): string =>
  place.path.includes('/') ? place.path.slice(0, place.path.indexOf('/')) : '';

const isUrgent = ({ severity }: ReportedFinding): boolean =>
  severity === 'critical' || severity === 'high';

/** Findings of one urgency and one owner. */
const cutPart = (part: readonly ReportedFinding[], places: PlacesOf): readonly Draft[] => {
  const kinds = groupBy(part, kindOf);
  const sweeps = [...kinds].filter(([, same]) => same.length >= SWEEP_MIN);
  const swept = new Set(sweeps.map(([kind]) => kind));
  const rest = part.filter((one) => !swept.has(kindOf(one)));
  const units = groupBy(rest, ({ place }) => places(place.path).unit);
  const pieces = groupBy(
    [...units].flatMap(([unit, own]) => own.map((one) => ({ unit, own, one }))),
    ({ unit, own, one }) =>
      own.length >= ALONE_MIN || isUrgent(one) ? unit : `${topFolder(one)}/`,
  );
  return [
    ...sweeps.flatMap(([kind, same]) => cut(same).map((findings) => ({ findings, kind }))),
    ...[...pieces.values()].flatMap((own) =>
      cut(own.map(({ one }) => one).toSorted(byPlace)).map((findings) => ({
        findings,
        kind: undefined,
      })),
    ),
  ];
};

/** Cuts findings that stand by path into runs within the bounds; a file is cut only when it alone is too much. */
const cut = (findings: readonly ReportedFinding[]): readonly (readonly ReportedFinding[])[] => {
  const runs: ReportedFinding[][] = [];
  let files = 0;
  for (const own of groupBy(findings, ({ place }) => place.path).values()) {
    const last = runs.at(-1);
    const fits =
      last !== undefined &&
      files < BLOCK_FILES_MAX &&
      last.length + own.length <= BLOCK_FINDINGS_MAX;
    if (fits) {
      last.push(...own);
      files += 1;
      continue;
    }
    for (let start = 0; start < own.length; start += BLOCK_FINDINGS_MAX) {
      runs.push(own.slice(start, start + BLOCK_FINDINGS_MAX));
    }
    files = 1;
  }
  return runs;
};

const blockOf = ({ findings, kind }: Draft, places: PlacesOf): WorkBlock => {
  const ordered = findings.toSorted(bySeverity);
  const ids = ordered.map(({ id }) => id);
  const files = [...new Set(findings.map(({ place }) => place.path))].toSorted(compareText);
  const [file = ''] = files;
  const { owners } = places(file);
  const where = files.length === 1 ? file : commonFolder(files) || 'several folders';
  const what = ordered[0] === undefined ? '' : kindOf(ordered[0]);
  const others = ordered.length - 1;
  const isOneKind = ordered.every((one) => kindOf(one) === what);
  return {
    id: `b-${digestOf(ids.toSorted(compareText)).slice(0, 16)}`,
    title:
      isOneKind && others > 0
        ? `${what}, ${ordered.length} times in ${where}`
        : `${what}${others === 0 ? '' : ` and ${counted(others, 'other')}`} in ${where}`,
    why: whyOf(findings, files, kind),
    maxSeverity: ordered[0]?.severity ?? 'info',
    size: sizeOf(ordered.length, files.length),
    files,
    ...(owners.length > 0 && { owners: [...owners] }),
    findings: ids,
    dependsOn: [],
  };
};

const whyOf = (
  findings: readonly ReportedFinding[],
  files: readonly string[],
  kind: string | undefined,
): string => {
  const unsure = findings.some((one) => !one.anchored)
    ? ' What was quoted is not in the source: look first whether it is there at all.'
    : '';
  if (findings.length === 1) return `It stands alone.${unsure}`;
  if (kind !== undefined) return `One kind of defect, to be mended in one way.${unsure}`;
  return files.length === 1 ? `All in one file.${unsure}` : `Files beside each other.${unsure}`;
};

const sizeOf = (findings: number, files: number): WorkBlock['size'] => {
  if (files === 1 && findings <= 2) return 'small';
  return files <= 3 && findings <= 5 ? 'medium' : 'large';
};

/** The folder that all files lie in; empty for the root. */
const commonFolder = (files: readonly string[]): string => {
  const [first = [], ...others] = files.map((file) => file.split('/').slice(0, -1));
  let depth = first.length;
  for (const other of others) {
    let same = 0;
    while (same < depth && first[same] === other[same]) same += 1;
    depth = same;
  }
  return first.slice(0, depth).join('/');
};

/**
 * By severity; among equals those first that others need, else the larger, then by id. Where they need
 * each other in a circle, the order of the equals decides where it is cut.
 */
const inOrder = (
  blocks: readonly WorkBlock[],
  edges: readonly { readonly from: string; readonly to: string }[],
): WorkBlock[] => {
  const ordered = blocks.toSorted(byUrgency);
  const ofFile = new Map<string, number[]>();
  for (const [index, { files }] of ordered.entries()) {
    for (const file of files) {
      const known = ofFile.get(file);
      if (known === undefined) ofFile.set(file, [index]);
      else known.push(index);
    }
  }
  const needs = ordered.map(() => new Set<number>());
  for (const { from, to } of edges) {
    if (from === to) continue;
    for (const needing of (ofFile.get(from) ?? []).slice(0, SHARES_MAX)) {
      for (const needed of (ofFile.get(to) ?? []).slice(0, SHARES_MAX)) {
        if (needed !== needing) needs[needing]?.add(needed);
      }
    }
  }
  const order = needsFirst(ordered, needs);
  const rank = new Map(order.map((index, place) => [index, place]));
  const rankOf = (index: number): number => rank.get(index) ?? 0;
  return order.flatMap((index) => {
    const block = ordered[index];
    const isBefore = (other: number): boolean => rankOf(other) < rankOf(index);
    const before = nearestOf([...(needs[index] ?? [])].filter(isBefore), needs, rankOf);
    return block === undefined
      ? []
      : [
          {
            ...block,
            dependsOn: before
              .toSorted((left, right) => rankOf(left) - rankOf(right))
              .flatMap((other) => ordered[other]?.id ?? []),
          },
        ];
  });
};

/** Without those that another of them needs and waits for; of very many nothing is left out. */
const nearestOf = (
  before: readonly number[],
  needs: readonly ReadonlySet<number>[],
  rankOf: (index: number) => number,
): readonly number[] => {
  if (before.length > NEEDS_MAX) return before;
  return before.filter((one) =>
    before.every((other) => rankOf(one) >= rankOf(other) || needs[other]?.has(one) !== true),
  );
};

const NEEDS_MAX = 64;

/** A file with more findings than make this many blocks leads to no further dependencies. */
const SHARES_MAX = 4;

/** Depth first, by a stack of our own; needs of another severity do not move a block. */
const needsFirst = (
  blocks: readonly WorkBlock[],
  needs: readonly ReadonlySet<number>[],
): readonly number[] => {
  const order: number[] = [];
  const seen = new Set<number>();
  for (const start of blocks.keys()) {
    const stack: { readonly index: number; readonly left: number[] }[] = [];
    const visit = (index: number): void => {
      if (seen.has(index)) return;
      seen.add(index);
      const severity = blocks[index]?.maxSeverity;
      const left = [...(needs[index] ?? [])]
        .filter((other) => blocks[other]?.maxSeverity === severity)
        .toSorted((one, other) => other - one);
      stack.push({ index, left });
    };
    visit(start);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const next = top.left.pop();
      if (next === undefined) {
        order.push(top.index);
        stack.pop();
      } else visit(next);
    }
  }
  return order;
};

const placesOf = ({ units = [], owners = [] }: BlockContext): PlacesOf => {
  const unitOf = new Map(
    units.flatMap(({ id, files }) => files.map((file) => [file, id] as const)),
  );
  const ownersOf = new Map(owners.map((one) => [one.unit, one.owners.toSorted(compareText)]));
  return (path) => {
    const unit = unitOf.get(path) ?? (path.split('/').slice(0, -1).join('/') || '.');
    return { unit, owners: ownersOf.get(unit) ?? [] };
  };
};

const kindOf = ({ category }: ReportedFinding): string =>
  defectKindOf(category) ?? foldCategory(category);

const groupBy = <Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): Map<string, Item[]> => {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [item]);
    else known.push(item);
  }
  return groups;
};

const byPlace = (left: ReportedFinding, right: ReportedFinding): number =>
  compareText(left.place.path, right.place.path) ||
  left.place.line - right.place.line ||
  compareText(left.id, right.id);

const bySeverity = (left: ReportedFinding, right: ReportedFinding): number =>
  severityRank(left.severity) - severityRank(right.severity) || byPlace(left, right);

const byUrgency = (left: WorkBlock, right: WorkBlock): number =>
  severityRank(left.maxSeverity) - severityRank(right.maxSeverity) ||
  right.findings.length - left.findings.length ||
  compareText(left.id, right.id);
