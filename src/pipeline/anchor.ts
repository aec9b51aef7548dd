import { foldSpace } from '../std/printable.ts';
import { definitionsOf } from './definitions.ts';

/** A file's text, prepared once so that any number of quotes can be looked for in it. */
export type AnchorText = {
  /**
   * Finds a quote again, white space folded, and takes the place nearest to the line that was
   * stated (the upper one of two equally near). Undefined when no place is shown by the quote:
   *
   *   Q1  it does not stand in the file (or in `within`, the only lines that are asked about)
   *   Q2  a telling quote that stands once is found however far away: reviewers count lines badly.
   *       One that stands a few times must be stated within 30 lines of a place, since the nearest of
   *       several far ones is a guess; one that stands many times, within 3
   *   Q3  a slight quote (no word, or hardly a character) says nothing by itself: it must stand on
   *       the very line that was stated, or once in the file and within 3 lines of it. Without any
   *       letter or digit (`}`) only the latter
   */
  readonly find: (quote: string, statedLine: number, within?: Lines) => Anchor | undefined;
  /** Whether a quote stands anywhere in the file, whatever that shows. */
  readonly holds: (quote: string) => boolean;
};

type Lines = { readonly line: number; readonly endLine: number };

/** Where a quote really stands. Lines from 1. */
export type Anchor = {
  readonly line: number;
  readonly endLine: number;
  /** Names of the definitions around it; see `definitionsOf`. */
  readonly definition: string;
  /**
   * What comes after it in the same definition: the next line with a word that is no comment and is not
   * the same quote again. Empty when there is none.
   */
  readonly follows: string;
  /** When the same quote stands more than once in the definition: which of them it is. */
  readonly twin?: {
    /** How many with the same line after them stand below it in the definition. */
    readonly below: number;
  };
};

export const prepareAnchorText = (text: string): AnchorText => {
  const lines = splitLines(text);
  const folded = foldLines(lines);
  let definitions: readonly string[] | undefined;
  // The same short quote may be stated hundreds of times; its places are looked for once.
  const known = new Map<string, readonly Anchor[]>();
  const placesFor = (wanted: string): readonly Anchor[] => {
    let places = known.get(wanted);
    if (places === undefined) {
      definitions ??= definitionsOf(lines);
      places = placesOf(folded, definitions, wanted);
      known.set(wanted, places);
    }
    return places;
  };
  return {
    find: (quote, statedLine, within) => {
      const wanted = foldSpace(quote);
      if (wanted === '') return undefined;
      const places = placesFor(wanted);
      const asked =
        within === undefined
          ? places
          : places.filter(({ line }) => line >= within.line && line <= within.endLine);
      return shownPlace(wanted, asked, statedLine);
    },
    holds: (quote) => {
      const wanted = foldSpace(quote);
      return wanted !== '' && folded.text.includes(wanted);
    },
  };
};

const shownPlace = (
  wanted: string,
  places: readonly Anchor[],
  statedLine: number,
): Anchor | undefined => {
  const place = nearest(places, statedLine);
  if (place === undefined) return undefined;
  const away = Math.max(place.line - statedLine, statedLine - place.endLine, 0);
  if (isTelling(wanted)) {
    if (places.length === 1) return place;
    return away <= (places.length <= FEW ? REACH_LINES : NEAR_LINES) ? place : undefined;
  }
  if (away === 0 && WORD_CHARACTER.test(wanted)) return place;
  return places.length === 1 && away <= NEAR_LINES ? place : undefined;
};

/** Source text says something from about the length of `x = y;` on, and with a word in it. */
const isTelling = (wanted: string): boolean =>
  wanted.replaceAll(' ', '').length >= TELLING_LENGTH && /[\p{L}_$][\p{L}\p{N}_$]/u.test(wanted);

const TELLING_LENGTH = 6;
const WORD_CHARACTER = /[\p{L}\p{N}]/u;
const FEW = 5;
const REACH_LINES = 30;
const NEAR_LINES = 3;

/** A text with white space folded to single blanks, and for each line (from 0) where it starts. */
type FoldedText = {
  readonly text: string;
  readonly starts: readonly number[];
  readonly lines: readonly string[];
};

