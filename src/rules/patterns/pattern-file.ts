import type { SyntaxNode } from '../../pipeline/syntax-tree.ts';
import { readCall, type Call } from './call.ts';
import { piecesOf, type Piece } from './pieces.ts';
import { createScopes, type Scopes } from './scopes.ts';
import type { LanguageSyntax } from './syntax/language-syntax.ts';

/** A parsed file, and what its expressions are made of. */
export type PatternFile = {
  readonly text: string;
  readonly pieces: (node: SyntaxNode) => readonly Piece[];
  /** Nothing in it comes from elsewhere. */
  readonly isConstant: (node: SyntaxNode) => boolean;
  /** Some of it comes from a request. */
  readonly isFromRequest: (node: SyntaxNode) => boolean;
  /** Its text, when nothing of it is computed. */
  readonly constantText: (node: SyntaxNode | undefined) => string | undefined;
  /** Whether the function around the node has such words: a check that we do not follow. */
  readonly isGuarded: (node: SyntaxNode, words: RegExp) => boolean;
  readonly call: (node: SyntaxNode) => Call | undefined;
};

/** Of a longer function the beginning counts. */
const GUARD_LENGTH_MAX = 20_000;

export const createPatternFile = (
  root: SyntaxNode,
  text: string,
  syntax: LanguageSyntax,
): PatternFile => {
  let known: Scopes | undefined;
  const scopes = (): Scopes => (known ??= createScopes(root, syntax));
  const pieces = (node: SyntaxNode): readonly Piece[] => piecesOf(node, syntax, scopes);
  const functionTexts = new Map<number, string>();
  return {
    text,
    pieces,
    isConstant: (node) => pieces(node).every(({ kind }) => kind === 'text'),
    isFromRequest: (node) => pieces(node).some((one) => one.kind === 'hole' && one.isFromRequest),
    constantText: (node) => {
      if (node === undefined) return undefined;
      const parts = pieces(node);
      const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
      return parts.length > 0 && texts.length === parts.length ? texts.join('') : undefined;
    },
    isGuarded: (node, words) => {
      const around = scopes().functionAt(node.range().start.index);
      const id = around?.id() ?? -1;
      const body =
        functionTexts.get(id) ??
        (around?.text() ?? scopes().outerText(text)).slice(0, GUARD_LENGTH_MAX);
      functionTexts.set(id, body);
      return words.test(body);
    },
    call: (node) => readCall(node, syntax),
  };
};
