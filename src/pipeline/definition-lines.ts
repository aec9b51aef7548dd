import { definitionsOf } from './definitions.ts';
import type { DefinitionLines } from './split-file.ts';

/**
 * The definitions of any text by names and indentation, as lines; for files that no grammar has read.
 * Outer ones before inner ones.
 */
export const definitionLinesOf = (lines: readonly string[]): readonly DefinitionLines[] => {
  const found: { line: number; endLine: number }[] = [];
  const open: { readonly name: string; readonly definition: { endLine: number } }[] = [];
  const close = (endLine: number): void => {
    const closed = open.pop();
    if (closed !== undefined) closed.definition.endLine = endLine;
  };
  for (const [index, name] of definitionsOf(lines).entries()) {
    while (open.length > 0 && !isWithin(name, open.at(-1)?.name ?? '')) close(index);
    if (name === '' || name === open.at(-1)?.name) continue;
    const definition = { line: index + 1, endLine: index + 1 };
    found.push(definition);
    open.push({ name, definition });
  }
  while (open.length > 0) close(lines.length);
  return found;
};

const isWithin = (name: string, outer: string): boolean =>
  name === outer || name.startsWith(`${outer}.`);
