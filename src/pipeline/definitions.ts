/**
 * Which definition each line of a source file belongs to, by names and indentation alone: a line is
 * inside the nearest line above it that looks like a definition and is indented less. It is the
 * same in any language that people indent, needs no grammar, and is only used for identity: a name
 * that it gets wrong is wrong in the same way at the next audit.
 *
 * @returns for each line (from 0) the names from the outside in, for example `Store.save`; the empty
 *   string for a line in none. One pass over the text.
 */
export const definitionsOf = (lines: readonly string[]): readonly string[] => {
  const open: { readonly indent: number; readonly path: string }[] = [];
  let last = '';
  return lines.map((line) => {
    const text = line.trimStart();
    // A blank line or a lone bracket says nothing about where a block ends.
    if (/^[\s)}\];,]*$/.test(text)) return last;
    const indent = indentOf(line, line.length - text.length);
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const name = definedName(text.slice(0, LINE_LENGTH_MAX));
    const outer = open.at(-1)?.path ?? '';
    if (name !== undefined) {
      open.push({ indent, path: outer === '' ? name : `${outer}.${name}` });
    }
    last = open.at(-1)?.path ?? '';
    return last;
  });
};

/** Definitions start within this; it keeps the patterns cheap on generated lines. */
const LINE_LENGTH_MAX = 300;
const TAB_WIDTH = 4;

const indentOf = (line: string, length: number): number => {
  let indent = 0;
  for (let index = 0; index < length; index += 1) indent += line[index] === '\t' ? TAB_WIDTH : 1;
  return indent;
};

const MODIFIERS =
  /^(?:(?:export|default|declare|public|private|protected|internal|static|async|abstract|final|sealed|override|readonly|pub(?:\([^)]*\))?|unsafe|open|inline|suspend|data|partial|extern|virtual|constexpr)\s+)+/;
const KEYWORD =
  /^(?:function\s*\*?|class|interface|trait|struct|enum|impl|module|namespace|object|record|protocol|extension|type|def|fn|func|fun|sub)\s+(?:\([^)]*\)\s*)?([\p{L}_$][\p{L}\p{N}_$.:]*)/u;
const BOUND =
  /^(?:(?:const|let|var|val)\s+)?([\p{L}_$][\p{L}\p{N}_$.]*)\s*(?::[^=]{0,80})?=\s*(?:async\s*)?(?:function\b|class\b|\([^()]*\)\s*(?::[^=]{0,80})?=>|[\p{L}_$][\p{L}\p{N}_$]*\s*=>)/u;
const CALLED = /^([\p{L}\p{N}_$#~<>[\]*&:.,\s]*?)([\p{L}_$#~][\p{L}\p{N}_$]*)\s*\(([^;]*)\{\s*$/u;
const NO_NAME = new Set([
  'if',
  'for',
  'foreach',
  'while',
  'switch',
  'catch',
  'with',
  'else',
  'return',
]);

const definedName = (text: string): string | undefined => {
  const bare = text.replace(MODIFIERS, '');
  const named = KEYWORD.exec(bare)?.[1] ?? BOUND.exec(bare)?.[1];
  if (named !== undefined) return named;
  const called = bare.trimEnd().endsWith('{') ? CALLED.exec(bare) : undefined;
  const name = called?.[2];
  if (name === undefined || NO_NAME.has(name)) return undefined;
  // `test('a promise', () => {`: blocks of one caller are told apart by their first text.
  const label = /^\s*(['"`])([^'"`]{1,80})\1/.exec(called?.[3] ?? '')?.[2];
  return label === undefined ? name : `${name}(${label})`;
};
