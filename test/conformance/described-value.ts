/**
 * The value of a note in words, for what JSON cannot hold: `object {a: undefined, b: [NaN, 1]}`. A
 * leading word says what follows and means nothing; keys may stand without quotes.
 */
export const describedValue = (note: string): unknown => {
  const literal = note.replace(/^\s*[a-z]+\s+(?=\S)/i, '');
  const json = literal.replace(
    /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?Infinity|[A-Za-z_$][\w$]*(?=\s*:)|[A-Za-z_$][\w$]*/g,
    (token) => {
      if (token.startsWith('"')) return token;
      if (token.startsWith("'")) return JSON.stringify(token.slice(1, -1));
      if (SPECIAL.has(token)) return JSON.stringify(`${MARK}${token}`);
      return ['true', 'false', 'null'].includes(token) ? token : JSON.stringify(token);
    },
  );
  return revived(JSON.parse(json));
};

const SPECIAL: ReadonlyMap<string, number | undefined> = new Map([
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);
const MARK = '\u0000';

/** A reviver of `JSON.parse` would leave a hole where it gives undefined. */
const revived = (value: unknown): unknown => {
  if (typeof value === 'string' && value.startsWith(MARK)) return SPECIAL.get(value.slice(1));
  if (Array.isArray(value)) return value.map(revived);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, revived(field)]));
};
