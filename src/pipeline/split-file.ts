import { z } from 'zod';
import { fileRange } from '../domain/file-range.ts';
import { clip } from '../std/printable.ts';
import { markOf } from './stable-cuts.ts';
import { bytesPerToken, LINE_NUMBER_TOKENS, utf8Length } from './token-model.ts';

/** A definition of a file: its lines, from 1. */
export type DefinitionLines = { readonly line: number; readonly endLine: number };

/** One part of a file that is too large for a packet, and what a reader needs to understand it. */
export const filePart = fileRange.extend({
  /** Its number among the file's parts, from 1, and how many there are. */
  part: z.int().positive(),
  parts: z.int().positive(),
  /** Lines to be read with it: its own and some of its neighbours'. */
  around: z.strictObject({ line: z.int().positive(), endLine: z.int().positive() }),
  /** The first lines of the definitions that its first line is inside of, from the outside in. */
  inside: z.array(z.strictObject({ line: z.int().positive(), text: z.string() })),
  /** Estimated tokens of reading the lines around. */
  tokens: z.int().nonnegative(),
});
export type FilePart = z.infer<typeof filePart>;

export type SplitFile = {
  readonly parts: readonly FilePart[];
  /** Why it was cut, and where. */
  readonly reason: string;
};

/**
 * Cuts a file into parts of at most so many tokens, each with a few lines of its neighbours. It cuts
 * where the fewest definitions are open, rather after a blank line, and in the second half of what
 * would fit. A line that does not fit by itself is cut by bytes, as a last resort.
 *
 * The parts tile the file: their lines (and bytes of a line) follow each other, all of them are in one.
 * Linear in the lines of the file.
 *
 * @param definitions the file's own; they say where a cut hurts least. None: by indentation.
 */
export const splitFile = (given: {
  readonly path: string;
  readonly language: string;
  readonly lines: readonly string[];
  readonly definitions: readonly DefinitionLines[];
  readonly tokensMax: number;
}): SplitFile => {
  const { path, lines, language } = given;
  const ratio = bytesPerToken(language);
  const costs = lines.map((line) => (utf8Length(line) + 1) / ratio + LINE_NUMBER_TOKENS);
  const contentMax = given.tokensMax * CONTENT_SHARE;
  const stretches: Stretch[] = [];
  const cuts = cutCostsOf(given);
  let isByBytes = false;
  for (let start = 0; start < lines.length;) {
    if ((costs[start] ?? 0) > contentMax) {
      isByBytes = true;
      const bytesMax = Math.max(1, Math.floor((contentMax - LINE_NUMBER_TOKENS) * ratio));
      for (const bytes of cutLine(lines[start] ?? '', bytesMax)) {
        stretches.push({ start, end: start + 1, bytes });
      }
      start += 1;
      continue;
    }
    const end = cutAfter(start, costs, contentMax, cuts);
    stretches.push({ start, end });
    start = end;
  }
  const enclosing = createEnclosing(given.definitions, lines);
  return {
    parts: stretches.map(({ start, end, bytes }, index) => {
      const overlapMax = given.tokensMax * OVERLAP_SHARE;
      const around =
        bytes === undefined
          ? {
              line: start + 1 - reach(costs, start - 1, -1, overlapMax),
              endLine: end + reach(costs, end, 1, overlapMax),
            }
          : { line: start + 1, endLine: end };
      return {
        path,
        line: start + 1,
        endLine: end,
        ...(bytes !== undefined && { bytes }),
        part: index + 1,
        parts: stretches.length,
        around,
        inside: enclosing(start + 1),
        tokens:
          bytes === undefined
            ? Math.ceil(sumOf(costs, around.line - 1, around.endLine))
            : Math.ceil((bytes.to - bytes.from) / ratio + LINE_NUMBER_TOKENS),
      };
    }),
    reason: isByBytes ? BY_BYTES : BY_LINES,
  };
};

const BY_LINES = 'larger than a packet: cut between definitions where it can be';
const BY_BYTES = 'larger than a packet, with a line that is so by itself: that one is cut by bytes';

/** Of a part's tokens; the rest is for lines of its neighbours, half of it on each side. */
const CONTENT_SHARE = 0.9;
const OVERLAP_SHARE = 0.05;
const OVERLAP_LINES_MAX = 20;

