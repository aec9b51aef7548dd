import type { SyntaxNode } from '../../pipeline/syntax-tree.ts';
import { readCall, type Call } from './call.ts';
import { piecesOf, type Piece } from './pieces.ts';
import { createScopes, type Scopes } from './scopes.ts';
import { lengthOf } from './short-text.ts';
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
  /** Whether such words stand there beside a name that the value is made of: a check of that value. */
  readonly isChecked: (value: SyntaxNode, words: RegExp) => boolean;
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
  const bodyAround = (node: SyntaxNode): string => {
    const around = scopes().functionAt(node.range().start.index);
    const id = around?.id() ?? -1;
    const body =
      functionTexts.get(id) ??
      (around?.text() ?? scopes().outerText(text)).slice(0, GUARD_LENGTH_MAX);
    functionTexts.set(id, body);
    return body;
  };
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
    isGuarded: (node, words) => words.test(bodyAround(node)),
    isChecked: (value, words) => {
      const body = bodyAround(value);
      if (!words.test(body)) return false;
      const holes = pieces(value).flatMap((one) => (one.kind === 'hole' ? [one.node] : []));
      const names = new Set(
        [value, ...holes].flatMap((node) => (lengthOf(node) > 1000 ? [] : namesIn(node.text()))),
      );
      const lines = body.split('\n');
      return lines.some(
        (line, index) =>
          words.test(line) &&
          namesIn(lines.slice(Math.max(0, index - 1), index + 2).join('\n')).some((name) =>
            names.has(name),
          ),
      );
    },
    call: (node) => readCall(node, syntax),
  };
};

/** Names of variables and of what is asked of a request; not the words for a request itself. */
const namesIn = (text: string): readonly string[] =>
  (text.match(/[A-Za-z_]\w*/g) ?? []).filter((name) => !NO_NAME.test(name));

const NO_NAME =
  /^_?(?:GET|POST|REQUEST|COOKIE|FILES|SERVER|params|request|req|r|Request|Query|Form|args|form|values|get|getParameter|FormValue|URL|Get|data|json|body|self|this|os|path|filepath|File|Path|IO|System|join|Join|Combine|if|not|return|new|String|string|str|var|const|let|func|def|end)$/;
