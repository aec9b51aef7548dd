import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prepareAnchorText } from '../../src/pipeline/anchor.ts';
import { findingIdOf } from '../../src/pipeline/fingerprint.ts';

/** The ids of each line that holds `quote`, from the top. */
const idsOf = (lines: readonly string[], quote: string): readonly string[] => {
  const source = prepareAnchorText(lines.join('\n'));
  return lines.flatMap((line, index) => {
    if (!line.includes(quote)) return [];
    const anchor = source.find(quote, index + 1);
    expect(anchor?.line).toBe(index + 1);
    return [
      findingIdOf({
        category: 'rule',
        path: 'a.js',
        definition: anchor?.definition ?? '',
        quote,
        ordinal: anchor?.ordinal ?? -1,
      }),
    ];
  });
};

/** A file of functions with some copies of one faulty line in each. */
const functionsArbitrary = fc
  .array(
    fc.array(fc.constantFrom('  faulty();', '  fine();', '', '  other(1);'), { maxLength: 6 }),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((bodies) => bodies.map((body, index) => [`function f${index}() {`, ...body, '}', '']));

test('a finding keeps its id when code above its definition comes, goes or is laid out anew', () => {
  fc.assert(
    fc.property(
      functionsArbitrary,
      fc.array(fc.constantFrom('// a comment', '', 'const added = 1;'), { maxLength: 5 }),
      (functions, above) => {
        const before = idsOf(functions.flat(), 'faulty();');
        const spread = functions.flat().flatMap((line) => (line === '' ? ['', ''] : [line]));
        expect(idsOf([...above, ...spread], 'faulty();')).toEqual(before);
      },
    ),
  );
});

test('findings at different places have different ids', () => {
  fc.assert(
    fc.property(functionsArbitrary, (functions) => {
      const ids = idsOf(functions.flat(), 'faulty();');
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
});

test('a quote that was cut out of a text is always found there', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { minLength: 1, maxLength: 12 }),
      fc.nat(),
      fc.nat(3),
      (lines, from, length) => {
        const start = from % lines.length;
        const quote = lines.slice(start, start + 1 + length).join('\n');
        fc.pre(quote.trim() !== '');
        const anchor = prepareAnchorText(lines.join('\n')).find(quote, start + 1);
        expect(anchor).toBeDefined();
      },
    ),
  );
});
