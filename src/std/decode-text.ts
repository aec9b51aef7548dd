/**
 * Text of others: UTF-8, or UTF-16 by its byte-order mark or by the zero bytes that its brackets have. A
 * byte-order mark is dropped. Undefined when it is neither.
 */
export const decodeText = (
  bytes: Uint8Array,
): { readonly text: string; readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' } | undefined => {
  const encoding = encodingOf(bytes);
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding };
  } catch {
    return undefined;
  }
};

const encodingOf = ([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' => {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first !== 0 && second === 0) return 'utf-16le';
  return first === 0 && second !== 0 ? 'utf-16be' : 'utf-8';
};