const foldLines = (lines: readonly string[]): FoldedText => {
  const starts: number[] = [];
  const parts: string[] = [];
  const each: string[] = [];
  let length = 0;
  for (const line of lines) {
    const folded = foldSpace(line);
    starts.push(length);
    each.push(folded);
    if (folded === '') continue;
    parts.push(folded);
    length += folded.length + 1;
  }
  return { text: parts.join(' '), starts, lines: each };
};

/** Places that do not overlap, from the top: the cost is that of one pass over the file. */
const placesOf = (
  folded: FoldedText,
  definitions: readonly string[],
  wanted: string,
): readonly Anchor[] => {
  const { text, starts } = folded;
  const spans: Span[] = [];
  for (let offset = text.indexOf(wanted); offset !== -1;) {
    const end = offset + wanted.length - 1;
    const line = lineAt(starts, offset);
    spans.push({ line, endLine: lineAt(starts, end), definition: definitions[line - 1] ?? '' });
    offset = text.indexOf(wanted, end + 1);
  }
  return withTwins(spans, folded.lines, definitions);
};

type Span = Pick<Anchor, 'line' | 'endLine' | 'definition'>;

/**
 * Tells equal statements of one definition apart by what comes after them, and only those with the same
 * after them by their number, from below: so neither changes its name when another such statement
 * comes above it, and none takes the name of one that is gone.
 */
const withTwins = (
  spans: readonly Span[],
  lines: readonly string[],
  definitions: readonly string[],
): readonly Anchor[] => {
  const inDefinition = new Map<string, number>();
  for (const { definition } of spans) {
    inDefinition.set(definition, (inDefinition.get(definition) ?? 0) + 1);
  }
  const seen = new Map<string, number>();
  const anchors: Anchor[] = [];
  let lower: Anchor | undefined;
  for (const span of spans.toReversed()) {
    const { definition } = span;
    const next = nextTelling(lines, definitions, span, lower?.line);
    // A row of equal statements is one step from the line after the row.
    const follows = next.isAgain ? (lower?.follows ?? '') : next.text;
    if ((inDefinition.get(definition) ?? 0) < 2) {
      lower = { ...span, follows };
    } else {
      const key = `${definition}\n${follows}`;
      const below = seen.get(key) ?? 0;
      seen.set(key, below + 1);
      lower = { ...span, follows, twin: { below } };
    }
    anchors.push(lower);
  }
  return anchors.toReversed();
};

/** The next line of the definition that says something, or that it is where the quote stands again. */
const nextTelling = (
  lines: readonly string[],
  definitions: readonly string[],
  { definition, endLine }: Span,
  again: number | undefined,
): { readonly text: string; readonly isAgain: boolean } => {
  for (let line = endLine + 1; line <= Math.min(lines.length, endLine + LOOK_LINES); line += 1) {
    if (definitions[line - 1] !== definition) break;
    if (line === again) return { text: '', isAgain: true };
    const text = lines[line - 1] ?? '';
    if (WORD_CHARACTER.test(text) && !COMMENT.test(text)) return { text, isAgain: false };
  }
  return { text: '', isAgain: false };
};

/** Lines of nothing but comment, in most languages. A wrong guess is wrong in the same way each time. */
const COMMENT = /^(?:\/\/|\/\*|\*|#(?!\[)|--|<!--|;;|%|""")/;
/** Keeps the cost of a place bounded where comments are long. */
const LOOK_LINES = 50;

/** Of places from the top: the last that starts above the line, or the first that does not. */
const nearest = (places: readonly Anchor[], line: number): Anchor | undefined => {
  const below = firstIndex(places.length, (index) => (places[index]?.line ?? 0) >= line);
  const upper = places[below - 1];
  const lower = places[below];
  if (upper === undefined || lower === undefined) return lower ?? upper;
  return line - upper.endLine <= lower.line - line ? upper : lower;
};

/** The line (from 1) that holds an offset: the last one that starts at it or before it. */
const lineAt = (starts: readonly number[], offset: number): number =>
  firstIndex(starts.length, (index) => (starts[index] ?? 0) > offset);

/** The first index for which `holds`, when it holds for all after one that it holds for. */
const firstIndex = (length: number, holds: (index: number) => boolean): number => {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** Lines as the inventory counts them: a newline at the very end starts no further line. */
const splitLines = (text: string): readonly string[] => {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
};
