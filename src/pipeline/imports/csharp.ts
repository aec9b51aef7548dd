import { emptyFacts, type FileFacts, type ImportFact } from '../file-facts.ts';
import { definitionsAmong, factOf, type DefinitionTable } from '../tree-definitions.ts';
import {
  fieldText,
  firstMentions,
  lineOf,
  nodesOfKinds,
  outside,
  type SyntaxNode,
} from '../syntax-tree.ts';

const DEFINITIONS: DefinitionTable = {
  namespace_declaration: 'module',
  class_declaration: 'class',
  struct_declaration: 'class',
  record_declaration: 'class',
  interface_declaration: 'interface',
  enum_declaration: 'enum',
  delegate_declaration: 'type',
  method_declaration: 'method',
  constructor_declaration: 'method',
  property_declaration: 'constant',
};
const FILE_NAMESPACE = 'file_scoped_namespace_declaration';

/** Conditional compilation makes text that no grammar takes, so errors say nothing about the file. */
export const readCsharp = (root: SyntaxNode): FileFacts => {
  const nodes = nodesOfKinds(root, [
    'using_directive',
    FILE_NAMESPACE,
    ...Object.keys(DEFINITIONS),
  ]);
  const definitions = definitionsAmong(nodes, DEFINITIONS);
  const fileNamespace = nodes
    .filter((node) => node.kind() === FILE_NAMESPACE)
    .map((node) => nameOf(fieldText(node, 'name')))[0];
  const within = (path: readonly string[]): string =>
    [...(fileNamespace === undefined ? [] : [fileNamespace]), ...path.map(nameOf)].join('.');
  const packages = definitions
    .filter(({ kind, isOuter }) => kind === 'module' && isOuter)
    .map(({ path }) => within(path));
  return {
    ...emptyFacts('dotnet'),
    packages: unique(fileNamespace === undefined ? ['', ...packages] : [fileNamespace]),
    imports: nodes.filter((node) => node.kind() === 'using_directive').flatMap(importOf),
    declares: unique(
      definitions
        .filter(({ kind, isOuter }) => isOuter && kind !== 'module')
        .map(({ path }) => within(path)),
    ),
    mentions: [
      ...firstMentions(
        outside(
          root.findAll({ rule: { all: [{ kind: 'identifier' }, { regex: '^[A-Z]' }] } }),
          nodes.filter((node) => node.kind() === 'using_directive'),
        ),
      ),
    ],
    definitions: definitions.map(factOf),
  };
};

const unique = (names: readonly string[]): string[] => [...new Set(names)].toSorted();

const nameOf = (text: string | undefined): string =>
  (text ?? '').replace(/\s+/g, '').replace(/^global::/, '');

const importOf = (node: SyntaxNode): readonly ImportFact[] => {
  const words = new Set(node.children().map((child) => String(child.kind())));
  const target = node.namedChildren().at(-1);
  if (target === undefined) return [];
  const specifier = nameOf(target.text().replace(/<[^]*$/, ''));
  const isWhole = words.has('static') || words.has('=');
  return [
    {
      specifier,
      kind: 'import',
      line: lineOf(node),
      ...(words.has('global') && { form: 'global' as const }),
      ...(isWhole && { names: ['*'] }),
    },
  ];
};
