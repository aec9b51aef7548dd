import type { DefinitionFact } from './file-facts.ts';
import type { SyntaxNode } from './syntax-tree.ts';

/** What a node of a grammar defines, by the node's kind. */
export type DefinitionTable = Readonly<Record<string, DefinitionFact['kind']>>;

export type Definition = DefinitionFact & {
  readonly node: SyntaxNode;
  /** Names from the outside in, its own last. */
  readonly path: readonly string[];
  /** All definitions around it are modules: others may reach it by its whole name. */
  readonly isOuter: boolean;
};

/**
 * The definitions among the nodes, nested by their ranges.
 *
 * @param nodes in the order of the text, outer before inner.
 * @param namesOf names that a node defines; none for what has no name. By default its `name` field.
 */
export const definitionsAmong = (
  nodes: readonly SyntaxNode[],
  table: DefinitionTable,
  namesOf: (node: SyntaxNode, kind: string) => readonly string[] = namesByField,
): readonly Definition[] => {
  const open: { readonly end: number; readonly definition: Definition }[] = [];
  const found: Definition[] = [];
  for (const node of nodes) {
    const nodeKind = String(node.kind());
    const kind = table[nodeKind];
    if (kind === undefined) continue;
    const { start, end } = node.range();
    while ((open.at(-1)?.end ?? Infinity) <= start.index) open.pop();
    const outer = open.at(-1)?.definition;
    // A constant of a function is nobody's business outside of it.
    if (kind === 'constant' && outer !== undefined && !HOLDS_CONSTANTS.has(outer.kind)) continue;
    const isInClass = outer !== undefined && IS_CLASS.has(outer.kind);
    const isOuter = outer === undefined || (outer.isOuter && outer.kind === 'module');
    for (const name of namesOf(node, nodeKind)) {
      const definition: Definition = {
        name,
        kind: kind === 'function' && isInClass ? 'method' : kind,
        line: start.line + 1,
        // A range that ends at the beginning of a line does not reach into it.
        endLine: Math.max(start.line + 1, end.column === 0 ? end.line : end.line + 1),
        depth: open.length,
        node,
        path: [...(outer?.path ?? []), name],
        isOuter,
      };
      found.push(definition);
      if (kind !== 'constant') {
        open.push({ end: end.index, definition });
        break;
      }
    }
  }
  return found;
};

const HOLDS_CONSTANTS: ReadonlySet<string> = new Set(['module', 'class', 'interface']);
const IS_CLASS: ReadonlySet<string> = new Set(['class', 'interface', 'enum']);

const namesByField = (node: SyntaxNode): readonly string[] => {
  const name = node.field('name')?.text();
  return name === undefined ? [] : [name];
};

export const factOf = ({ name, kind, line, endLine, depth }: Definition): DefinitionFact => ({
  name,
  kind,
  line,
  endLine,
  depth,
});
