import { foldSpace } from '../std/printable.ts';
import { definitionsOf } from './definitions.ts';

/** A file's text, prepared once so that any number of quotes can be looked for in it. */
export type AnchorText = {
  /**
   * Finds a quote again, white space folded, and takes the place nearest to the line that was
   * stated (the upper one of two equally near). Undefined when the file does not hold the quote.
   */
  readonly find: (quote: string, statedLine: number) => Anchor | undefined;
};

/** Where a quote really stands. Lines from 1. */
export type Anchor = {
  readonly line: number;
  readonly endLine: number;
  /** Names of the definitions around it; see `definitionsOf`. */
  readonly definition: string;
  /** How many times the same quote stands above it in the same definition. */
  readonly ordinal: number;
};

export const prepareAnchorText = (text: string): AnchorText => {
  const lines = splitLines(text);
  const folded = foldLines(lines);
  let definitions: readonly string[] | undefined;
  // The same short quote may be stated hundreds of times; its places are looked for once.
  const known = new Map<string, readonly Anchor[]>();
  return {
    find: (quote, statedLine) => {
      const wanted = foldSpace(quote);
      if (wanted === '') return undefined;
      let places = known.get(wanted);
      if (places === undefined) {
        definitions ??= definitionsOf(lines);
        places = placesOf(folded, definitions, wanted);
        known.set(wanted, places);
      }
      return nearest(places, statedLine);
    },
  };
};

/** A text with white space folded to single blanks, and for each line (from 0) where it starts. */
type FoldedText = { readonly text: string; readonly starts: readonly number[] };

const foldLines = (lines: readonly string[]): FoldedText => {
  const starts: number[] = [];
  const parts: string[] = [];
  let length = 0;
  for (const line of lines) {
    const folded = foldSpace(line);
    starts.push(length);
    if (folded === '') continue;
    parts.push(folded);
    length += folded.length + 1;
  }
  return { text: parts.join(' '), starts };
};

/** Places that do not overlap, from the top: the cost is that of one pass over the file. */
const placesOf = (
  { text, starts }: FoldedText,
  definitions: readonly string[],
  wanted: string,
): readonly Anchor[] => {
  const places: Anchor[] = [];
  const seen = new Map<string, number>();
  for (let offset = text.indexOf(wanted); offset !== -1;) {
    const end = offset + wanted.length - 1;
    const line = lineAt(starts, offset);
    const definition = definitions[line - 1] ?? '';
    const ordinal = seen.get(definition) ?? 0;
    seen.set(definition, ordinal + 1);
    places.push({ line, endLine: lineAt(starts, end), definition, ordinal });
    offset = text.indexOf(wanted, end + 1);
  }
  return places;
};

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
