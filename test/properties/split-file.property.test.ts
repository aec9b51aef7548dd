import fc from 'fast-check';
import { expect, test } from 'vitest';
import { definitionLinesOf } from '../../src/pipeline/definition-lines.ts';
import { splitFile, type FilePart } from '../../src/pipeline/split-file.ts';

/** The text that a part holds, line ends and all. */
const textOfPart = (lines: readonly string[], { line, endLine, bytes }: FilePart): string => {
  const own = lines.slice(line - 1, endLine).map((text) => `${text}\n`);
  if (bytes === undefined) return own.join('');
  const whole = new TextEncoder().encode(lines[line - 1] ?? '');
  const piece = new TextDecoder('utf-8', { fatal: true }).decode(
    whole.subarray(bytes.from, bytes.to),
  );
  return bytes.to === whole.length ? `${piece}\n` : piece;
};

const lineArbitrary = fc.oneof(
  { weight: 8, arbitrary: fc.string({ maxLength: 40 }).map((text) => text.replace(/[\r\n]/g, '')) },
  { weight: 3, arbitrary: fc.constantFrom('', 'function f() {', '  return 1;', '}') },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'grapheme', minLength: 300, maxLength: 900 })
      .map((text) => text.replace(/[\r\n]/g, '')),
  },
);
const fileArbitrary = fc.record({
  lines: fc.array(lineArbitrary, { minLength: 1, maxLength: 300 }),
  tokensMax: fc.integer({ min: 60, max: 2000 }),
});

const partsOf = ({ lines, tokensMax }: { lines: readonly string[]; tokensMax: number }) =>
  splitFile({
    path: 'a.js',
    language: 'JavaScript',
    lines,
    definitions: definitionLinesOf(lines),
    tokensMax,
  }).parts;

test('the parts of a file join to the file: no line and no byte is lost or doubled', () => {
  fc.assert(
    fc.property(fileArbitrary, (file) => {
      const joined = partsOf(file).map((part) => textOfPart(file.lines, part));
      expect(joined.join('')).toBe(file.lines.map((line) => `${line}\n`).join(''));
    }),
  );
});

test('no part is over its budget, its overlap included, and the overlap lies in the file', () => {
  fc.assert(
    fc.property(fileArbitrary, (file) => {
      for (const { tokens, line, endLine, around } of partsOf(file)) {
        expect(tokens).toBeLessThanOrEqual(file.tokensMax);
        expect(around.line).toBeGreaterThanOrEqual(1);
        expect(around.line).toBeLessThanOrEqual(line);
        expect(around.endLine).toBeGreaterThanOrEqual(endLine);
        expect(around.endLine).toBeLessThanOrEqual(file.lines.length);
      }
    }),
  );
});
