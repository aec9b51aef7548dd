import { compareText } from '../std/canonical-json.ts';
import { foldSpace } from '../std/printable.ts';
import type { Finding } from '../domain/finding.ts';
import type { FindingId } from '../domain/ids.ts';
import { defectKindOf } from './defect-kinds.ts';
import { foldCategory } from './fingerprint.ts';

/** All statements with one fingerprint. `leading` speaks for them. */
export type Telling = {
  readonly id: FindingId;
  readonly leading: Finding;
  /** Tasks of agents that state it; what analyzers say in one task comes from several tools. */
  readonly agentTasks: ReadonlySet<string>;
};

/**
 * Which fingerprints tell one defect. They are grouped around the narrowest quote, the core:
 * tellings are taken by the length of their place and quote, and each joins the one group whose core
 * it tells the same as (`tellsTheSame`), or begins a group. One that would fit several groups joins the
 * one with its very quote, if that is one group; else it stands by itself, since nobody can say which
 * of them it means. So two tellings are in one group only when both share source with its core, and no
 * chain of overlaps can swallow a function. An agent that in one task quotes two pieces of source, or
 * names two kinds, means two defects, and these are never joined; analyzers of one task do not know of
 * each other.
 *
 * A finding that is not anchored has no place that could be compared, and stays alone. So does one
 * whose place is longer than `LINES_MAX`, but for its very quote.
 *
 * The order of what is given does not matter. Near-linear: a line takes at most `CORES_MAX` cores, and
 * what comes after them there is compared with those alone.
 */
export const groupTellings = <T extends Telling>(
  tellings: readonly T[],
): readonly (readonly T[])[] => {
  const groups: T[][] = [];
  const onLine = new Map<string, Group<T>[]>();
  const onQuote = new Map<string, Group<T>[]>();
  for (const given of tellings.map((telling) => measure(telling)).toSorted(narrowestFirst)) {
    const near = given.isAnchored ? nearGroups(given, onLine, onQuote) : [];
    const same = near.filter(
      ({ core, tasks }) =>
        tellsTheSame(core, given) &&
        (isVerbatim(core, given) || !sharesAny(tasks, given.telling.agentTasks)),
    );
    const verbatim = same.filter(({ core }) => core.quote === given.quote);
    const [only] = verbatim.length === 1 ? verbatim : same.length === 1 ? same : [];
    if (only !== undefined) {
      only.list.push(given.telling);
      for (const task of given.telling.agentTasks) only.tasks.add(task);
      continue;
    }
    const list = [given.telling];
    groups.push(list);
    if (!given.isAnchored) continue;
    const group: Group<T> = {
      core: given,
      list,
      tasks: new Set(given.telling.agentTasks),
    };
    for (const line of linesOf(given)) keep(onLine, `${line} ${given.path}`, group);
    keep(onQuote, quoteKey(given), group);
  }
  return groups;
};

/** More cores than this on one line are no help to anybody; see `groupTellings`. */
const CORES_MAX = 16;
/** A place that is longer says little about where in it the defect is. */
const LINES_MAX = 30;
/** Characters of a quote that are enough to be found in another. */
const SHARED_MIN = 6;
/** Characters that the end of one quote and the beginning of another must have in common. */
const OVERLAP_MIN = 16;
/** Share of words that titles of one thing have in common. */
const TITLES_ALIKE = 0.6;
const TITLE_WORDS_MAX = 40;

type Measured<T extends Telling = Telling> = {
  readonly telling: T;
  readonly isAnchored: boolean;
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  readonly category: string;
  /** Of the table, or else the category itself. */
  readonly kind: string;
  readonly isKnownKind: boolean;
  /** White space folded. */
  readonly quote: string;
};

type Group<T extends Telling = Telling> = {
  readonly core: Measured<T>;
  readonly list: T[];
  readonly tasks: Set<string>;
};

