/**
 * A pattern of a `.gitattributes` line. It differs from an ignore file's in one thing: a folder that
 * matches says nothing of the files in it. So the library for ignore files does not serve here, and
 * no regular expression is made of a pattern that the repository brings: matching is bounded by the
 * pattern's length times the path's.
 *
 * @returns whether a path (relative to the attribute file's folder) matches.
 */
export const createAttributePattern = (pattern: string): ((path: string) => boolean) => {
  const anchored = pattern.startsWith('/') ? pattern.slice(1) : pattern;
  const isName = !pattern.includes('/');
  if (!SPECIAL.test(anchored)) {
    return isName ? (path) => path.slice(nameStart(path)) === pattern : (path) => path === anchored;
  }
  const ending = ENDING.exec(pattern)?.[1];
  if (ending !== undefined) return (path) => path.endsWith(ending);
  const segments = anchored.split('/').map(parseSegment);
  const [only] = segments;
  if (isName && only !== undefined) {
    return (path) => matchesSegment(only, path.slice(nameStart(path)));
  }
  return (path) => matchesPath(segments, path.split('/'));
};

const SPECIAL = /[*?[\\]/;
/** `*.js`: by far the most frequent form. */
const ENDING = /^\*([^*?[\\/]+)$/;

const nameStart = (path: string): number => path.lastIndexOf('/') + 1;

/** What one character may be, `any` number of any, or (a whole segment) any number of segments. */
type Token = 'any' | ((character: string) => boolean);
type Segment = 'folders' | readonly Token[];

const parseSegment = (text: string): Segment => {
  if (text === '**') return 'folders';
  const characters = unitsOf(text);
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    if (character === '*') tokens.push('any');
    else if (character === '?') tokens.push(() => true);
    else if (character === '[') {
      const parsed = parseClass(characters, at);
      if (parsed === undefined) return [() => false];
      tokens.push(parsed.token);
      at = parsed.end;
    } else if (character === '\\') {
      at += 1;
      const escaped = characters[at];
      tokens.push((other) => other === escaped);
    } else tokens.push((other) => other === character);
  }
  return tokens;
};

/** `[a-z]`, `[!a-z]`, `[[:digit:]]`; undefined when it has no end, and then nothing matches. */
const parseClass = (
  characters: readonly string[],
  from: number,
): { readonly token: Token; readonly end: number } | undefined => {
  let at = from + 1;
  const isNegative = characters[at] === '!' || characters[at] === '^';
  if (isNegative) at += 1;
  const members: ((character: string) => boolean)[] = [];
  for (let isFirst = true; isFirst || characters[at] !== ']'; isFirst = false, at += 1) {
    if (at >= characters.length) return undefined;
    const named = NAMED_CLASS.exec(characters.slice(at, at + 12).join(''));
    const isNamed = named?.[1] === undefined ? undefined : NAMED_CLASSES[named[1]];
    if (named !== null) {
      if (isNamed === undefined) return undefined;
      members.push((character) => isNamed.test(character));
      at += named[0].length - 1;
      continue;
    }
    if (characters[at] === '\\') at += 1;
    const low = characters[at] ?? '';
    if (characters[at + 1] !== '-' || characters[at + 2] === ']' || at + 2 >= characters.length) {
      members.push((character) => character === low);
      continue;
    }
    at += characters[at + 2] === '\\' ? 3 : 2;
    const high = characters[at] ?? '';
    members.push((character) => character >= low && character <= high);
  }
  return {
    token: (character) => members.some((member) => member(character)) !== isNegative,
    end: at,
  };
};

const NAMED_CLASS = /^\[:([a-z]*):\]/;
const NAMED_CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /^[a-zA-Z0-9]$/,
  alpha: /^[a-zA-Z]$/,
  blank: /^[ \t]$/,
  digit: /^[0-9]$/,
  lower: /^[a-z]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^[ \t-\r]$/,
  upper: /^[A-Z]$/,
  xdigit: /^[0-9a-fA-F]$/,
};

/** At a mismatch only the last `*` needs to take one more: the ones before it have done their part. */
const matchesSegment = (segment: Segment, name: string): boolean => {
  if (segment === 'folders') return true;
  return matchesAll(segment, unitsOf(name), isAny, fitsCharacter);
};

const isAny = (token: Token): boolean => token === 'any';
const fitsCharacter = (token: Token, character: string): boolean =>
  token !== 'any' && token(character);

/** Git compares bytes: `?` is one of the two that make an `é`. */
const unitsOf = (text: string): readonly string[] =>
  ASCII.test(text)
    ? text.split('')
    : Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
const ASCII = /^[ -~]*$/;

/** The same with `**` over segments; at the end of a pattern it wants at least one of them. */
const matchesPath = (segments: readonly Segment[], path: readonly string[]): boolean => {
  const last = segments.at(-1);
  const wanted = last === 'folders' ? [...segments.slice(0, -1), ANY_NAME, last] : segments;
  return matchesAll(wanted, path, isFolders, matchesSegment);
};

const ANY_NAME: Segment = ['any'];
const isFolders = (segment: Segment): boolean => segment === 'folders';

const matchesAll = <Part, Item>(
  parts: readonly Part[],
  items: readonly Item[],
  isStar: (part: Part) => boolean,
  fits: (part: Part, item: Item) => boolean,
): boolean => {
  let part = 0;
  let item = 0;
  let star = -1;
  let taken = 0;
  while (item < items.length) {
    const current = parts[part];
    if (current !== undefined && isStar(current)) {
      star = part;
      taken = item;
      part += 1;
    } else if (current !== undefined && fits(current, items[item] as Item)) {
      part += 1;
      item += 1;
    } else if (star !== -1) {
      taken += 1;
      item = taken;
      part = star + 1;
    } else return false;
  }
  return parts.slice(part).every(isStar);
};
