import { stringValue, type SyntaxNode } from '../syntax-tree.ts';

/** The plain text of a string literal in any of the grammars; undefined when parts are computed. */
export const literalOf = (node: SyntaxNode | null | undefined): string | undefined => {
  if (node === null || node === undefined) return undefined;
  const kind = String(node.kind());
  if (!/string|literal/.test(kind)) return undefined;
  const value = stringValue(node);
  if (value !== undefined) return value;
  // Grammars differ in what they call the parts; what has no holes and no escapes is as written.
  return /^[rub@]{0,2}(['"`])((?:(?!\1)[^\\{}$#]|[{}$#](?=[^{])|\{[\w:.*?=<>-]*\})*)\1$/i.exec(
    node.text(),
  )?.[2];
};

/** The first plain text among the nodes and their direct children: `("/x")`, `(value = "/x")`. */
export const firstLiteral = (nodes: readonly SyntaxNode[]): string | undefined => {
  for (const node of nodes) {
    const own = literalOf(node);
    if (own !== undefined) return own;
    const inner = firstLiteral(node.namedChildren());
    if (inner !== undefined) return inner;
  }
  return undefined;
};
