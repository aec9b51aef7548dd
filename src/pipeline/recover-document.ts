import { canonicalJson } from '../std/canonical-json.ts';
import { decodeText } from '../std/decode-text.ts';
import { readLenientJson } from '../std/lenient-json.ts';
import { messageOf } from '../std/message-of.ts';
import { printable } from '../std/printable.ts';

/** The document that the bytes hold, and what was repaired to have it; or why they hold none. */
export type RecoveredDocument =
  | {
      readonly kind: 'read';
      readonly value: unknown;
      /** A sentence each; empty when the bytes are JSON as it should be. */
      readonly repairs: readonly string[];
      /** Other documents that fit as well and say something else: drafts, or contradictions. */
      readonly others: readonly unknown[];
    }
  /** `why` goes on after "It is". */
  | { readonly kind: 'unreadable'; readonly why: string };

/**
 * Finds the one document in bytes of others. JSON as it should be is taken as it is. Of anything else
 * only what fits is taken, with what was repaired:
 *
 *   R1  it stands in prose or in a fence, perhaps beside others: the last whole one that fits, since
 *       drafts come first; that there were several is said
 *   R2  it has comments, trailing commas or line breaks in texts
 *   R3  it is written as a JSON text within JSON
 *   R4  its end is missing: whole items of its list are kept, the cut one and all after it are not
 *   R5  it is UTF-16
 *
 * @param given.fits whether a value is a document of the kind that is wanted.
 * @param given.listOf the list of such a document, whose items count each by itself.
 */
export const recoverDocument = (
  bytes: Uint8Array,
  given: {
    readonly fits: (value: unknown) => boolean;
    readonly listOf: (value: unknown) => unknown;
  },
): RecoveredDocument => {
  if (bytes.length === 0) return { kind: 'unreadable', why: 'empty' };
  const decoded = decodeText(bytes);
  if (decoded === undefined) return { kind: 'unreadable', why: 'not UTF-8' };
  const repairs = decoded.encoding === 'utf-8' ? [] : ['It was UTF-16, not UTF-8.'];
  let text = decoded.text;
  for (let level = 0; level <= LEVELS_MAX; level += 1) {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      const found = findDocument(text, given);
      if (found !== undefined) {
        return { kind: 'read', ...found, repairs: [...repairs, ...found.repairs] };
      }
      // Besides a SyntaxError also the RangeError of nesting without end.
      return { kind: 'unreadable', why: `not JSON: ${printable(messageOf(error), 200)}` };
    }
    if (typeof value !== 'string') return { kind: 'read', value, repairs, others: [] };
    repairs.push('It was a text that holds JSON, not JSON itself.');
    text = value;
  }
  return { kind: 'unreadable', why: 'a text within texts' };
};

const LEVELS_MAX = 2;

type Found = {
  readonly value: unknown;
  readonly repairs: readonly string[];
  readonly others: readonly unknown[];
};
type Whole = Pick<Found, 'value' | 'repairs'> & { readonly start: number; readonly end: number };

const findDocument = (
  text: string,
  { fits, listOf }: Parameters<typeof recoverDocument>[1],
): Found | undefined => {
  const whole: Whole[] = [];
  let cutShort: Found | undefined;
  // Brackets without end would be read again from each of them: the whole search is bounded.
  let left = text.length * READS_MAX + SMALL;
  for (let start = nextBracket(text, 0); start !== -1 && left > 0;) {
    const read = readLenientJson(text, start);
    left -= read.end - start + 1;
    if (read.kind === 'none') {
      start = nextBracket(text, start + 1);
      continue;
    }
    const { value, cut, overlooked } = read;
    const said = overlooked.length === 0 ? [] : [`It had ${overlooked.join(' and ')}.`];
    if (cut.size === 0) {
      if (fits(value)) whole.push({ value, repairs: said, start, end: read.end });
      start = nextBracket(text, fits(value) ? read.end : start + 1);
      continue;
    }
    const kept = withoutCut(value, listOf(value), cut);
    if (kept !== undefined && fits(kept)) {
      cutShort = {
        value: kept,
        repairs: [...said, 'Its end was missing: only its whole results were kept.'],
        others: [],
      };
      // It goes on to the end of the text: what else stands there is part of it.
      break;
    }
    start = nextBracket(text, start + 1);
  }
  const last = whole.at(-1);
  if (last === undefined) return cutShort;
  const around = `${text.slice(0, last.start)}${text.slice(last.end)}`.trim() !== '';
  const texts = new Map(whole.map(({ value }) => [canonicalJson(value), value]));
  texts.delete(canonicalJson(last.value));
  const others = [...texts.values()].slice(-OTHERS_MAX);
  return {
    value: last.value,
    repairs: [
      ...last.repairs,
      ...(around ? ['Other text stood around it.'] : []),
      ...(others.length > 0 ? ['It held several different answers: the last one was taken.'] : []),
    ],
    others,
  };
};

/** Nobody drafts more often. */
const OTHERS_MAX = 20;

/** How often a text may be read in all, from different brackets. */
const READS_MAX = 8;
const SMALL = 1000;

const nextBracket = (text: string, from: number): number => {
  BRACKET.lastIndex = from;
  return BRACKET.exec(text)?.index ?? -1;
};
const BRACKET = /[[{]/g;

/** A document that was cut in its list, with the list's whole items only. */
const withoutCut = (value: unknown, list: unknown, cut: ReadonlySet<object>): unknown => {
  if (!Array.isArray(list)) return undefined;
  const items = list.filter((one) => typeof one !== 'object' || one === null || !cut.has(one));
  if (items.length === 0) return undefined;
  if (list === value) return items;
  const fields = Object.entries(value as object).map(([key, field]) => [
    key,
    field === list ? items : field,
  ]);
  return Object.fromEntries(fields);
};
