import { parseAsync, registerDynamicLanguage, type NapiConfig, type SgNode } from '@ast-grep/napi';
import c from '@ast-grep/lang-c';
import cpp from '@ast-grep/lang-cpp';
import csharp from '@ast-grep/lang-csharp';
import go from '@ast-grep/lang-go';
import java from '@ast-grep/lang-java';
import kotlin from '@ast-grep/lang-kotlin';
import php from '@ast-grep/lang-php';
import python from '@ast-grep/lang-python';
import ruby from '@ast-grep/lang-ruby';
import rust from '@ast-grep/lang-rust';

const GRAMMARS = { c, cpp, csharp, go, java, kotlin, php, python, ruby, rust } as const;
export type Grammar = keyof typeof GRAMMARS;
/** What the parser itself brings, on each machine. */
export type ScriptGrammar = 'JavaScript' | 'TypeScript' | 'Tsx';
export type SyntaxNode = SgNode;
/** What a node has to look like. */
export type NodeMatcher = NapiConfig['rule'];

let registered: ReadonlySet<Grammar> | undefined;

/**
 * Registers, in one call, all grammars that are built for this machine. The parser takes one call in
 * the life of a process and ignores any later one, so whoever needs a grammar comes here.
 *
 * @returns those that can be used.
 */
export const registerGrammars = (): ReadonlySet<Grammar> => {
  if (registered !== undefined) return registered;
  const usable = Object.entries(GRAMMARS).filter(([, grammar]) => isBuilt(grammar));
  registerDynamicLanguage(Object.fromEntries(usable));
  registered = new Set(usable.map(([name]) => name as Grammar));
  return registered;
};

/** The path is looked for when it is read, and that throws where nothing was built. */
const isBuilt = (grammar: { readonly libraryPath: string }): boolean => {
  try {
    return grammar.libraryPath !== '';
  } catch {
    return false;
  }
};

/** Parsed on a thread of its own. Undefined without the grammar. */
export const parseTree = async (
  grammar: Grammar | ScriptGrammar,
  text: string,
): Promise<SyntaxNode | undefined> => {
  const isThere = isScriptGrammar(grammar) || registerGrammars().has(grammar);
  return isThere ? (await parseAsync(grammar, text)).root() : undefined;
};

const isScriptGrammar = (grammar: Grammar | ScriptGrammar): grammar is ScriptGrammar =>
  grammar === 'JavaScript' || grammar === 'TypeScript' || grammar === 'Tsx';

/** Nodes of these kinds in the order of the text, outer before inner, by one walk over the tree. */
export const nodesOfKinds = (root: SyntaxNode, kinds: readonly string[]): readonly SyntaxNode[] =>
  root.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } });

export const lineOf = (node: SyntaxNode): number => node.range().start.line + 1;

/** The text of the child in a field; undefined when there is none. */
export const fieldText = (node: SyntaxNode, field: string): string | undefined =>
  node.field(field)?.text();

/** All children in a field, without the commas between them. */
export const namedFields = (node: SyntaxNode, field: string): readonly SyntaxNode[] =>
  node.fieldChildren(field).filter((child) => child.isNamed());

export const childOfKind = (node: SyntaxNode, kind: string): SyntaxNode | undefined =>
  node.namedChildren().find((child) => child.kind() === kind);

/** The value of a string literal, in whatever quotes; undefined when parts of it are computed. */
export const stringValue = (node: SyntaxNode): string | undefined => {
  const children = node.namedChildren();
  if (children.length === 0) return node.text().length <= 2 ? '' : undefined;
  const contents = children.filter((child) => CONTENT_KINDS.has(String(child.kind())));
  const others = children.length - contents.length;
  const isPlain = others === children.filter((child) => isQuote(String(child.kind()))).length;
  return isPlain ? contents.map((child) => child.text()).join('') : undefined;
};

const CONTENT_KINDS: ReadonlySet<string> = new Set([
  'string_content',
  'interpreted_string_literal_content',
  'raw_string_literal_content',
]);
const isQuote = (kind: string): boolean => kind === 'string_start' || kind === 'string_end';

/**
 * Those of the nodes that lie in none of the others; both in the order of the text. By their places: a
 * rule over a node's surroundings asks for its parent, and in a tree that is a list (ten thousand `#if`)
 * the way to a parent is as long as the tree.
 */
export const outside = (
  nodes: readonly SyntaxNode[],
  others: readonly SyntaxNode[],
): readonly SyntaxNode[] => {
  const ranges = others.map(placeOf);
  let next = 0;
  let end = -1;
  return nodes.filter((node) => {
    const { from } = placeOf(node);
    for (; next < ranges.length && (ranges[next]?.from ?? 0) <= from; next += 1) {
      end = Math.max(end, ranges[next]?.to ?? 0);
    }
    return from >= end;
  });
};

/** In the order of the text. */
export const inOrder = (nodes: readonly SyntaxNode[]): readonly SyntaxNode[] =>
  nodes
    .map((node) => ({ node, from: placeOf(node).from }))
    .toSorted((left, right) => left.from - right.from)
    .map(({ node }) => node);

const placeOf = (node: SyntaxNode): { readonly from: number; readonly to: number } => {
  const { start, end } = node.range();
  return { from: start.index, to: end.index };
};

/** Each name once, by its first line, in the order of first use. */
export const firstMentions = (
  nodes: readonly SyntaxNode[],
): readonly { readonly name: string; readonly line: number }[] => {
  const first = new Map<string, SyntaxNode>();
  for (const node of nodes) {
    const name = node.text();
    if (!first.has(name)) first.set(name, node);
  }
  return [...first].map(([name, node]) => ({ name, line: lineOf(node) }));
};

/** Places that the parser could make nothing of. */
export const errorsOf = (
  root: SyntaxNode,
  text: string,
): readonly { readonly line: number; readonly message: string }[] => {
  const found = root.findAll({ rule: { kind: 'ERROR' } });
  return found.slice(0, ERRORS_MAX).map((node) => {
    const shown = node.text().trim().split('\n', 1)[0] ?? '';
    // A file that ends too early has its error at the end of its last line.
    const line = Math.min(lineOf(node), text.split('\n').length);
    return {
      line,
      message: shown === '' ? 'Unexpected end' : `Unexpected \`${shown.slice(0, SHOWN_MAX)}\``,
    };
  });
};

/** The first ones tell; the others mostly follow from them. */
const ERRORS_MAX = 20;
const SHOWN_MAX = 60;
