import fc from 'fast-check';

/** What nobody ought to write and somebody will: text with control bytes, JSON that is bent or broken. */

export const junkText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', ' ', '-', '--', '=', '\u001B[2J', '\n', '\u202E', '\uD800', '__proto__'),
  fc.constantFrom('NaN', '1e999', '-0', '0x10', '9'.repeat(40), 'null', '[]', '{}', '%s', '$(id)'),
);

/** JSON values with keys that trip people up, unpaired surrogates and numbers at the edges. */
export const junkJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
  junkText,
  fc.constantFrom(0.5, -1, 1e308, 2 ** 53, '', '\u001B', [], {}, [[[[]]]], [null], { length: 1e9 }),
  fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'toString', ''), fc.jsonValue()),
);

/** A value with some of its parts replaced, left out, doubled, or joined by a part of another name. */
export const bent = (whole: unknown): fc.Arbitrary<unknown> =>
  fc
    .array(fc.tuple(fc.nat(), fc.constantFrom('replace', 'drop', 'double', 'add'), junkJson), {
      minLength: 1,
      maxLength: 3,
    })
    .map((changes) => {
      const copy: unknown = structuredClone({ whole });
      for (const [at, how, value] of changes) {
        const places = placesIn(copy);
        const place = places[at % Math.max(places.length, 1)];
        if (place !== undefined) change(place, how, structuredClone(value));
      }
      return (copy as { readonly whole?: unknown }).whole;
    });

type Place = { readonly of: Record<string, unknown> | unknown[]; readonly key: string };

const placesIn = (value: unknown): readonly Place[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => [
        { of: value as Place['of'], key },
        ...placesIn(inner),
      ]);

const change = ({ of, key }: Place, how: string, value: unknown): void => {
  if (Array.isArray(of)) {
    const at = Number(key);
    if (how === 'drop') of.splice(at, 1);
    else
      of.splice(at, how === 'replace' ? 1 : 0, how === 'double' ? structuredClone(of[at]) : value);
  } else if (how === 'drop') delete of[key];
  else if (how === 'add') of[`${key}x`] = value;
  else if (how === 'double') of[key] = [of[key], structuredClone(of[key])];
  else of[key] = value;
};

/** Bytes that are nearly this text: cut, glued, overwritten, with comments or a byte-order mark. */
export const nearly = (text: string): fc.Arbitrary<Uint8Array> =>
  fc
    .tuple(
      fc.nat(text.length),
      fc.nat(6),
      fc.oneof(junkText, fc.constantFrom(...BITS)),
      fc.boolean(),
    )
    .map(([at, cut, put, hasBadByte]) =>
      Buffer.concat([
        Buffer.from(text.slice(0, at)),
        ...(hasBadByte ? [Buffer.from([0xff])] : []),
        Buffer.from(put),
        Buffer.from(text.slice(at + cut)),
      ]),
    );

const BITS = ['\uFEFF', '/*', '//', '\0', '}', ']', ',', '"', '\\', '\\u', '['.repeat(50_000)];

export const junkBytes: fc.Arbitrary<Uint8Array> = fc.uint8Array({ maxLength: 40 });
