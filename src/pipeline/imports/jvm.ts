import { emptyFacts, type FileFacts, type ImportFact } from '../file-facts.ts';
import { definitionsAmong, factOf, type DefinitionTable } from '../tree-definitions.ts';
import { errorsOf, firstMentions, lineOf, nodesOfKinds, type SyntaxNode } from '../syntax-tree.ts';

const JAVA: DefinitionTable = {
  class_declaration: 'class',
  record_declaration: 'class',
  interface_declaration: 'interface',
  annotation_type_declaration: 'interface',
  enum_declaration: 'enum',
  method_declaration: 'method',
  constructor_declaration: 'method',
  compact_constructor_declaration: 'method',
  module_declaration: 'module',
};

const KOTLIN: DefinitionTable = {
  class_declaration: 'class',
  object_declaration: 'class',
  function_declaration: 'function',
  property_declaration: 'constant',
  type_alias: 'type',
};

export const readJava = (root: SyntaxNode, text: string): FileFacts => {
  const nodes = nodesOfKinds(root, [
    'package_declaration',
    'import_declaration',
    ...Object.keys(JAVA),
  ]);
  const [packageName = ''] = ofKind(nodes, 'package_declaration').map((node) =>
    withoutKeyword(node.text(), /^[^;]*?\bpackage\s/),
  );
  const definitions = definitionsAmong(nodes, JAVA);
  return {
    ...emptyFacts('jvm'),
    packages: [packageName],
    imports: ofKind(nodes, 'import_declaration').map((node) => ({
      specifier: withoutKeyword(node.text(), /^import\s+(?:static\s+)?/),
      kind: 'import',
      line: lineOf(node),
    })),
    declares: declaredIn(packageName, definitions),
    mentions: [...mentionsIn(root, ['type_identifier', 'identifier'])],
    definitions: definitions.map(factOf),
    syntaxErrors: [...errorsOf(root, text)],
  };
};

/** The grammar does not know all of the language, so its errors say nothing about the file. */
export const readKotlin = (root: SyntaxNode): FileFacts => {
  const nodes = nodesOfKinds(root, ['package_header', 'import_header', ...Object.keys(KOTLIN)]);
  const [packageName = ''] = ofKind(nodes, 'package_header').map((node) =>
    withoutKeyword(node.text(), /^package\s/),
  );
  const definitions = definitionsAmong(nodes, KOTLIN, kotlinNames);
  return {
    ...emptyFacts('jvm'),
    packages: [packageName],
    imports: ofKind(nodes, 'import_header').map(kotlinImport),
    declares: declaredIn(packageName, definitions),
    mentions: [...mentionsIn(root, ['type_identifier', 'simple_identifier'])],
    definitions: definitions.map((definition) => ({
      ...factOf(definition),
      kind: kotlinKind(definition.node, definition.kind),
    })),
  };
};

const ofKind = (nodes: readonly SyntaxNode[], kind: string): readonly SyntaxNode[] =>
  nodes.filter((node) => node.kind() === kind);

/** `import a . b ;` without what is not the name. */
const withoutKeyword = (statement: string, keyword: RegExp): string =>
  statement
    .replace(/\/\*[^]*?\*\/|\/\/.*/g, ' ')
    .trim()
    .replace(keyword, '')
    .replace(/[\s;]+/g, '');

const declaredIn = (
  packageName: string,
  definitions: ReturnType<typeof definitionsAmong>,
): string[] => {
  const prefix = packageName === '' ? '' : `${packageName}.`;
  const outer = definitions.filter(({ isOuter }) => isOuter).map(({ name }) => prefix + name);
  return [...new Set(outer)].toSorted();
};

/** Types begin with a capital, by a convention that hardly anybody breaks. */
const mentionsIn = (root: SyntaxNode, kinds: readonly string[]): FileFacts['mentions'] => [
  ...firstMentions(
    root.findAll({
      rule: { all: [{ any: kinds.map((kind) => ({ kind })) }, { regex: '^[A-Z]' }] },
    }),
  ),
];

const kotlinImport = (node: SyntaxNode): ImportFact => {
  const children = node.namedChildren();
  const name = (children[0]?.text() ?? '').replace(/[\s`]+/g, '');
  const isWildcard = children.some((child) => child.kind() === 'wildcard_import');
  return { specifier: isWildcard ? `${name}.*` : name, kind: 'import', line: lineOf(node) };
};

const kotlinNames = (node: SyntaxNode, kind: string): readonly string[] => {
  const children = node.namedChildren();
  const holder =
    kind === 'property_declaration'
      ? children.find((child) => child.kind() === 'variable_declaration')?.namedChildren()
      : children;
  const name = holder?.find((child) => {
    const childKind = child.kind();
    return childKind === 'simple_identifier' || childKind === 'type_identifier';
  });
  return name === undefined ? [] : [name.text()];
};

const kotlinKind = (
  node: SyntaxNode,
  kind: ReturnType<typeof factOf>['kind'],
): ReturnType<typeof factOf>['kind'] => {
  if (kind !== 'class') return kind;
  const words = node.children().map((child) => child.kind());
  if (words.includes('interface')) return 'interface';
  return words.includes('enum') ? 'enum' : kind;
};
