/**
 * Text of others, made fit for one line of a terminal, a log or a prompt: what could move a cursor,
 * reorder what is shown or end the line is written out (`\u{1b}`), so that nothing is hidden and
 * nothing acts. Unpaired surrogates (bytes of a path that are not UTF-8, L6) are written out too.
 */
export const printable = (text: string, lengthMax = Number.POSITIVE_INFINITY): string => {
  const clipped = clip(text, lengthMax);
  return clipped.replace(UNPRINTABLE, writeOut);
};

/** The same for text of several lines: newlines stay, tabs become spaces. */
export const printableLines = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => printable(line.replaceAll('\t', '    ')))
    .join('\n');

/** The first `lengthMax` UTF-16 units, never half a character, with an ellipsis when cut. */
export const clip = (text: string, lengthMax: number): string => {
  if (text.length <= lengthMax) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(lengthMax - 2)) ? lengthMax - 2 : lengthMax - 1;
  return `${text.slice(0, end)}…`;
};

/** White space folded to single blanks and trimmed: two texts that differ only in layout are equal. */
export const foldSpace = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * Control and format characters (bidirectional marks among them), line and paragraph separators,
 * private use, and unpaired surrogates. Not the unassigned: those differ with the Unicode version.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

const writeOut = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