const measure = <T extends Telling>(telling: T): Measured<T> => {
  const { place, category, quote, anchored } = telling.leading;
  const known = defectKindOf(category);
  const folded = foldCategory(category);
  return {
    telling,
    isAnchored: anchored,
    path: place.path,
    line: place.line,
    endLine: Math.max(place.line, place.endLine ?? place.line),
    category: folded,
    kind: known ?? folded,
    isKnownKind: known !== undefined,
    quote: foldSpace(quote),
  };
};

const narrowestFirst = (left: Measured, right: Measured): number =>
  left.endLine - left.line - (right.endLine - right.line) ||
  left.quote.length - right.quote.length ||
  compareText(left.telling.id, right.telling.id);

/**
 * Of two that share a line: one kind, and source in common: one quote holds the other, or one begins with what the
 * other ends with. The same quote of the same category under two fingerprints are two occurrences, and
 * two defects. Kinds that the table knows are different things even in the same words of source; where
 * it knows one of two categories at most, the very same quote and titles that are alike will do.
 */
const tellsTheSame = (core: Measured, other: Measured): boolean => {
  if (core.quote === other.quote) {
    if (core.category === other.category) return false;
    if (core.kind === other.kind) return true;
    if (core.isKnownKind && other.isKnownKind) return false;
    return areAlike(core.telling.leading.title, other.telling.leading.title);
  }
  return core.kind === other.kind && shareSource(core.quote, other.quote);
};

/** The same words of source, and the same kind. */
const isVerbatim = (core: Measured, other: Measured): boolean =>
  core.quote === other.quote && core.kind === other.kind;

const shareSource = (one: string, other: string): boolean => {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length >= SHARED_MIN && long.includes(short)) return true;
  return overlap(one, other) >= OVERLAP_MIN || overlap(other, one) >= OVERLAP_MIN;
};

/** How many characters at the end of one text are the beginning of another. Linear (Knuth, Morris, Pratt). */
const overlap = (ending: string, beginning: string): number => {
  const fallback = [0];
  let matched = 0;
  for (let index = 1; index < beginning.length; index += 1) {
    while (matched > 0 && beginning[index] !== beginning[matched])
      matched = fallback[matched - 1] ?? 0;
    if (beginning[index] === beginning[matched]) matched += 1;
    fallback.push(matched);
  }
  matched = 0;
  for (const character of ending.slice(-beginning.length).split('')) {
    while (matched > 0 && (matched === beginning.length || character !== beginning[matched]))
      matched = fallback[matched - 1] ?? 0;
    if (character === beginning[matched]) matched += 1;
  }
  return matched;
};

const areAlike = (one: string, other: string): boolean => {
  const [left, right] = [wordsOf(one), wordsOf(other)];
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared > 0 && shared / (left.size + right.size - shared) >= TITLES_ALIKE;
};

const wordsOf = (title: string): ReadonlySet<string> =>
  new Set((title.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).slice(0, TITLE_WORDS_MAX));

const nearGroups = <T extends Telling>(
  given: Measured<T>,
  onLine: ReadonlyMap<string, readonly Group<T>[]>,
  onQuote: ReadonlyMap<string, readonly Group<T>[]>,
): readonly Group<T>[] => {
  const near = new Set<Group<T>>(onQuote.get(quoteKey(given)));
  for (const line of linesOf(given)) {
    for (const group of onLine.get(`${line} ${given.path}`) ?? []) near.add(group);
  }
  return [...near];
};

/** Lines at which a telling is looked for, and looks for others. */
const linesOf = ({ line, endLine }: Measured): readonly number[] =>
  endLine - line >= LINES_MAX
    ? []
    : Array.from({ length: endLine - line + 1 }, (_, index) => line + index);

const quoteKey = ({ line, path, quote }: Measured): string => `${line} ${path}\n${quote}`;

const keep = <T extends Telling>(
  index: Map<string, Group<T>[]>,
  key: string,
  group: Group<T>,
): void => {
  const known = index.get(key);
  if (known === undefined) index.set(key, [group]);
  else if (known.length < CORES_MAX) known.push(group);
};

const sharesAny = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  return [...small].some((item) => large.has(item));
};
