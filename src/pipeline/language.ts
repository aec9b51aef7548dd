import { languageByContent } from './language-heuristics.ts';
import { LINGUIST_ROWS } from './linguist-rows.ts';
import { modeOf } from './modeline.ts';

/** Says which language a file is in, by linguist's tables. `Unknown` when they have none. */
export type LanguageTable = {
  /**
   * @param path the file's path; only its name counts.
   * @param head the beginning of its text, for shebangs and what tells alike extensions apart.
   * @param tail its end, for the settings that some editors keep there.
   */
  readonly languageOf: (path: string, head: string, tail?: string) => string;
  /** By linguist's name or alias, in any case; undefined when it has no such language. */
  readonly named: (name: string) => string | undefined;
};

export const UNKNOWN_LANGUAGE = 'Unknown';

const MODULE_LANGUAGES: ReadonlySet<string> = new Set(['JavaScript', 'TypeScript', 'TSX']);

/** JavaScript in one of its forms: what the bundled parser and the bundled linter know. */
export const isModuleLanguage = (language: string): boolean => MODULE_LANGUAGES.has(language);

export const createLanguageTable = (): LanguageTable => {
  const all: readonly TableRow[] = LINGUIST_ROWS.map(
    ([name, type, extensions, filenames, interpreters, aliases]) => ({
      name,
      type,
      extensions,
      filenames,
      interpreters,
      aliases,
    }),
  );
  const byFileName = indexBy(all, (row) => row.filenames);
  const byExtension = indexBy(all, (row) =>
    row.extensions.map((extension) => extension.toLowerCase()),
  );
  const byInterpreter = indexBy(all, (row) => row.interpreters);

  const byName = new Map(
    all.flatMap((row) => [...row.aliases, row.name].map((name) => [name.toLowerCase(), row.name])),
  );
  const named = (name: string): string | undefined => byName.get(name.toLowerCase());

  const languageOf = (path: string, head: string, tail = ''): string => {
    const mode = modeOf(head, tail);
    const stated = mode === undefined ? undefined : named(mode);
    if (stated !== undefined) return stated;
    const name = path.slice(path.lastIndexOf('/') + 1);
    const byItsName = byFileName.get(name);
    if (byItsName !== undefined) return choose(name, byItsName);
    const interpreter = interpreterOf(head);
    const spoken =
      interpreter === undefined ? undefined : firstKnown(byInterpreter, versionless(interpreter));
    const extension = extensionsOf(name).find((candidate) => byExtension.has(candidate));
    if (extension === undefined) {
      return spoken === undefined ? UNKNOWN_LANGUAGE : choose(spoken.key, spoken.rows);
    }
    const rows = byExtension.get(extension) ?? [];
    if (rows.length > 1 && head.startsWith('<?xml') && rows.some(isXml)) return 'XML';
    // A shebang decides between the languages of an extension, never against it.
    const both = spoken?.rows.filter((row) => rows.includes(row)) ?? [];
    if (both.length > 0) return choose(extension, both);
    return rows.length > 1
      ? (languageByContent(extension, head) ?? choose(extension, rows))
      : choose(extension, rows);
  };
  return { languageOf, named };
};

type TableRow = {
  readonly name: string;
  readonly type: string;
  readonly extensions: readonly string[];
  readonly filenames: readonly string[];
  readonly interpreters: readonly string[];
  readonly aliases: readonly string[];
};

const isXml = (row: TableRow): boolean => row.name === 'XML';

/**
 * What people mean by a name that several languages claim, when the text does not tell them apart.
 * Where no language is usual it is the first by type and name, always the same one.
 */
