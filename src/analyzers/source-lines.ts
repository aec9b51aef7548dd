import { textOf } from '../pipeline/content.ts';
import type { FrozenTree } from '../platform/source-tree.ts';

/** Longest quote: enough to be found again, short enough to be read in a report. */
const QUOTE_MAX = 200;

/** The lines of one file, for quoting. */
export type SourceLines = {
  /** The line's text, trimmed and cut; a blank or missing line gives the nearest one above it. */
  readonly quote: (line: number) => { readonly line: number; readonly text: string };
};

/** @param text the file's whole text. */
export const createSourceLines = (text: string): SourceLines => {
  const lines = text.split('\n');
  return {
    quote: (wanted) => {
      let line = Math.min(Math.max(wanted, 1), lines.length);
      while (line > 1 && (lines[line - 1] ?? '').trim() === '') line -= 1;
      return { line, text: clip((lines[line - 1] ?? '').trim()) };
    },
  };
};

/** Quotes from files of a tree, each of which is read once. */
export const createQuotes = (
  tree: Pick<FrozenTree, 'read'>,
): ((path: string, line: number) => Promise<ReturnType<SourceLines['quote']>>) => {
  const sources = new Map<string, SourceLines>();
  return async (path, line) => {
    const source = sources.get(path) ?? createSourceLines(textOf(await tree.read(path)));
    sources.set(path, source);
    return source.quote(line);
  };
};

/** A beginning of `text` that does not end inside a surrogate pair. */
export const clip = (text: string): string =>
  text.length <= QUOTE_MAX ? text : text.slice(0, QUOTE_MAX).replace(/[\uD800-\uDBFF]$/, '');
