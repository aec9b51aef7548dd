import { printable } from './printable.ts';
import { messageOf } from './message-of.ts';

/** A JSON document, or why the bytes hold none: a printable clause that goes on after "It is". */
export type ReadJson =
  | { readonly kind: 'read'; readonly value: unknown }
  | { readonly kind: 'unreadable'; readonly why: string };

/** Reads bytes of others as JSON in UTF-8. A byte-order mark before it is no harm. */
export const readJson = (bytes: Uint8Array): ReadJson => {
  const unreadable = (why: string): ReadJson => ({ kind: 'unreadable', why });
  if (bytes.length === 0) return unreadable('empty');
  let text: string;
  try {
    // A byte-order mark is dropped by the decoder.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return unreadable('not UTF-8');
  }
  try {
    return { kind: 'read', value: JSON.parse(text) };
  } catch (error) {
    // Besides a SyntaxError also the RangeError of nesting without end.
    const why = messageOf(error);
    return unreadable(`not JSON: ${printable(why, 200)}`);
  }
};
