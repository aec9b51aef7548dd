import type { ContentMark } from './inventory.ts';

/** What the bytes of one file say, whatever its name and place. */
export type ContentFacts = {
  readonly size: number;
  readonly encoding: 'text' | 'binary';
  /** Of text files; a last line without a newline counts. */
  readonly lines: number;
  readonly marks: readonly ContentMark[];
  /** The beginning of a text file, for shebangs and the like; empty for binary ones. */
  readonly head: string;
};

/** The facts of one file, from its bytes alone: the same bytes give the same facts anywhere. */
export const extractContent = (bytes: Uint8Array): ContentFacts => {
  const size = bytes.length;
  const start = bytes.subarray(0, HEAD_BYTES);
  if (isBinary(start)) return { size, encoding: 'binary', lines: 0, marks: [], head: '' };
  const lines = countLines(bytes);
  const head = lenientUtf8.decode(start);
  const marks: ContentMark[] = [];
  if (saysGenerated(head)) marks.push('generated');
  if (size >= MINIFIED_BYTES_MIN && size / Math.max(lines, 1) >= MINIFIED_LINE_BYTES) {
    marks.push('minified');
  }
  return { size, encoding: 'text', lines, marks, head };
};

/** The text of a file as all stages read it: UTF-8, broken bytes as U+FFFD, without a BOM. */
export const textOf = (bytes: Uint8Array): string => lenientUtf8.decode(bytes);

const lenientUtf8 = new TextDecoder('utf-8');

/** As far as git looks for a NUL byte. */
const HEAD_BYTES = 8000;
const MINIFIED_BYTES_MIN = 2000;
/** Mean bytes a line over which nobody wrote the file by hand. */
const MINIFIED_LINE_BYTES = 500;

/** Git's rule (a NUL byte), and PDF, whose beginning is text. */
const isBinary = (start: Uint8Array): boolean =>
  start.includes(0) || lenientUtf8.decode(start.subarray(0, 5)) === '%PDF-';

const NEWLINE = 10;

const countLines = (bytes: Uint8Array): number => {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
  return bytes.length > 0 && bytes[bytes.length - 1] !== NEWLINE ? lines + 1 : lines;
};

/**
 * Only a comment line near the top that says so in the words generators use. A file that talks
 * about generated code further down is written by hand.
 */
const saysGenerated = (head: string): boolean =>
  head
    .split('\n', GENERATED_LINES)
    .some((line) => COMMENT_START.test(line) && GENERATED_WORDS.test(line));

const GENERATED_LINES = 12;
const COMMENT_START = /^\s*(?:\/\/|\/\*|\*|#|--|;|<!--|%|"""|\{-|\(\*)/;
const GENERATED_WORDS =
  /@generated\b|<auto-?generated|\bauto-?generated\b.*\bdo not (?:edit|modify|change)\b|\bgenerated\b.*\bdo not (?:edit|modify)\b|\bdo not (?:edit|modify)\b.*\bgenerated\b|\bthis (?:file|code) (?:is|was|has been) (?:auto-?|automatically )?generated\b/i;
