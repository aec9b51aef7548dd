import { z } from 'zod';

/**
 * How the text of a file is written down. `latin-1` stands for every 8-bit form that is not UTF-8:
 * its letters may be read wrongly, its lines and its ASCII never are.
 */
export const charset = z.enum(['utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be', 'latin-1']);
export type Charset = z.infer<typeof charset>;

/** Bytes from which it is decided what a file is: as far as git looks for a NUL. */
export const SNIFFED_BYTES = 8000;

/** Files are decoded in pieces of this size, so that one of any size needs no more memory. */
export const PIECE_BYTES = 1 << 20;

/** The text of a file, piece by piece. */
export type TextPieces = {
  /** The text of the next piece; the first must hold `SNIFFED_BYTES`, if the file has as many. */
  readonly take: (piece: Uint8Array) => string;
  /** What a cut character at the end comes to, and what all of it was written in. */
  readonly end: () => { readonly rest: string; readonly charset: Charset };
};

/** @returns undefined when the bytes are not text. @param start the beginning of the file. */
export const decodePieces = (start: Uint8Array): TextPieces | undefined => {
  const form = sniff(start);
  if (form === 'binary') return undefined;
  return form === 'utf-16le' || form === 'utf-16be'
    ? decodeUtf16(form)
    : decodeBytes(form === 'utf-8-bom');
};

const decodeUtf16 = (name: 'utf-16le' | 'utf-16be'): TextPieces => {
  const decoder = new TextDecoder(name);
  return {
    take: (piece) => decoder.decode(piece, { stream: true }),
    end: () => ({ rest: decoder.decode(), charset: name }),
  };
};

/**
 * UTF-8 until a byte is none. In the piece where that happens it is counted which reading explains
 * more: a UTF-8 text with a few broken bytes stays one, anything else is taken byte by byte.
 */
const decodeBytes = (hasMark: boolean): TextPieces => {
  let carried: Uint8Array = NOTHING;
  let isFirst = true;
  let hasWideCharacters = false;
  let fallback:
    { readonly decoder: InstanceType<typeof TextDecoder>; readonly isUtf8: boolean } | undefined;

  const fallBack = (bytes: Uint8Array, isUtf8: boolean): string => {
    fallback = { decoder: new TextDecoder(isUtf8 ? 'utf-8' : 'windows-1252'), isUtf8 };
    return fallback.decoder.decode(bytes, { stream: true });
  };

  return {
    take: (piece) => {
      if (fallback !== undefined) return fallback.decoder.decode(piece, { stream: true });
      const bytes = carried.length === 0 ? piece : joined(carried, piece);
      const whole = wholeLength(bytes);
      try {
        const text = (isFirst ? strictUtf8 : strictUtf8Later).decode(bytes.subarray(0, whole));
        isFirst = false;
        hasWideCharacters ||= text.length < whole;
        carried = whole === bytes.length ? NOTHING : bytes.slice(whole);
        return text;
      } catch {
        carried = NOTHING;
        return fallBack(bytes, isMostlyUtf8(bytes));
      }
    },
    end: () => {
      let rest = '';
      if (carried.length > 0) rest = fallBack(carried, hasWideCharacters);
      rest += fallback?.decoder.decode() ?? '';
      const isUtf8 = fallback?.isUtf8 ?? true;
      return { rest, charset: isUtf8 ? (hasMark ? 'utf-8-bom' : 'utf-8') : 'latin-1' };
    },
  };
};

const NOTHING = new Uint8Array();
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });
/** Later pieces keep a U+FEFF at their start: there it is no mark. */
const strictUtf8Later = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const joined = (head: Uint8Array, tail: Uint8Array): Uint8Array => {
  const all = new Uint8Array(head.length + tail.length);
  all.set(head);
  all.set(tail, head.length);
  return all;
};

/** Without a UTF-8 sequence that the end cuts, if it is one. */
const wholeLength = (bytes: Uint8Array): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) {
      const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return wanted > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
};

