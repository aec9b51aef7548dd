import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestOfText } from '../../src/pipeline/text-digest.ts';
import { sha256Hex } from '../../src/std/digest.ts';

test('a text has the digest that a page would compute, whatever its characters', () => {
  const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 80 });
  fc.assert(
    fc.property(units, (codes) => {
      const text = String.fromCharCode(...codes);
      expect(digestOfText(text)).toBe(sha256Hex(text));
    }),
  );
});
