import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlainText, pathFromBytes, pathToBytes } from '../../src/platform/path-bytes.ts';

/** Bytes near the edges of UTF-8 are tried far more often than chance would. */
const nameBytes = fc
  .array(
    fc.oneof(
      fc.integer({ min: 1, max: 255 }).map((byte) => [byte]),
      fc
        .string({ unit: 'grapheme', minLength: 1, maxLength: 2 })
        .map((text) => [...Buffer.from(text, 'utf8')]),
      fc.constantFrom(
        [0xef, 0xbb, 0xbf],
        [0xed, 0xb2, 0x80],
        [0xc0, 0xaf],
        [0xf4, 0x90, 0x80, 0x80],
        [0xe2, 0x82],
      ),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => Uint8Array.from(pieces.flat()));

test('every name comes back as the bytes it was', () => {
  fc.assert(
    fc.property(nameBytes, (bytes) => {
      expect([...pathToBytes(pathFromBytes(bytes))]).toEqual([...bytes]);
    }),
  );
});

test('two names are the same text only if they are the same bytes', () => {
  fc.assert(
    fc.property(nameBytes, nameBytes, (left, right) => {
      const isSameText = pathFromBytes(left) === pathFromBytes(right);
      expect(isSameText).toBe(Buffer.compare(left, right) === 0);
    }),
  );
});

test('a name survives JSON, and is plain text exactly if its bytes are UTF-8', () => {
  fc.assert(
    fc.property(nameBytes, (bytes) => {
      const path = pathFromBytes(bytes);
      expect(JSON.parse(JSON.stringify(path))).toBe(path);
      expect(isPlainText(path)).toBe(Buffer.from(path, 'utf8').equals(bytes));
    }),
  );
});
