import { RegExpParser, type AST } from '@eslint-community/regexpp';

/**
 * A regular expression as an automaton: one position for each character that it can read, and for each the
 * positions that may come next. What is read without a character (assertions, references back) is left out.
 * An edge stands once for each way that leads over it: `(a+)+` has two from `a` to itself.
 */
export type Automaton = {
  /** What each position reads, as bits of `SYMBOLS`. */
  readonly reads: readonly bigint[];
  readonly next: readonly (readonly Edge[])[];
  readonly first: readonly number[];
  /** Positions behind which a match is complete. */
  readonly last: ReadonlySet<number>;
};

export type Edge = { readonly to: number; readonly ways: number };

/** Of longer patterns nothing is said. */
const POSITIONS_MAX = 250;
const LENGTH_MAX = 1000;

/** Undefined for what cannot be read, or is too large. */
export const automatonOf = (source: string, flags: string): Automaton | undefined => {
  if (source.length > LENGTH_MAX) return undefined;
  try {
    const pattern = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, {
      unicode: flags.includes('u'),
      unicodeSets: flags.includes('v'),
    });
    return build(pattern, flags);
  } catch {
    return undefined;
  }
};

/** What a part of a pattern may begin and end with. */
type Part = {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly isNullable: boolean;
};

const EMPTY: Part = { first: [], last: [], isNullable: true };

const build = (pattern: AST.Pattern, flags: string): Automaton | undefined => {
  const reads: bigint[] = [];
  const next: Map<number, number>[] = [];
  let isTooLarge = false;

  const position = (symbols: bigint): Part => {
    if (reads.length >= POSITIONS_MAX) isTooLarge = true;
    if (isTooLarge) return EMPTY;
    reads.push(symbols);
    next.push(new Map());
    const at = reads.length - 1;
    return { first: [at], last: [at], isNullable: false };
  };
  const connect = (from: readonly number[], to: readonly number[]): void => {
    for (const one of from) {
      for (const other of to) next[one]?.set(other, (next[one]?.get(other) ?? 0) + 1);
    }
  };
  const sequence = (parts: readonly (() => Part)[]): Part =>
    parts.reduce<Part>((before, make) => {
      const after = make();
      connect(before.last, after.first);
      return {
        first: before.isNullable ? [...before.first, ...after.first] : before.first,
        last: after.isNullable ? [...before.last, ...after.last] : after.last,
        isNullable: before.isNullable && after.isNullable,
      };
    }, EMPTY);
  const choice = (alternatives: readonly AST.Alternative[]): Part => {
    const parts = alternatives.map(({ elements }) =>
      sequence(elements.map((one) => () => of(one))),
    );
    return {
      first: parts.flatMap(({ first }) => first),
      last: parts.flatMap(({ last }) => last),
      isNullable: parts.some(({ isNullable }) => isNullable),
    };
  };
  const repeated = ({ min, max, element }: AST.Quantifier): Part => {
    if (max === 0) return EMPTY;
    if (max === Infinity) {
      const part = of(element);
      connect(part.last, part.first);
      return { ...part, isNullable: part.isNullable || min === 0 };
    }
    // A bounded number of times makes a bounded difference: twice stands for all of them.
    const times = Math.min(max, 2);
    return sequence(
      Array.from({ length: times }, (_, index) => () => {
        const part = of(element);
        return index < min ? part : { ...part, isNullable: true };
      }),
    );
  };
  const of = (element: AST.Element): Part => {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return choice(element.alternatives);
      case 'Quantifier':
        return repeated(element);
      case 'Character':
        return position(symbolsOf([element.value], flags));
      case 'CharacterSet':
        return position(setSymbols(element));
      case 'CharacterClass':
        return position(classSymbols(element, flags));
      case 'Assertion':
        return element.kind === 'end' ? position(END) : EMPTY;
      case 'Backreference':
      case 'ExpressionCharacterClass':
        return EMPTY;
    }
  };

  const whole = choice(pattern.alternatives);
  if (isTooLarge) return undefined;
  return {
    reads,
    next: next.map((edges) => [...edges].map(([to, ways]) => ({ to, ways }))),
    first: whole.first,
    last: new Set(whole.isNullable ? [...whole.last, ...whole.first] : whole.last),
  };
};

/** Bits 0 to 127 are ASCII; 128 stands for the blanks beyond it, 129 for all other characters. */
const OTHER_BLANK = 128;
const OTHER = 129;
const ALL = (1n << 130n) - 1n;
/** The end of the text: nothing else reads it. */
const END = 1n << 130n;

const bit = (code: number): bigint => {
  if (code < 128) return 1n << BigInt(code);
  return (
    1n <<
    BigInt(
      code === 0xa0 || code === 0xfeff || (code >= 0x2000 && code <= 0x200a) ? OTHER_BLANK : OTHER,
    )
  );
};

const symbolsOf = (codes: Iterable<number>, flags: string): bigint => {
  let symbols = 0n;
  for (const code of codes) {
    symbols |= bit(code);
    if (!flags.includes('i')) continue;
    const text = String.fromCodePoint(code);
    symbols |= bit(text.toLowerCase().codePointAt(0) ?? code);
    symbols |= bit(text.toUpperCase().codePointAt(0) ?? code);
  }
  return symbols;
};

const rangeSymbols = (from: number, to: number, flags: string): bigint => {
  const ascii = Array.from(
    { length: Math.max(0, Math.min(to, 127) - from + 1) },
    (_, index) => from + index,
  );
  const beyond =
    to > 127
      ? (1n << BigInt(OTHER)) | (to >= 0xa0 && from <= 0x200a ? 1n << BigInt(OTHER_BLANK) : 0n)
      : 0n;
  return symbolsOf(ascii, flags) | beyond;
};

const DIGITS = rangeSymbols(48, 57, '');
const WORD = DIGITS | rangeSymbols(65, 90, '') | rangeSymbols(97, 122, '') | bit(95);
const SPACE = symbolsOf([9, 10, 11, 12, 13, 32], '') | (1n << BigInt(OTHER_BLANK));
const NEWLINES = symbolsOf([10, 13], '');

const setSymbols = (set: AST.CharacterSet): bigint => {
  switch (set.kind) {
    case 'any':
      return ALL & ~NEWLINES;
    case 'digit':
      return set.negate ? ALL & ~DIGITS : DIGITS;
    case 'space':
      return set.negate ? ALL & ~SPACE : SPACE;
    case 'word':
      return set.negate ? ALL & ~WORD : WORD;
    case 'property':
      return ALL;
  }
};

const classSymbols = ({ negate, elements }: AST.CharacterClass, flags: string): bigint => {
  let symbols = 0n;
  for (const element of elements) {
    if (element.type === 'Character') symbols |= symbolsOf([element.value], flags);
    else if (element.type === 'CharacterClassRange') {
      symbols |= rangeSymbols(element.min.value, element.max.value, flags);
    } else if (element.type === 'CharacterSet') symbols |= setSymbols(element);
    else symbols |= ALL;
  }
  return negate ? ALL & ~symbols : symbols;
};
