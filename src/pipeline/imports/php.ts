import { emptyFacts, type FileFacts, type ImportFact } from '../file-facts.ts';
import { definitionsAmong, factOf, type DefinitionTable } from '../tree-definitions.ts';
import {
  childOfKind,
  fieldText,
  firstMentions,
  inOrder,
  lineOf,
  nodesOfKinds,
  stringValue,
  type SyntaxNode,
} from '../syntax-tree.ts';

const DEFINITIONS: DefinitionTable = {
  class_declaration: 'class',
  interface_declaration: 'interface',
  trait_declaration: 'class',
  enum_declaration: 'enum',
  function_definition: 'function',
  method_declaration: 'method',
  const_element: 'constant',
};
const INCLUDES = [
  'include_expression',
  'include_once_expression',
  'require_expression',
  'require_once_expression',
];

/** Names are told whole, without a backslash in front. Templates make text that no grammar takes. */
export const readPhp = (root: SyntaxNode): FileFacts => {
  const nodes = nodesOfKinds(root, [
    'namespace_definition',
    'namespace_use_declaration',
    'qualified_name',
    ...INCLUDES,
    ...Object.keys(DEFINITIONS),
  ]);
  const definitions = definitionsAmong(nodes, DEFINITIONS, constantNames);
  const spaces = nodes.filter((node) => node.kind() === 'namespace_definition').map(namespaceOf);
  const namespaceAt = (index: number): string =>
    spaces.findLast(({ start }) => start <= index)?.name ?? '';
  const uses = nodes.filter((node) => node.kind() === 'namespace_use_declaration');
  return {
    ...emptyFacts('php'),
    packages: [...new Set(spaces.length === 0 ? [''] : spaces.map(({ name }) => name))],
    imports: [
      ...uses.flatMap(usesOf),
      ...nodes.filter((node) => INCLUDES.includes(String(node.kind()))).flatMap(includeOf),
      ...wholeNames(nodes, uses),
    ],
    declares: [
      ...new Set(
        definitions
          .filter(({ isOuter }) => isOuter)
          .map(({ name, node }) => joined(namespaceAt(node.range().start.index), name)),
      ),
    ].toSorted(),
    mentions: [...firstMentions(typeNames(root))],
    definitions: definitions.map(factOf),
  };
};

const joined = (namespace: string, name: string): string =>
  namespace === '' ? name : `${namespace}\\${name}`;

const namespaceOf = (node: SyntaxNode): { readonly start: number; readonly name: string } => ({
  start: node.range().start.index,
  name: withoutSpace(fieldText(node, 'name') ?? ''),
});

const withoutSpace = (name: string): string => name.replace(/\s+/g, '').replace(/^\\/, '');

const constantNames = (node: SyntaxNode, kind: string): readonly string[] => {
  const name =
    kind === 'const_element' ? childOfKind(node, 'name')?.text() : fieldText(node, 'name');
  return name === undefined ? [] : [name];
};

const usesOf = (node: SyntaxNode): readonly ImportFact[] => {
  const line = lineOf(node);
  const group = childOfKind(node, 'namespace_use_group');
  const prefix =
    group === undefined ? '' : withoutSpace(childOfKind(node, 'namespace_name')?.text() ?? '');
  const clauses = (group ?? node)
    .namedChildren()
    .filter((child) => child.kind() === 'namespace_use_clause');
  return clauses.flatMap((clause): readonly ImportFact[] => {
    const name = clause.namedChildren().find((child) => {
      const kind = child.kind();
      return kind === 'qualified_name' || kind === 'name';
    });
    if (name === undefined) return [];
    return [{ specifier: joined(prefix, withoutSpace(name.text())), kind: 'import', line }];
  });
};

/** `\A\B` where it is used, without a `use`. Those in `use` statements are there already. */
const wholeNames = (
  nodes: readonly SyntaxNode[],
  uses: readonly SyntaxNode[],
): readonly ImportFact[] => {
  const starts = new Set(uses.map(lineOf));
  const seen = new Set<string>();
  return nodes.flatMap((node): readonly ImportFact[] => {
    if (node.kind() !== 'qualified_name') return [];
    const text = node.text().replace(/\s+/g, '');
    if (seen.has(text) || starts.has(lineOf(node))) return [];
    seen.add(text);
    const isWhole = text.startsWith('\\');
    return [
      {
        specifier: withoutSpace(text),
        kind: 'import',
        line: lineOf(node),
        ...(!isWhole && { form: 'partial' as const }),
      },
    ];
  });
};

const TYPE_PLACES = [
  'named_type',
  'base_clause',
  'class_interface_clause',
  'object_creation_expression',
  'scoped_call_expression',
  'class_constant_access_expression',
  'scoped_property_access_expression',
  'use_declaration',
  'attribute',
  'binary_expression',
  'type_list',
];

const typeNames = (root: SyntaxNode): readonly SyntaxNode[] =>
  inOrder(
    nodesOfKinds(root, TYPE_PLACES)
      .flatMap((place) => place.namedChildren())
      .filter((child) => child.kind() === 'name' && /^[A-Z]/.test(child.text())),
  );

/** Paths from the file's own folder begin with a dot; plain ones are looked for in several places. */
const includeOf = (node: SyntaxNode): readonly ImportFact[] => {
  const argument = node.namedChildren()[0];
  const path = argument === undefined ? undefined : pathOf(argument);
  if (path === undefined || path === '') return [];
  return [
    {
      specifier: path,
      kind: 'require',
      line: lineOf(node),
      ...(path.startsWith('./') && { form: 'relative' as const }),
    },
  ];
};

/** The value of an expression that holds only texts and the file's own folder. */
const pathOf = (node: SyntaxNode): string | undefined => {
  switch (String(node.kind())) {
    case 'string':
    case 'encapsed_string':
      return stringValue(node);
    case 'parenthesized_expression':
    case 'argument': {
      const inner = node.namedChildren()[0];
      return inner === undefined ? undefined : pathOf(inner);
    }
    case 'name':
      return node.text() === '__DIR__' ? '.' : node.text() === '__FILE__' ? './x' : undefined;
    case 'binary_expression': {
      const left = node.field('left');
      const right = node.field('right');
      if (left === null || right === null || fieldText(node, 'operator') !== '.') return undefined;
      const [before, after] = [pathOf(left), pathOf(right)];
      return before === undefined || after === undefined ? undefined : before + after;
    }
    case 'function_call_expression':
      return folderOf(node);
    default:
      return undefined;
  }
};

/** `dirname(x)` and `dirname(x, levels)`. */
const folderOf = (node: SyntaxNode): string | undefined => {
  if (fieldText(node, 'function')?.replace(/^\\/, '') !== 'dirname') return undefined;
  const [path, levels] = node.field('arguments')?.namedChildren() ?? [];
  const inner = path === undefined ? undefined : pathOf(path);
  const steps = levels === undefined ? 1 : Number(levels.text());
  if (inner === undefined || !(steps >= 1 && steps <= STEPS_MAX)) return undefined;
  return inner === './x'
    ? ['.', ...Array<string>(steps - 1).fill('..')].join('/')
    : `${inner}${'/..'.repeat(steps)}`;
};

const STEPS_MAX = 50;
