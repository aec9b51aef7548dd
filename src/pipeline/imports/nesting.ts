/**
 * Whether a script nests deeper than any person writes. The parser goes down with the nesting on the
 * stack of the process and takes the process with it when that ends (seen from 4,000 functions in each
 * other, 8,000 blocks, brackets, `else if` or type arguments, 16,000 arrows, conditions or elements, and
 * 64,000 to 250,000 names and operators in one expression), so such a text is not given to it.
 *
 * Texts with few brackets and operators cannot. Of the others the depth is estimated, with strings,
 * comments and patterns left out: rather too deep, since being unsure costs a file its facts and no more.
 */
export const nestsTooDeep = (text: string): boolean => {
  if (text.length <= HARMLESS) return false;
  let tenths = 0;
  for (let at = 0; at < text.length; at += 1) tenths += NESTS[text.charCodeAt(at)] as number;
  return tenths > HARMLESS * 10 && estimatedDepth(text) > DEPTH_MAX;
};

const DEPTH_MAX = 3000;
/** With all of them in each other a text would still be parsed. */
const HARMLESS = 6000;

/**
 * In tenths of a level: each needs one of these characters, and those of words and names alone, which are
 * told apart by spaces and dots, take little of the stack.
 */
const NESTS = new Uint8Array(0x1_0000);
for (const character of '([{<?:=!~+-*/%') NESTS[character.charCodeAt(0)] = 10;
for (const character of ' \t\n\r') NESTS[character.charCodeAt(0)] = 2;
for (const character of '.|&`') NESTS[character.charCodeAt(0)] = 1;

/** What nests without a bracket, until its statement or its part between commas ends. */
const OPERATOR = /^[?:=!~+\-*/%<]$/;
const WORDS: ReadonlySet<string> = new Set(
  'new typeof void delete await yield keyof readonly infer extends if for while do with'.split(' '),
);
/** Any other token: chains of names and calls nest too, and take little of the stack. */
const LIGHT = 0.05;

/**
 * Whether comments are opened in each other many times: the grammars of languages where they nest (Kotlin,
 * Rust) then take time with the square of the text.
 */
export const commentsNestTooDeep = (text: string): boolean => {
  let depth = 0;
  for (const [mark] of text.matchAll(/\/\*|\*\//g)) {
    depth = Math.max(0, depth + (mark === '/*' ? 1 : -1));
    if (depth > COMMENTS_MAX) return true;
  }
  return false;
};

const COMMENTS_MAX = 100;

type Level = {
  /** Of the statement, or of the part between commas. */
  own: number;
  /** `else if`, which goes on behind the end of a statement. */
  elses: number;
};

const estimatedDepth = (text: string): number => {
  let level: Level = { own: 0, elses: 0 };
  const levels = [level];
  let depth = 0;
  let deepest = 0;
  /** A statement may have ended: the next token tells. */
  let mayEnd = false;
  let before = '';

  const end = (): void => {
    depth -= level.own;
    level.own = 0;
  };
  const add = (weight: number): void => {
    level.own += weight;
    depth += weight;
    if (depth > deepest) deepest = depth;
  };

  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    let token = match[0];
    if (token.startsWith('/')) {
      // A comment, the end of an element, a pattern, or a division.
      if (token.startsWith('//') || token.startsWith('/*')) continue;
      if (token.length > 1 && token !== '/>' && !BEFORE_PATTERN.test(before)) {
        TOKEN.lastIndex = match.index + 1;
        token = '/';
      }
    }
    if (mayEnd) {
      mayEnd = false;
      if (token === 'else' || !GOES_ON.test(token)) end();
      if (token !== 'else') {
        depth -= level.elses;
        level.elses = 0;
      }
    }
    before = token;
    if (token === '(' || token === '[' || token === '{' || token === '${') {
      add(1);
      level = { own: 0, elses: 0 };
      levels.push(level);
    } else if (token === ')' || token === ']' || token === '}') {
      if (levels.length > 1) {
        end();
        depth -= level.elses;
        levels.pop();
        level = levels.at(-1) ?? level;
        // What follows stands beside the brackets.
        level.own -= 1 - LIGHT;
        depth -= 1 - LIGHT;
      }
      mayEnd = token === '}';
    } else if (token === ',') end();
    else if (token === ';') mayEnd = true;
    else if (token === '</' || token === '/>') {
      const less = Math.min(1, level.own);
      level.own -= less;
      depth -= less;
    } else if (token === 'else') {
      level.elses += 1;
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else add(OPERATOR.test(token) || WORDS.has(token) ? 1 : LIGHT);
    if (deepest > DEPTH_MAX) return deepest;
  }
  return deepest;
};

/**
 * Comments, ends of elements, patterns, strings, words, and single characters; templates in pieces. The
 * length of patterns is bounded, or each slash of a long line would be followed to the end of that line.
 */
const TOKEN =
  /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|<\/|\/>|\/(?:[^\\/\n[]|\\.|\[(?:[^\]\\\n]|\\.){0,200}\]){1,1000}\/|'(?:[^'\\\n]|\\[^])*'?|"(?:[^"\\\n]|\\[^])*"?|\$\{|[\w$\u0080-\uFFFF]+|[^\s\w]/g;

/** A slash behind one of these begins a pattern; behind others it divides. */
const BEFORE_PATTERN =
  /^(?:[(,=:[!&|?{};+\-*%~^<>]|return|typeof|case|in|of|delete|void|throw|new|else|do)?$/;

/** No statement begins with these. */
const GOES_ON = /^[?.,=)*%&|^>:\]+\-/<([]/;
