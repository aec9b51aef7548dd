import { decodePieces, PIECE_BYTES, type Charset } from './charset.ts';
import { saysGenerated } from './generated-marks.ts';
import type { ContentMark } from './inventory.ts';
import { createLineCounter, type LineEnds } from './text-lines.ts';

/** What the bytes of one file say, whatever its name and place. */
export type ContentFacts = {
  readonly size: number;
  readonly encoding: 'text' | 'binary';
  /** Of text files. */
  readonly charset?: Charset;
  readonly lineEnds?: LineEnds;
  /** Of text files; a last line without an end counts. */
  readonly lines: number;
  readonly marks: readonly ContentMark[];
  /** The beginning of a text, for shebangs and the like; empty for binary ones. */
  readonly head: string;
  /** Its end, where some editors look for their settings. */
  readonly tail: string;
};

export type ContentScan = {
  /** Takes the next piece: `PIECE_BYTES`, only the last one less. */
  readonly take: (piece: Uint8Array) => void;
  readonly end: () => ContentFacts;
};

/** The facts of one file, from its bytes alone: the same bytes give the same facts anywhere. */
export const extractContent = (bytes: Uint8Array): ContentFacts => {
  const scan = createContentScan();
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    scan.take(bytes.subarray(from, from + PIECE_BYTES));
  }
  return scan.end();
};

/** The same for a file of any size, in the memory of a few pieces. */
export const createContentScan = (): ContentScan => {
  let size = 0;
  let pieces: ReturnType<typeof decodePieces>;
  let head = '';
  let tail = '';
  let isBlank = true;
  const counter = createLineCounter();

  const takeText = (text: string): void => {
    if (head.length < HEAD_CHARACTERS) head += text.slice(0, HEAD_CHARACTERS - head.length);
    tail = `${tail}${text.slice(-TAIL_CHARACTERS)}`.slice(-TAIL_CHARACTERS);
    isBlank &&= !/\S/.test(text);
    counter.take(text);
  };

  return {
    take: (piece) => {
      if (size === 0) pieces = decodePieces(piece);
      size += piece.length;
      if (pieces !== undefined) takeText(pieces.take(piece));
    },
    end: () => {
      if (size > 0 && pieces === undefined) return { ...BINARY, size };
      const { rest, charset } = pieces?.end() ?? { rest: '', charset: 'utf-8' as const };
      takeText(rest);
      const { lines, ends } = counter.end();
      const marks: ContentMark[] = [];
      if (saysGenerated(head)) marks.push('generated');
      if (size >= MINIFIED_BYTES_MIN && size / Math.max(lines, 1) >= MINIFIED_LINE_BYTES) {
        marks.push('minified');
      }
      if (size > 0 && isBlank) marks.push('blank');
      if (head.startsWith(LFS_POINTER)) marks.push('lfs-pointer');
      return {
        size,
        encoding: 'text',
        charset,
        ...(ends !== undefined && { lineEnds: ends }),
        lines,
        marks,
        head,
        tail,
      };
    },
  };
};

/**
 * The text of a file as all stages read it, without a byte order mark. What is not text at all is
 * read as UTF-8, with U+FFFD for what cannot be.
 */
export const textOf = (bytes: Uint8Array): string => {
  const pieces = decodePieces(bytes);
  if (pieces === undefined) return new TextDecoder('utf-8').decode(bytes);
  let text = '';
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    text += pieces.take(bytes.subarray(from, from + PIECE_BYTES));
  }
  return text + pieces.end().rest;
};

const BINARY = { encoding: 'binary', lines: 0, marks: [], head: '', tail: '' } as const;

/** Enough to come past a licence to what tells languages apart. */
const HEAD_CHARACTERS = 32_000;
const TAIL_CHARACTERS = 2000;
const MINIFIED_BYTES_MIN = 2000;
/** Mean bytes a line over which nobody wrote the file by hand. */
const MINIFIED_LINE_BYTES = 500;

/** What git keeps in place of a large file. */
const LFS_POINTER = 'version https://git-lfs.github.com/spec/';
