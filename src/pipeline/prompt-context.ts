import { SEVERITIES } from '../domain/vocabulary.ts';
import type { Lead } from '../domain/finding.ts';
import { clip } from '../std/printable.ts';
import { quoteText } from './fenced.ts';
import { thinned, type NamedDefinition } from './outline.ts';
import type { ReviewFacts } from './review-facts.ts';
import { utf8Length } from './token-model.ts';

/** One file of a packet, or the part of it that the packet asks about. */
export type ContextItem = {
  readonly path: string;
  /** The lines that are asked about; undefined: all of them. */
  readonly part?: { readonly line: number; readonly endLine: number } | undefined;
};

/**
 * One JSON object a line for each file of which something is known: its outline, what it imports, who
 * imports it, its tests. Never more than `bytesMax` together; each file gets an equal share of what
 * those before it left. Lists that do not fit say how much they leave out, and an outline that does
 * not fit is thinned over the whole file: its end is as much a part of it as its beginning.
 */
export const contextLines = (
  items: readonly ContextItem[],
  facts: ReviewFacts,
  bytesMax: number,
): readonly string[] => {
  const lines: string[] = [];
  let left = bytesMax;
  for (const [index, item] of items.entries()) {
    const share = Math.floor(left / (items.length - index));
    const line = contextLine(item, facts, share - 1);
    if (line === undefined) continue;
    lines.push(line);
    left -= utf8Length(line) + 1;
  }
  return lines;
};

/** The richest form that fits; undefined when none does or nothing is known. */
const contextLine = (
  { path, part }: ContextItem,
  facts: ReviewFacts,
  bytesMax: number,
): string | undefined => {
  const { imports, importedBy, tests } = facts.relationsOf(path);
  const definitions = facts
    .definitionsOf(path)
    .filter(
      ({ line, endLine }) => part === undefined || (endLine >= part.line && line <= part.endLine),
    );
  if (imports.length + importedBy.length + tests.length + definitions.length === 0)
    return undefined;
  for (const most of LIST_LENGTHS) {
    const line = object([
      ['file', quoteText(path)],
      ...list('imports', imports, most),
      ...list('importedBy', importedBy, most),
      ...list('tests', tests, most),
      ...outline(definitions, most * 3),
    ]);
    if (utf8Length(line) <= bytesMax) return line;
  }
  return undefined;
};

/** From the richest form to the poorest. */
const LIST_LENGTHS = [20, 8, 4, 2, 1] as const;

type Field = readonly [name: string, json: string];

const object = (fields: readonly Field[]): string =>
  `{${fields.map(([name, json]) => `"${name}": ${json}`).join(', ')}}`;

const list = (name: string, items: readonly string[], most: number): readonly Field[] => {
  if (items.length === 0) return [];
  const more = items.length - most;
  const shown = items.slice(0, most).map(quoteText).join(', ');
  return [[name, `[${shown}]`], ...(more > 0 ? [[`${name}More`, String(more)] as const] : [])];
};

const outline = (definitions: readonly NamedDefinition[], most: number): readonly Field[] => {
  if (definitions.length === 0) return [];
  const kept = thinned(definitions, most).map(({ name, kind, line, endLine }) =>
    quoteText(`${line}-${endLine} ${kind} ${clip(name, NAME_LENGTH)}`),
  );
  const more = definitions.length - kept.length;
  return [
    ['outline', `[${kept.join(', ')}]`],
    ...(more > 0 ? [['outlineMore', String(more)] as const] : []),
  ];
};

const NAME_LENGTH = 80;

/**
 * What analyzers say of the files, one JSON object a line, the most severe first; the last line says
 * how many are left out. Never more than `bytesMax` together.
 */
export const leadLines = (
  items: readonly ContextItem[],
  facts: ReviewFacts,
  bytesMax: number,
): readonly string[] => {
  const leads = items
    .flatMap(({ path, part }) => facts.leadsOf(path).filter((lead) => isIn(lead, part)))
    .toSorted((left, right) => rank(left) - rank(right));
  const lines: string[] = [];
  let left = bytesMax - MORE_BYTES;
  for (const [index, lead] of leads.entries()) {
    const line = object([
      ['file', quoteText(lead.place.path)],
      ['line', String(lead.place.line)],
      ['rule', quoteText(clip(`${lead.analyzer}/${lead.rule}`, NAME_LENGTH))],
      ...(lead.origin === undefined ? [] : [['source', quoteText(lead.origin)] as const]),
      ['says', quoteText(clip(lead.message, MESSAGE_LENGTH))],
    ]);
    left -= utf8Length(line) + 1;
    if (left < 0) return [...lines, object([['more', String(leads.length - index)]])];
    lines.push(line);
  }
  return lines;
};

const MESSAGE_LENGTH = 160;
/** The line that counts what is left out. */
const MORE_BYTES = 30;

const rank = (lead: Lead): number => SEVERITIES.indexOf(lead.severity);

const isIn = ({ place }: Lead, part: ContextItem['part']): boolean =>
  part === undefined || (place.line >= part.line && place.line <= part.endLine);
