import type { SyntaxNode } from '../../pipeline/syntax-tree.ts';
import { shortText } from './short-text.ts';
import type { CallShape, LanguageSyntax } from './syntax/language-syntax.ts';

export type Argument = {
  /** Of a named argument; empty for one by place. */
  readonly name: string;
  readonly value: SyntaxNode;
};

/** A call, or the making of an object, in the same form for each language. */
export type Call = {
  readonly node: SyntaxNode;
  /** Last word of what is called. */
  readonly name: string;
  /** Where that word stands. */
  readonly nameNode: SyntaxNode;
  readonly receiver: SyntaxNode | undefined;
  /** Its text without white space; empty without a receiver, and for one too long to be a name. */
  readonly receiverText: string;
  readonly args: readonly Argument[];
  /** By place, names left out. */
  readonly at: (index: number) => SyntaxNode | undefined;
  readonly named: (name: string) => SyntaxNode | undefined;
};

/** Undefined when the node calls nothing that has a name. */
export const readCall = (node: SyntaxNode, syntax: LanguageSyntax): Call | undefined => {
  const shape = syntax.calls.find(({ kind }) => kind === node.kind());
  const callee = shape?.read(node);
  if (shape === undefined || callee === undefined) return undefined;
  const args = argumentsOf(node, shape, syntax);
  const byPlace = args.filter(({ name }) => name === '');
  return {
    node,
    name: callee.name.text(),
    nameNode: callee.name,
    receiver: callee.receiver,
    receiverText: shortText(callee.receiver),
    args,
    at: (index) => byPlace[index]?.value,
    named: (wanted) => args.find(({ name }) => name === wanted)?.value,
  };
};

const argumentsOf = (
  node: SyntaxNode,
  shape: CallShape,
  syntax: LanguageSyntax,
): readonly Argument[] => {
  const list = shape.list(node);
  if (list === undefined) return [];
  return list
    .namedChildren()
    .filter((child) => child.kind() !== 'comment')
    .map(syntax.argument)
    .filter((one) => one !== undefined);
};
