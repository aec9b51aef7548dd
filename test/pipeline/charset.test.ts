import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PIECE_BYTES } from '../../src/pipeline/charset.ts';
import { createContentScan, extractContent, textOf } from '../../src/pipeline/content.ts';
import { inCharset } from '../helpers/in-charset.ts';

const seven = 'one\ntwo\nthree\nfour\nfive\nsix\nthe caf\u00e9 on line 7\n';

describe('encodings', () => {
  test.each(['utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be', 'latin-1'] as const)(
    '%s is text, and gives the same text and lines as every other (B27)',
    (charset) => {
      const bytes = inCharset(seven, charset);
      expect(extractContent(bytes)).toMatchObject({ encoding: 'text', charset, lines: 7 });
      expect(textOf(bytes)).toBe(seven);
    },
  );

  test('UTF-16 without a mark is known by where its zeros are', () => {
    expect(extractContent(inCharset(seven, 'utf-16le').slice(2))).toMatchObject({
      charset: 'utf-16le',
      lines: 7,
    });
  });

  test('UTF-8 with a broken byte stays UTF-8; only what explains less is taken byte by byte', () => {
    const broken = Uint8Array.from([...new TextEncoder().encode('äöü € '), 0xe9, 0x0a]);
    expect(extractContent(broken).charset).toBe('utf-8');
    expect(textOf(broken)).toBe('äöü € \ufffd\n');
    expect(textOf(Uint8Array.of(0x63, 0x61, 0x66, 0xe9))).toBe('café');
  });

  test('every text comes back from every encoding that can hold it', () => {
    const anyText = fc.string({ unit: fc.constantFrom('a', '\n', 'é', '€', '😀', '\u2028') });
    fc.assert(
      fc.property(anyText, (text) => {
        for (const charset of ['utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be'] as const) {
          expect(textOf(inCharset(text, charset))).toBe(text);
        }
      }),
    );
  });

  test('no bytes at all make it fail, and what it says of them does not change', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        textOf(bytes);
        expect(extractContent(bytes)).toEqual(extractContent(bytes.slice()));
        expect(extractContent(bytes).size).toBe(bytes.length);
      }),
    );
  });
});

describe('a file in pieces', () => {
  test.each([
    ['a character on the seam', `${'x'.repeat(PIECE_BYTES - 1)}é\n`, 'utf-8'],
    ['a line end on the seam', `${'x'.repeat(PIECE_BYTES - 1)}\r\ny\r\n`, 'utf-8'],
    ['four bytes on the seam', `${'x'.repeat(PIECE_BYTES - 2)}😀\n`, 'utf-8'],
    ['UTF-16', `${'xy\n'.repeat(400_000)}`, 'utf-16le'],
    ['Latin-1 that starts late', `${'x\n'.repeat(PIECE_BYTES / 2)}é\n`, 'latin-1'],
  ] as const)('has the text and the lines that it has as a whole: %s', (_, text, charset) => {
    const bytes = inCharset(text, charset);
    expect(bytes.length).toBeGreaterThan(PIECE_BYTES);
    expect(textOf(bytes) === text).toBe(true);
    const scan = createContentScan();
    for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
      scan.take(bytes.subarray(from, from + PIECE_BYTES));
    }
    expect(scan.end()).toMatchObject({
      charset,
      size: bytes.length,
      lines: text.split(/\r\n|\n/).length - 1,
    });
  });
});
