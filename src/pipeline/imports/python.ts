import { emptyFacts, type FileFacts, type ImportFact } from '../file-facts.ts';
import { definitionsAmong, factOf, type DefinitionTable } from '../tree-definitions.ts';
import { errorsOf, lineOf, namedFields, nodesOfKinds, type SyntaxNode } from '../syntax-tree.ts';

/** `from __future__` names no module, and its node is of another kind. */
const IMPORTS = ['import_statement', 'import_from_statement'];
const DEFINITIONS: DefinitionTable = {
  function_definition: 'function',
  class_definition: 'class',
};

export const readPython = (root: SyntaxNode, text: string): FileFacts => {
  const nodes = nodesOfKinds(root, [...IMPORTS, ...Object.keys(DEFINITIONS)]);
  return {
    ...emptyFacts('python'),
    imports: nodes.filter((node) => IMPORTS.includes(String(node.kind()))).flatMap(importsOf),
    definitions: definitionsAmong(nodes, DEFINITIONS).map((definition) => ({
      ...factOf(definition),
      line: firstLineOf(definition.node, definition.line),
    })),
    syntaxErrors: [...errorsOf(root, text)],
  };
};

const importsOf = (node: SyntaxNode): readonly ImportFact[] => {
  const line = lineOf(node);
  const kind = kindOf(node);
  const from = node.field('module_name');
  const names = namedFields(node, 'name').map(importedName);
  if (from === null) return names.map((specifier) => ({ specifier, kind, line }));
  const specifier = from.text().replace(/\s+/g, '');
  return [{ specifier, kind, line, names: names.length === 0 ? ['*'] : names }];
};

const importedName = (node: SyntaxNode): string => {
  const name = node.kind() === 'aliased_import' ? node.field('name') : node;
  return (name?.text() ?? '').replace(/\s+/g, '');
};

/** In a function it loads when that is called; under `TYPE_CHECKING` it never does. */
const kindOf = (node: SyntaxNode): ImportFact['kind'] => {
  if (node.range().start.column === 0) return 'import';
  let inner = node;
  for (const outer of node.ancestors()) {
    const kind = outer.kind();
    if (kind === 'function_definition' || kind === 'lambda') return 'dynamic';
    if (kind === 'if_statement' && isConsequence(outer, inner)) {
      const condition = outer.field('condition')?.text() ?? '';
      if (/^(?:\w+\.)?TYPE_CHECKING$/.test(condition)) return 'type';
    }
    inner = outer;
  }
  return 'import';
};

const isConsequence = (statement: SyntaxNode, child: SyntaxNode): boolean =>
  statement.field('consequence')?.id() === child.id();

/** A definition begins with its decorators. */
const firstLineOf = (node: SyntaxNode, line: number): number => {
  const parent = node.parent();
  return parent !== null && parent.kind() === 'decorated_definition' ? lineOf(parent) : line;
};
