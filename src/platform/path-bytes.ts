/**
 * File names are bytes; the log holds text. Bytes that are not UTF-8 stand as U+DC80..U+DCFF, as
 * Python's surrogateescape does (L6), so that every name comes back as the bytes it was.
 */
export const pathFromBytes = (bytes: Uint8Array): string => {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return decodeEscaping(bytes);
  }
};

/** The bytes of a path made by `pathFromBytes`. */
export const pathToBytes = (path: string): Buffer => {
  if (!HAS_ESCAPE.test(path)) return Buffer.from(path, 'utf8');
  const pieces: Buffer[] = [];
  // Iterating by code points leaves real surrogate pairs whole: a lone one is an escaped byte.
  for (const character of path) {
    const code = character.codePointAt(0) ?? 0;
    pieces.push(
      code >= 0xdc80 && code <= 0xdcff ? Buffer.of(code - 0xdc00) : Buffer.from(character, 'utf8'),
    );
  }
  return Buffer.concat(pieces);
};

/** Whether the path can be given to programs as an argument: Node passes arguments as UTF-8. */
export const isPlainText = (path: string): boolean => !HAS_ESCAPE.test(path);

/** `ignoreBOM` keeps a leading U+FEFF, which is a legal part of a name. */
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const HAS_ESCAPE = /(?<![\uD800-\uDBFF])[\uDC80-\uDCFF]/;

const decodeEscaping = (bytes: Uint8Array): string => {
  let text = '';
  let from = 0;
  while (from < bytes.length) {
    const length = sequenceLength(bytes, from);
    const piece = length === 0 ? undefined : bytes.subarray(from, from + length);
    text += piece === undefined ? escapeByte(bytes[from] ?? 0) : strictUtf8.decode(piece);
    from += Math.max(length, 1);
  }
  return text;
};

const escapeByte = (byte: number): string => String.fromCharCode(0xdc00 + byte);

/** Length of the well-formed UTF-8 sequence at `from`, or 0 when there is none. */
const sequenceLength = (bytes: Uint8Array, from: number): number => {
  const first = bytes[from] ?? 0;
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (length === 0 || from + length > bytes.length) return 0;
  try {
    strictUtf8.decode(bytes.subarray(from, from + length));
    return length;
  } catch {
    return 0;
  }
};
