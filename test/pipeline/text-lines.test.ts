import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extractContent } from '../../src/pipeline/content.ts';
import { createLineCounter, firstLines, splitLines } from '../../src/pipeline/text-lines.ts';

const character = fc.constantFrom('a', 'é', '\u2028', '\u0085', '\f', ' ', '😀');
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');

test('lines end by LF, CRLF or CR and by nothing else, and none is lost', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({ unit: character }), lineEnd)),
      fc.string({ unit: character }),
      (ended, open) => {
        // A CR and an empty line that ends in LF would be one end.
        const text = ended.map(([line, end]) => `${line}|${end}`).join('') + open;
        const lines = [...ended.map(([line]) => `${line}|`), ...(open === '' ? [] : [open])];
        expect(splitLines(text)).toEqual(lines);
        expect(extractContent(new TextEncoder().encode(text)).lines).toBe(lines.length);
      },
    ),
  );
});

test('a text has as many lines however it is cut into pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', '\r', '\n') })), (pieces) => {
      const counter = createLineCounter();
      for (const piece of pieces) counter.take(piece);
      const whole = createLineCounter();
      whole.take(pieces.join(''));
      expect(counter.end()).toEqual(whole.end());
      expect(whole.end().lines).toBe(splitLines(pieces.join('')).length);
    }),
  );
});

test('the first lines are those that all lines begin with', () => {
  const anyText = fc.string({ unit: fc.constantFrom('a', '\r', '\n') });
  fc.assert(
    fc.property(anyText, fc.nat(5), (text, count) => {
      expect(firstLines(text, count)).toEqual(splitLines(text).slice(0, count));
    }),
  );
});

test.each([
  ['a\nb\n', 'lf'],
  ['a\r\nb\r\n', 'crlf'],
  ['a\rb\r', 'cr'],
  ['a\nb\r\n', 'mixed'],
  ['a\rb\n', 'mixed'],
  ['a', undefined],
])('the lines of %j end in %s', (text, ends) => {
  const counter = createLineCounter();
  counter.take(text);
  expect(counter.end().ends).toBe(ends);
});
