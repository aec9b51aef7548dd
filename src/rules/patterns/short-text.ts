import type { SyntaxNode } from '../../pipeline/syntax-tree.ts';

/**
 * The text of a node without its white space; nothing of a longer one. In a chain of ten thousand calls
 * each receiver is as long as the chain before it, and copying them all would be quadratic.
 */
export const shortText = (node: SyntaxNode | undefined | null, lengthMax = 300): string => {
  if (node === undefined || node === null || lengthOf(node) > lengthMax) return '';
  return node.text().replace(/\s+/g, '');
};

export const lengthOf = (node: SyntaxNode): number => {
  const { start, end } = node.range();
  return end.index - start.index;
};
