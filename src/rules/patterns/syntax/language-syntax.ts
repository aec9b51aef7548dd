import type { NodeMatcher, SyntaxNode } from '../../../pipeline/syntax-tree.ts';

/** How a language writes a call. */
export type CallShape = {
  readonly kind: string;
  /** What finds such calls by their last word. It reads names alone, never a whole chain of calls. */
  readonly find: (names: string) => NodeMatcher;
  readonly read: (
    node: SyntaxNode,
  ) => { readonly name: SyntaxNode; readonly receiver?: SyntaxNode | undefined } | undefined;
  /** The node whose children are the arguments. */
  readonly list: (node: SyntaxNode) => SyntaxNode | undefined;
};

/** `name = value` in any of its forms. */
export type Assignment = { readonly name: string; readonly value: SyntaxNode };

/** What the rules have to know of a language's grammar. */
export type LanguageSyntax = {
  readonly calls: readonly CallShape[];
  readonly argument: (
    node: SyntaxNode,
  ) => { readonly name: string; readonly value: SyntaxNode } | undefined;
  /** Kinds of functions, whose names are their own. */
  readonly functions: readonly string[];
  /** The parameters that a request fills: the framework says so by an annotation or a decorator. */
  readonly requestParameters: (node: SyntaxNode) => readonly string[];
  readonly parameters: (node: SyntaxNode) => readonly string[];
  readonly assignments: readonly string[];
  readonly readAssignment: (node: SyntaxNode) => readonly Assignment[];
  /** Kinds of names that an assignment may give a value. */
  readonly names: ReadonlySet<string>;
  /** Calls that put text together: `format`, `sprintf`. */
  readonly formats: ReadonlySet<string>;
  /** Texts of expressions that a request fills. */
  readonly request: RegExp;
};
