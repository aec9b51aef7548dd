import { createScanner, findNodeAtLocation, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';

/** What a settings file holds, and where in it a value stands. */
export type SettingsText =
  | { readonly kind: 'read'; readonly value: unknown; readonly lineOf: LineOf }
  | { readonly kind: 'broken'; readonly problems: readonly string[] };

/** The line of a value, from 1; of the nearest thing around it when it is not there. */
export type LineOf = (path: readonly PropertyKey[]) => number;

/** Nobody nests settings like this; a hostile file would make the parser run out of stack. */
const DEPTH_MAX = 32;
const REPEATS_MAX = 5;

/**
 * Reads JSON with comments and trailing commas. A key that stands twice is a problem: which of the
 * two was meant?
 */
export const parseSettingsText = (text: string): SettingsText => {
  const broken = (...problems: string[]): SettingsText => ({ kind: 'broken', problems });
  if (text.trim() === '') return broken('it is empty; write {} for no settings');
  const tooDeep = offsetOfDepth(text, DEPTH_MAX);
  if (tooDeep !== undefined) {
    return broken(`line ${lineAt(text, tooDeep)}: it is nested deeper than settings are`);
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  // The first is the cause; what comes after it is what the parser makes of the rest.
  const [first] = errors;
  if (first !== undefined) {
    return broken(
      `line ${lineAt(text, first.offset)}: ${inWords(printParseErrorCode(first.error))}`,
    );
  }
  if (root === undefined) return broken('it holds no value');
  const twice: string[] = [];
  const value = valueOf(root, (key, offset) =>
    twice.push(`line ${lineAt(text, offset)}: the key ${JSON.stringify(key)} stands twice`),
  );
  if (twice.length > 0) return broken(...twice.slice(0, REPEATS_MAX));
  return { kind: 'read', value, lineOf: (path) => lineAt(text, offsetOf(root, path)) };
};

/** `PropertyNameExpected` is "property name expected". */
const inWords = (code: string): string =>
  code.replaceAll(/(?<!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();

const lineAt = (text: string, offset: number): number =>
  text.slice(0, offset).split(/\r\n|\r|\n/).length;

/** Where it is nested deeper than `depthMax`, found without recursion; undefined: nowhere. */
const offsetOfDepth = (text: string, depthMax: number): number | undefined => {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token = scanner.scan(); token !== END; token = scanner.scan()) {
    if (token === OPEN_BRACE || token === OPEN_BRACKET) depth += 1;
    if (token === CLOSE_BRACE || token === CLOSE_BRACKET) depth -= 1;
    if (depth > depthMax) return scanner.getTokenOffset();
  }
  return undefined;
};
/** The parser's kinds of tokens, whose enum does not exist at run time. */
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, END] = [1, 2, 3, 4, 17];

/** Every key becomes a property of its own, `__proto__` too, so that no key goes unseen. */
const valueOf = (node: Node, onTwice: (key: string, offset: number) => void): unknown => {
  const { type, children = [] } = node;
  if (type === 'array') return children.map((child) => valueOf(child, onTwice));
  if (type !== 'object') return node.value;
  const entries = new Map<string, unknown>();
  for (const { children: [name, value] = [], offset } of children) {
    const key = String(name?.value);
    if (entries.has(key)) onTwice(key, offset);
    entries.set(key, value && valueOf(value, onTwice));
  }
  return Object.fromEntries(entries);
};

const offsetOf = (root: Node, path: readonly PropertyKey[]): number => {
  for (let length = path.length; length > 0; length -= 1) {
    const found = findNodeAtLocation(root, path.slice(0, length).map(asSegment));
    if (found !== undefined)
      return found.parent?.type === 'property' ? found.parent.offset : found.offset;
  }
  return root.offset;
};

const asSegment = (key: PropertyKey): string | number =>
  typeof key === 'number' ? key : String(key);
