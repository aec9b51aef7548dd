import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clip, printable, printableLines } from '../../src/std/printable.ts';

test('printable text is one line without anything that acts or hides', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(printable(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    }),
  );
});

test('text of people stays as it is', () => {
  for (const text of ['naïve – “quotes”', '日本語', '👍 ok', 'a\\b']) {
    expect(printable(text)).toBe(text);
  }
});

test('what cannot be shown is written out', () => {
  expect(printable('a\u001b[2J\nb\udcff')).toBe('a\\u{1b}[2J\\u{a}b\\u{dcff}');
  expect(printableLines('a\tb\r\nc\u0007')).toBe('a    b\nc\\u{7}');
});

test('a clipped text is within its length and never ends in half a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 20 }), (text, max) => {
      const clipped = clip(text, max);
      expect(clipped.length).toBeLessThanOrEqual(max);
      expect(clipped).not.toMatch(/\p{Cs}/u);
    }),
  );
});
