/**
 * Reads a JSON document out of the middle of a text, with what people and models add to JSON: comments,
 * commas before a closing bracket, line breaks inside of texts. Nothing that would be a guess: no missing
 * quotes, colons or brackets. It ends where the document ends, or where the text does.
 */
export type LenientJson =
  | {
      readonly kind: 'read';
      readonly value: unknown;
      /** Offset after the document. */
      readonly end: number;
      /** What had to be overlooked, in the order of `OVERLOOKED`. */
      readonly overlooked: readonly Overlooked[];
      /** Containers that the end of the text has cut; only the outermost may be of use. */
      readonly cut: ReadonlySet<object>;
    }
  | { readonly kind: 'none'; readonly end: number };

export const OVERLOOKED = ['comments', 'trailing commas', 'line breaks in texts'] as const;
export type Overlooked = (typeof OVERLOOKED)[number];

/** @param start offset of a `{` or `[`. Cost: the length of what is read, once. */
export const readLenientJson = (text: string, start: number): LenientJson => {
  const reader: Reader = { text, at: start, overlooked: new Set(), cut: new Set() };
  const value = readValue(reader, 0);
  if (value === FAILED || value === ENDED) return { kind: 'none', end: reader.at };
  return {
    kind: 'read',
    value,
    end: reader.at,
    overlooked: OVERLOOKED.filter((one) => reader.overlooked.has(one)),
    cut: reader.cut,
  };
};

type Reader = {
  readonly text: string;
  at: number;
  readonly overlooked: Set<Overlooked>;
  readonly cut: Set<object>;
};

/** No JSON stands here; the text ends before a value does. A container that is cut is a value. */
const FAILED = Symbol('failed');
const ENDED = Symbol('ended');

/** Answers are a few levels deep; what is deeper is not one, and would cost stack. */
const DEPTH_MAX = 64;

const readValue = (reader: Reader, depth: number): unknown => {
  if (!skipBlank(reader)) return ENDED;
  const character = reader.text[reader.at];
  if (character === '{' || character === '[') {
    if (depth >= DEPTH_MAX) return FAILED;
    return character === '{' ? readObject(reader, depth) : readArray(reader, depth);
  }
  if (character === '"') return readText(reader);
  return readWord(reader);
};

const readObject = (reader: Reader, depth: number): unknown => {
  const fields: Record<string, unknown> = {};
  reader.at += 1;
  for (let count = 0; ; count += 1) {
    const next = nextItem(reader, '}', count);
    if (next === 'closed') return fields;
    if (next === 'failed') return FAILED;
    const key = next === 'ended' ? ENDED : readKey(reader);
    if (key === FAILED) return FAILED;
    const value = typeof key === 'string' ? readValue(reader, depth + 1) : ENDED;
    if (value === FAILED) return FAILED;
    if (typeof key !== 'string' || value === ENDED) return cutOff(reader, fields);
    // Not by assignment: a key may be `__proto__`.
    Object.defineProperty(fields, key, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
    if (isCut(reader, value)) return cutOff(reader, fields);
  }
};

const readArray = (reader: Reader, depth: number): unknown => {
  const items: unknown[] = [];
  reader.at += 1;
  for (let count = 0; ; count += 1) {
    const next = nextItem(reader, ']', count);
    if (next === 'closed') return items;
    if (next === 'failed') return FAILED;
    const value = next === 'ended' ? ENDED : readValue(reader, depth + 1);
    if (value === FAILED) return FAILED;
    if (value === ENDED) return cutOff(reader, items);
    items.push(value);
    if (isCut(reader, value)) return cutOff(reader, items);
  }
};

const cutOff = (reader: Reader, container: object): object => {
  reader.cut.add(container);
  return container;
};
const isCut = (reader: Reader, value: unknown): boolean =>
  typeof value === 'object' && value !== null && reader.cut.has(value);

/** Goes to the next item of a container, over its comma. */
const nextItem = (
  reader: Reader,
  close: '}' | ']',
  count: number,
): 'item' | 'closed' | 'ended' | 'failed' => {
  if (!skipBlank(reader)) return 'ended';
  if (count > 0 && reader.text[reader.at] === ',') {
    reader.at += 1;
    if (!skipBlank(reader)) return 'ended';
    if (reader.text[reader.at] !== close) return 'item';
    reader.overlooked.add('trailing commas');
  } else if (count > 0 && reader.text[reader.at] !== close) {
    return 'failed';
  }
  if (reader.text[reader.at] !== close) return 'item';
  reader.at += 1;
  return 'closed';
};

const readKey = (reader: Reader): string | typeof FAILED | typeof ENDED => {
  if (reader.text[reader.at] !== '"') return FAILED;
  const key = readText(reader);
  if (typeof key !== 'string') return key;
  if (!skipBlank(reader)) return ENDED;
  if (reader.text[reader.at] !== ':') return FAILED;
  reader.at += 1;
  return key;
};

/** The plain part of a text, its control characters told apart from it. */
const PLAIN = /[^"\\]*/y;

const readText = (reader: Reader): string | typeof FAILED | typeof ENDED => {
  const from = reader.at;
  let at = from + 1;
  for (;;) {
    PLAIN.lastIndex = at;
    at += PLAIN.exec(reader.text)?.[0].length ?? 0;
    if (at >= reader.text.length) {
      reader.at = reader.text.length;
      return ENDED;
    }
    if (reader.text[at] === '"') break;
    at += 2;
  }
  reader.at = at + 1;
  const written = reader.text.slice(from, at + 1);
  // Control characters other than these are no slip of a writer.
  const escaped = written.replace(/[\n\r\t]/g, (one) => ESCAPES[one as keyof typeof ESCAPES]);
  if (escaped !== written) reader.overlooked.add('line breaks in texts');
  return parsedOr(escaped, FAILED) as string | typeof FAILED;
};

const ESCAPES = { '\n': '\\n', '\r': '\\r', '\t': '\\t' } as const;

const WORD = /[-+.\w]*/y;

const readWord = (reader: Reader): unknown => {
  WORD.lastIndex = reader.at;
  const word = WORD.exec(reader.text)?.[0] ?? '';
  reader.at += word.length;
  // Of a word at the very end nobody knows how it would go on.
  if (word !== '' && reader.at >= reader.text.length) return ENDED;
  return parsedOr(word, FAILED);
};

const parsedOr = (json: string, otherwise: symbol): unknown => {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return otherwise;
  }
};

const BLANK = /[\s\uFEFF]*/y;

/** Skips white space and comments; false at the end of the text. */
const skipBlank = (reader: Reader): boolean => {
  const { text } = reader;
  for (;;) {
    BLANK.lastIndex = reader.at;
    reader.at += BLANK.exec(text)?.[0].length ?? 0;
    const isLine = text.startsWith('//', reader.at);
    if (!isLine && !text.startsWith('/*', reader.at)) return reader.at < text.length;
    const end = text.indexOf(isLine ? '\n' : '*/', reader.at + 2);
    reader.overlooked.add('comments');
    if (end === -1) {
      reader.at = text.length;
      return false;
    }
    reader.at = end + (isLine ? 1 : 2);
  }
};