const isMostlyUtf8 = (bytes: Uint8Array): boolean => {
  const text = new TextDecoder('utf-8').decode(bytes);
  const broken = text.match(/\uFFFD/g)?.length ?? 0;
  const read = text.match(/[\u0080-\uFFFC\uFFFE\uFFFF]/g)?.length ?? 0;
  return read > broken;
};

type Sniffed = 'binary' | 'bytes' | Exclude<Charset, 'utf-8' | 'latin-1'>;

const sniff = (bytes: Uint8Array): Sniffed => {
  const start = bytes.subarray(0, SNIFFED_BYTES);
  const [first, second, third] = start;
  if (first === 0xff && second === 0xfe) return asUtf16(start, 'utf-16le');
  if (first === 0xfe && second === 0xff) return asUtf16(start, 'utf-16be');
  if (start.includes(0)) return asUtf16(start, sideOfZeros(start));
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8-bom';
  const isBinary =
    BINARY_STARTS.some((magic) => magic.every((byte, index) => byte === start[index])) ||
    hasManyControls(start.subarray(0, CONTROL_BYTES)) ||
    isNoise(start.subarray(0, CONTROL_BYTES));
  return isBinary ? 'binary' : 'bytes';
};

/** UTF-16 in Latin letters without a mark has its zeros on one side only. */
const sideOfZeros = (start: Uint8Array): 'utf-16le' | 'utf-16be' | undefined => {
  if (start.length < UNMARKED_BYTES_MIN) return undefined;
  let even = 0;
  let odd = 0;
  for (const [index, byte] of start.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  if (Math.min(even, odd) > 0 || Math.max(even, odd) * 5 < start.length) return undefined;
  return odd > 0 ? 'utf-16le' : 'utf-16be';
};

/** In fewer bytes anything looks like it. */
const UNMARKED_BYTES_MIN = 16;

const asUtf16 = (start: Uint8Array, name: 'utf-16le' | 'utf-16be' | undefined): Sniffed => {
  if (name === undefined) return 'binary';
  let end = start.length - (start.length % 2);
  // Not in the middle of a character: its first half is D8 to DB.
  const half = start[end - (name === 'utf-16le' ? 1 : 2)] ?? 0;
  if (half >= 0xd8 && half <= 0xdb) end -= 2;
  try {
    const text = new TextDecoder(name, { fatal: true }).decode(start.subarray(0, end));
    const codes = Array.from(text, (character) => character.charCodeAt(0));
    return codes.includes(0) || hasManyControls(codes) ? 'binary' : name;
  } catch {
    return 'binary';
  }
};

/** Of ten characters more than one that no text holds: tabs, line ends and escapes aside. */
const hasManyControls = (codes: readonly number[] | Uint8Array): boolean =>
  countControls(codes) * 10 > codes.length;

/** In 8-bit letters of any language one of fifty is too many: noise has five. */
const isNoise = (start: Uint8Array): boolean =>
  countControls(start) * 50 > start.length && !isUtf8(start);

const isUtf8 = (start: Uint8Array): boolean => {
  try {
    strictUtf8.decode(start.subarray(0, wholeLength(start)));
    return true;
  } catch {
    return false;
  }
};

const countControls = (codes: readonly number[] | Uint8Array): number => {
  let controls = 0;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code < 8 || (code > 13 && code < 32 && code !== 27)) controls += 1;
  }
  return controls;
};

/** A binary format is one from its start on. */
const CONTROL_BYTES = 1000;

/** Formats that may go without a NUL for long, told by their first bytes. */
const BINARY_STARTS: readonly (readonly number[])[] = [
  [0x25, 0x50, 0x44, 0x46, 0x2d], // %PDF-
  [0x47, 0x49, 0x46, 0x38], // GIF8
  [0x89, 0x50, 0x4e, 0x47], // PNG
  [0xff, 0xd8, 0xff], // JPEG
  [0x50, 0x4b, 0x03, 0x04], // zip
  [0x50, 0x4b, 0x05, 0x06], // an empty zip
  [0x1f, 0x8b, 0x08], // gzip
  [0xfd, 0x37, 0x7a, 0x58, 0x5a], // xz
  [0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59], // bzip2
  [0x28, 0xb5, 0x2f, 0xfd], // zstd
];
