import { clip, foldSpace, printable, printableLines } from '../std/printable.ts';

/**
 * Text of others in a Markdown page, unable to be anything but text: no markup, no raw HTML, no
 * heading, list, link, image or mention, no control character.
 */
export const inert = (text: string, lengthMax = 300): string =>
  printable(clip(foldSpace(text), lengthMax))
    .split(NAMED)
    .map((part, index) =>
      index % 2 === 1 ? inertCode(part, lengthMax) : escaped(part, index === 0),
    )
    .join('');

/** Names of people and addresses of mail: pages that take comments notify and link them, but in code. */
const NAMED = /([\w.+-]{0,64}@[\w./-]{0,200})/;

const escaped = (text: string, isFirst: boolean): string => {
  const inside = text
    .replace(/[\\`*_[\]<>#|~!$]|&(?=#?\w+;)/g, '\\$&')
    // Bare addresses become links by themselves in GitHub's dialect.
    .replaceAll('://', '\\://')
    .replace(/www\./gi, (prefix) => `${prefix.slice(0, -1)}\\.`);
  // Only at its beginning can a text begin a list or a rule.
  return isFirst
    ? inside.replace(/^([-+=])/, '\\$1').replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2')
    : inside;
};

/** The same for text of several lines: paragraphs stay apart, everything else is one line. */
export const inertParagraphs = (text: string, lengthMax = 2000): string =>
  clip(text, lengthMax)
    .split(/\r?\n\s*\r?\n/)
    .map((paragraph) => inert(paragraph, lengthMax))
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');

/** A name in code type on one line: nothing in it is interpreted. */
export const inertCode = (text: string, lengthMax = 300): string => {
  const shown = printable(clip(text, lengthMax));
  const fence = '`'.repeat(longestRun(shown) + 1);
  const pad = /^[` ]|[` ]$/.test(shown) ? ' ' : '';
  return shown === '' ? '(empty)' : `${fence}${pad}${shown}${pad}${fence}`;
};

/** A block of source between fences that are longer than any inside. */
export const inertBlock = (text: string, lengthMax = 1200): string => {
  const shown = printableLines(clip(text, lengthMax));
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}text\n${shown}\n${fence}`;
};

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
