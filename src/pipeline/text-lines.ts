import { z } from 'zod';

/** How the lines of a text end; `mixed`: not all in the same way. */
export const lineEnds = z.enum(['lf', 'crlf', 'cr', 'mixed']);
export type LineEnds = z.infer<typeof lineEnds>;

/**
 * The lines of a text: ended by LF, CRLF or CR, as editors and agents show them. U+2028 and its like
 * are characters within a line. An end of line at the very end starts no further line.
 */
export const splitLines = (text: string): readonly string[] => {
  const lines = text.split(text.includes('\r') ? /\r\n|\r|\n/ : '\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
};

/** The first lines of a text, at the cost of these alone. */
export const firstLines = (text: string, count: number): readonly string[] => {
  let end = 0;
  for (let line = 0; line < count && end < text.length; line += 1) {
    const next = /\r\n|\r|\n/g;
    next.lastIndex = end;
    end = next.exec(text) === null ? text.length : next.lastIndex;
  }
  return splitLines(text.slice(0, end));
};

/** Counts the lines of a text that comes in pieces, as `splitLines` would give them. */
export const createLineCounter = () => {
  let lf = 0;
  let crlf = 0;
  let cr = 0;
  let last = '';

  return {
    take: (text: string): void => {
      if (text === '') return;
      lf += countOf(text, '\n');
      // A CR at the end of a piece was counted as one alone.
      if (last === '\r' && text.startsWith('\n')) {
        cr -= 1;
        crlf += 1;
      }
      for (let at = text.indexOf('\r'); at !== -1; at = text.indexOf('\r', at + 1)) {
        if (text[at + 1] === '\n') crlf += 1;
        else cr += 1;
      }
      last = text.at(-1) ?? '';
    },
    end: (): { readonly lines: number; readonly ends: LineEnds | undefined } => {
      const forms = [
        { ends: 'lf', count: lf - crlf },
        { ends: 'crlf', count: crlf },
        { ends: 'cr', count: cr },
      ] as const;
      const used = forms.filter(({ count }) => count > 0);
      const isOpen = last !== '' && last !== '\n' && last !== '\r';
      return {
        lines: lf + cr + (isOpen ? 1 : 0),
        ends: used.length > 1 ? 'mixed' : used[0]?.ends,
      };
    },
  };
};

const countOf = (text: string, character: string): number => {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) {
    count += 1;
  }
  return count;
};
