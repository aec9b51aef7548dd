import { z } from 'zod';
import { createAttributePattern } from './attribute-pattern.ts';

/** What `.gitattributes` files in the tree say of a file, as far as an audit asks. */
export const fileAttributes = z.object({
  generated: z.boolean().optional(),
  vendored: z.boolean().optional(),
  documentation: z.boolean().optional(),
  /** As written; a name or an alias of linguist's. */
  language: z.string().optional(),
  /** By the macro `binary`; `-diff` or `-text` alone mean less. */
  binary: z.boolean().optional(),
  eol: z.string().optional(),
});
export type FileAttributes = z.infer<typeof fileAttributes>;

/** One `.gitattributes` file. @param folder `''` for the root's, else `a/b`. */
export type AttributeFile = { readonly folder: string; readonly text: string };

/**
 * Reads attribute files as git does: of the files from the root down to a file's folder the
 * innermost line that matches decides, attribute by attribute. Files outside of the tree (a user's
 * own, `.git/info`) are not asked, so that the same tree says the same anywhere.
 *
 * @returns undefined for a file that nothing is said about.
 */
export const createAttributeTable = (
  files: readonly AttributeFile[],
): ((path: string) => FileAttributes | undefined) => {
  const parsed = files.map(({ folder, text }) => ({ folder, lines: linesOf(text) }));
  const macros = new Map<string, readonly Assignment[]>([['binary', BINARY_MACRO]]);
  for (const { folder, lines } of parsed) {
    // Git takes macros from the top only.
    if (folder !== '') continue;
    for (const line of lines) if (line.kind === 'macro') macros.set(line.name, line.assignments);
  }
  const isAsked = (line: Line): line is PatternLine =>
    line.kind === 'pattern' &&
    line.assignments.some(({ name }) => ASKED.has(name) || macros.has(name));
  const rules = new Map(
    parsed.map(({ folder, lines }) => [
      folder,
      lines
        .filter(isAsked)
        .map(({ pattern, assignments }) => ({
          matches: createAttributePattern(pattern),
          assignments,
        }))
        .toReversed(),
    ]),
  );
  return (path) => {
    const found = new Map<string, Value>();
    for (const folder of foldersUp(path)) {
      const below = folder === '' ? path : path.slice(folder.length + 1);
      for (const { matches, assignments } of rules.get(folder) ?? []) {
        if (matches(below)) assign(assignments, macros, found);
      }
    }
    return found.size === 0 ? undefined : attributesOf(found);
  };
};

/** True: set. False: unset (`-name`). Undefined: put back to unspecified (`!name`). */
type Value = string | boolean | undefined;
type Assignment = { readonly name: string; readonly value: Value };
type PatternLine = {
  readonly kind: 'pattern';
  readonly pattern: string;
  readonly assignments: readonly Assignment[];
};
type Line =
  | PatternLine
  | { readonly kind: 'macro'; readonly name: string; readonly assignments: readonly Assignment[] };

const ASKED: ReadonlySet<string> = new Set([
  'linguist-generated',
  'linguist-vendored',
  'linguist-documentation',
  'linguist-language',
  'binary',
  'eol',
]);

const BINARY_MACRO: readonly Assignment[] = [
  { name: 'diff', value: false },
  { name: 'merge', value: false },
  { name: 'text', value: false },
];

/** From the last to the first, since the first value found stays. */
const assign = (
  assignments: readonly Assignment[],
  macros: ReadonlyMap<string, readonly Assignment[]>,
  found: Map<string, Value>,
): void => {
  for (const { name, value } of assignments.toReversed()) {
    if (found.has(name)) continue;
    found.set(name, value);
    const macro = value === true ? macros.get(name) : undefined;
    if (macro !== undefined) assign(macro, macros, found);
  }
};

const attributesOf = (found: ReadonlyMap<string, Value>): FileAttributes | undefined => {
  const flag = (name: string, key: keyof FileAttributes) => {
    const value = found.get(name);
    return value === undefined ? {} : { [key]: value !== false && value !== 'false' };
  };
  const word = (name: string, key: keyof FileAttributes) => {
    const value = found.get(name);
    return typeof value === 'string' && value !== '' ? { [key]: value } : {};
  };
  const attributes: FileAttributes = {
    ...flag('linguist-generated', 'generated'),
    ...flag('linguist-vendored', 'vendored'),
    ...flag('linguist-documentation', 'documentation'),
    ...word('linguist-language', 'language'),
    ...flag('binary', 'binary'),
    ...word('eol', 'eol'),
  };
  return Object.keys(attributes).length === 0 ? undefined : attributes;
};

/** The file's folder first, the root last. */
const foldersUp = (path: string): readonly string[] => {
  const folders: string[] = [];
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    folders.push(path.slice(0, end));
  }
  return [...folders, ''];
};

/** Longer lines are skipped by git too. */
const LINE_LENGTH_MAX = 2048;

const linesOf = (text: string): readonly Line[] =>
  text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .filter((line) => line.length <= LINE_LENGTH_MAX)
    .flatMap((line) => parseLine(line) ?? []);

const parseLine = (line: string): Line | undefined => {
  const trimmed = line.replace(/^[ \t\r]+/, '');
  if (trimmed === '' || trimmed.startsWith('#')) return undefined;
  const { pattern, rest } = splitPattern(trimmed);
  const assignments = rest
    .split(/[ \t\r]+/)
    .filter((word) => word !== '')
    .flatMap((word) => parseAssignment(word) ?? []);
  const macro = /^\[attr\]([-\w.]+)$/.exec(pattern)?.[1];
  if (macro !== undefined) return { kind: 'macro', name: macro, assignments };
  // Git refuses a negative pattern here, and nothing but a folder matches one that ends so.
  if (pattern.startsWith('!') || pattern.endsWith('/')) return undefined;
  return { kind: 'pattern', pattern, assignments };
};

const parseAssignment = (word: string): Assignment | undefined => {
  const [, sign, name, value] = /^([-!]?)([\w.][-\w.]*)(?:=(.*))?$/.exec(word) ?? [];
  if (name === undefined) return undefined;
  if (sign === '-') return { name, value: false };
  if (sign === '!') return { name, value: undefined };
  return { name, value: value ?? true };
};

/** A pattern with blanks in it stands in quotes, as in C. */
const splitPattern = (line: string): { readonly pattern: string; readonly rest: string } => {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(line);
  if (quoted?.[1] !== undefined) {
    return { pattern: unquote(quoted[1]), rest: line.slice(quoted[0].length) };
  }
  const end = /[ \t\r]/.exec(line)?.index ?? line.length;
  return { pattern: line.slice(0, end), rest: line.slice(end) };
};

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Octal numbers are bytes, and several of them may make one character. */
const unquote = (quoted: string): string =>
  quoted.replaceAll(/((?:\\[0-3][0-7]{2})+)|\\(.)/g, (_, bytes?: string, one = '') =>
    bytes === undefined
      ? (ESCAPES[one] ?? one)
      : new TextDecoder().decode(
          Uint8Array.from(bytes.slice(1).split('\\'), (octal) => Number.parseInt(octal, 8)),
        ),
  );