/** Lines from 0, `end` not included. */
type Stretch = {
  readonly start: number;
  readonly end: number;
  readonly bytes?: { readonly from: number; readonly to: number };
};

/** Where the stretch that begins at `start` ends: the best place in the second half of what fits. */
const cutAfter = (
  start: number,
  costs: readonly number[],
  costMax: number,
  { depths, marks }: CutCosts,
): number => {
  let end = start;
  let sum = 0;
  let half = start;
  while (end < costs.length && sum + (costs[end] ?? 0) <= costMax) {
    sum += costs[end] ?? 0;
    end += 1;
    if (sum <= costMax / 2) half = end;
  }
  // The rest of the file, or all before a line that is cut by itself.
  if (end === costs.length || (costs[end] ?? 0) > costMax) return end;
  let best = end;
  for (let at = Math.max(half, start + 1); at < end; at += 1) {
    const [depth = 0, bestDepth = 0] = [depths[at], depths[best]];
    // Equally good places are chosen by what stands there, so that an edit moves few of them.
    if (depth < bestDepth || (depth === bestDepth && marks(at) < marks(best))) best = at;
  }
  return best;
};

type CutCosts = {
  /** What a cut before a line (from 0) hurts. */
  readonly depths: readonly number[];
  readonly marks: (at: number) => number;
};

const cutCostsOf = (given: {
  readonly lines: readonly string[];
  readonly definitions: readonly DefinitionLines[];
}): CutCosts => {
  const { lines, definitions } = given;
  const changes = Array.from({ length: lines.length + 2 }, () => 0);
  for (const { line, endLine } of definitions) {
    // Cuts before its second line up to its last one are inside of it.
    if (endLine <= line) continue;
    changes[line] = (changes[line] ?? 0) + 2;
    changes[endLine] = (changes[endLine] ?? 0) - 2;
  }
  let open = 0;
  const depths = lines.map((_, at) => {
    open += changes[at] ?? 0;
    return open + ((lines[at - 1] ?? '').trim() === '' ? 0 : 1);
  });
  const marks = new Map<number, number>();
  return {
    depths,
    marks: (at) => {
      let mark = marks.get(at);
      if (mark === undefined) {
        mark = markOf((lines[at] ?? '').slice(0, MARK_LENGTH));
        marks.set(at, mark);
      }
      return mark;
    },
  };
};

const MARK_LENGTH = 200;

/** How many lines, from one on in one direction, the overlap has room for. */
const reach = (costs: readonly number[], from: number, step: 1 | -1, costMax: number): number => {
  let count = 0;
  let sum = 0;
  for (let at = from; at >= 0 && at < costs.length && count < OVERLAP_LINES_MAX; at += step) {
    sum += costs[at] ?? 0;
    if (sum > costMax) break;
    count += 1;
  }
  return count;
};

const sumOf = (costs: readonly number[], from: number, to: number): number => {
  let sum = 0;
  for (let at = from; at < to; at += 1) sum += costs[at] ?? 0;
  return sum;
};

/** Pieces of a line, in bytes; between characters. */
const cutLine = (
  line: string,
  bytesMax: number,
): readonly { readonly from: number; readonly to: number }[] => {
  const pieces: { from: number; to: number }[] = [];
  let from = 0;
  let to = 0;
  for (const character of line) {
    const size = utf8Length(character);
    if (to > from && to + size - from > bytesMax) {
      pieces.push({ from, to });
      from = to;
    }
    to += size;
  }
  if (to > from) pieces.push({ from, to });
  return pieces;
};

const HEADERS_MAX = 3;
const HEADER_LENGTH = 120;

/** For lines that only go up: the definitions around each. */
const createEnclosing = (definitions: readonly DefinitionLines[], lines: readonly string[]) => {
  const sorted = definitions.toSorted(
    (left, right) => left.line - right.line || right.endLine - left.endLine,
  );
  let next = 0;
  let open: DefinitionLines[] = [];
  return (line: number): FilePart['inside'] => {
    for (; (sorted[next]?.line ?? Infinity) < line; next += 1) {
      const definition = sorted[next];
      if (definition !== undefined && definition.endLine >= line) open.push(definition);
    }
    open = open.filter(({ endLine }) => endLine >= line);
    return open.slice(0, HEADERS_MAX).map((definition) => ({
      line: definition.line,
      text: clip((lines[definition.line - 1] ?? '').trim(), HEADER_LENGTH),
    }));
  };
};