const USUAL: Readonly<Record<string, string>> = {
  '.asc': 'AsciiDoc',
  '.asm': 'Assembly',
  '.bas': 'VBA',
  '.bb': 'BitBake',
  '.bf': 'Brainfuck',
  '.bs': 'BrighterScript',
  '.cake': 'C#',
  '.cfg': 'INI',
  '.cgi': 'Perl',
  '.cl': 'Common Lisp',
  '.cls': 'Apex',
  '.cs': 'C#',
  '.csl': 'XML',
  '.cue': 'CUE',
  '.d': 'D',
  '.ddl': 'SQL',
  '.es': 'JavaScript',
  '.ex': 'Elixir',
  '.fcgi': 'Perl',
  '.f': 'Fortran',
  '.for': 'Fortran',
  '.frag': 'GLSL',
  '.fs': 'F#',
  '.fx': 'HLSL',
  '.gd': 'GDScript',
  '.g': 'GAP',
  '.gml': 'XML',
  '.gs': 'JavaScript',
  '.gts': 'Glimmer TS',
  '.h': 'C',
  '.hh': 'C++',
  '.html': 'HTML',
  '.inc': 'PHP',
  '.jq': 'jq',
  '.json': 'JSON',
  '.l': 'Lex',
  '.lean': 'Lean 4',
  '.lisp': 'Common Lisp',
  '.ls': 'LiveScript',
  '.lsp': 'Common Lisp',
  '.m': 'Objective-C',
  '.mask': 'Mask',
  '.m4': 'M4',
  '.man': 'Roff Manpage',
  '.md': 'Markdown',
  '.ml': 'OCaml',
  '.mm': 'Objective-C++',
  '.n': 'Nemerle',
  '.ncl': 'Nickel',
  '.nu': 'Nushell',
  '.odin': 'Odin',
  '.php': 'PHP',
  '.pkl': 'Pkl',
  '.pl': 'Perl',
  '.plist': 'XML Property List',
  '.plt': 'Gnuplot',
  '.pm': 'Perl',
  '.pod': 'Pod',
  '.p': 'OpenEdge ABL',
  '.pc': 'Pro*C',
  '.pp': 'Puppet',
  '.pro': 'Prolog',
  '.properties': 'Java Properties',
  '.r': 'R',
  '.re': 'Reason',
  '.res': 'ReScript',
  '.rs': 'Rust',
  '.s': 'Assembly',
  '.rpy': 'Python',
  '.sc': 'Scala',
  '.scd': 'SuperCollider',
  '.scm': 'Scheme',
  '.sol': 'Solidity',
  '.spec': 'RPM Spec',
  '.sql': 'SQL',
  '.st': 'Smalltalk',
  '.star': 'Starlark',
  '.t': 'Perl',
  '.tpl': 'Smarty',
  '.ts': 'TypeScript',
  '.tsp': 'TypeSpec',
  '.tsx': 'TSX',
  '.txt': 'Text',
  '.typ': 'Typst',
  '.v': 'Verilog',
  '.vba': 'VBA',
  '.yaml': 'YAML',
  '.yml': 'YAML',
  '.yy': 'Yacc',
  '.vhost': 'ApacheConf',
  '.x': 'RPC',
  bun: 'TypeScript',
  deno: 'TypeScript',
  node: 'JavaScript',
  python: 'Python',
  sh: 'Shell',
};

const TYPE_ORDER = ['programming', 'markup', 'prose', 'data'];

const choose = (key: string, rows: readonly TableRow[]): string => {
  const usual = rows.find((row) => row.name === USUAL[key]);
  if (usual !== undefined) return usual.name;
  const [best] = rows.toSorted(
    (left, right) =>
      TYPE_ORDER.indexOf(left.type) - TYPE_ORDER.indexOf(right.type) ||
      (left.name < right.name ? -1 : 1),
  );
  return best?.name ?? UNKNOWN_LANGUAGE;
};

/** Longest first: `a.html.erb` asks for `.html.erb`, then `.erb`. A dotfile's name is no extension. */
const extensionsOf = (name: string): readonly string[] => {
  const parts = name.toLowerCase().split('.').slice(1);
  return parts.map((_, index) => `.${parts.slice(index).join('.')}`);
};

const interpreterOf = (head: string): string | undefined => {
  if (!head.startsWith('#!')) return undefined;
  const words = (head.split('\n', 1)[0] ?? '').slice(2).trim().split(/\s+/);
  const program = words[0]?.split('/').at(-1);
  if (program !== 'env') return program;
  return words.slice(1).find((word) => !word.startsWith('-') && !word.includes('='));
};

/** `python3.11` is looked up as itself, then as `python3`, then as `python`. */
const versionless = (interpreter: string): readonly string[] => [
  interpreter,
  interpreter.replace(/\.\d+$/, ''),
  interpreter.replace(/[\d.]+$/, ''),
];

const firstKnown = (
  table: ReadonlyMap<string, readonly TableRow[]>,
  keys: readonly string[],
): { readonly key: string; readonly rows: readonly TableRow[] } | undefined => {
  for (const key of keys) {
    const rows = table.get(key);
    if (rows !== undefined) return { key, rows };
  }
  return undefined;
};

const indexBy = (
  rows: readonly TableRow[],
  keysOf: (row: TableRow) => readonly string[],
): ReadonlyMap<string, readonly TableRow[]> => {
  const index = new Map<string, TableRow[]>();
  for (const row of rows) {
    for (const key of keysOf(row)) {
      const known = index.get(key);
      if (known === undefined) index.set(key, [row]);
      else known.push(row);
    }
  }
  return index;
};
