import { emptyFacts, type FileFacts, type ImportFact } from '../file-facts.ts';
import { definitionsAmong, factOf, type DefinitionTable } from '../tree-definitions.ts';
import {
  errorsOf,
  fieldText,
  firstMentions,
  inOrder,
  lineOf,
  namedFields,
  nodesOfKinds,
  outside,
  type SyntaxNode,
} from '../syntax-tree.ts';

const DEFINITIONS: DefinitionTable = {
  function_declaration: 'function',
  method_declaration: 'method',
  type_spec: 'type',
  type_alias: 'type',
  const_spec: 'constant',
  var_spec: 'constant',
};
const SELECTORS = ['selector_expression', 'qualified_type'];

/** The names that a file takes from each package, found by the package's name in front of them. */
export const readGo = (root: SyntaxNode, text: string): FileFacts => {
  const nodes = nodesOfKinds(root, [
    'package_clause',
    'import_spec',
    ...SELECTORS,
    ...Object.keys(DEFINITIONS),
  ]);
  const ofKind = (kind: string) => nodes.filter((node) => node.kind() === kind);
  const definitions = definitionsAmong(nodes, DEFINITIONS, (node) =>
    namedFields(node, 'name').map((name) => name.text()),
  );
  const taken = takenNames(nodes.filter((node) => SELECTORS.includes(String(node.kind()))));
  return {
    ...emptyFacts('go'),
    packages: ofKind('package_clause').flatMap((node) => node.child(1)?.text() ?? []),
    imports: ofKind('import_spec').flatMap((node) => importOf(node, taken)),
    declares: namesOf(definitions.filter(({ isOuter, kind }) => isOuter && kind !== 'method')),
    mentions: [...firstMentions(usedNames(root))],
    definitions: definitions.map(factOf),
    syntaxErrors: [...errorsOf(root, text)],
  };
};

/** Types, and functions that are called; what a selector leads to is in another package. */
const usedNames = (root: SyntaxNode): readonly SyntaxNode[] => {
  const nodes = nodesOfKinds(root, ['type_identifier', 'qualified_type', 'call_expression']);
  const ofKind = (kind: string) => nodes.filter((node) => node.kind() === kind);
  const called = ofKind('call_expression').flatMap((call) => {
    const name = call.field('function');
    return name?.kind() === 'identifier' ? [name] : [];
  });
  return inOrder([...outside(ofKind('type_identifier'), ofKind('qualified_type')), ...called]);
};

const namesOf = (definitions: readonly { readonly name: string }[]): string[] =>
  [...new Set(definitions.map(({ name }) => name))].toSorted();

const takenNames = (nodes: readonly SyntaxNode[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const taken = new Map<string, Set<string>>();
  for (const node of nodes) {
    // `a.b`: longer chains hold this as their first part. Three children: name, dot, name.
    if (node.child(0)?.isLeaf() !== true) continue;
    const [qualifier, name] = node.text().split('.', 3);
    if (qualifier === undefined || name === undefined || !/^\w+$/.test(qualifier)) continue;
    const known = taken.get(qualifier);
    if (known === undefined) taken.set(qualifier, new Set([name]));
    else known.add(name);
  }
  return taken;
};

const importOf = (
  node: SyntaxNode,
  taken: ReadonlyMap<string, ReadonlySet<string>>,
): readonly ImportFact[] => {
  const specifier = (fieldText(node, 'path') ?? '').slice(1, -1);
  if (specifier === '') return [];
  const alias = fieldText(node, 'name');
  // `_` is there for what loading does, `.` takes everything.
  if (alias === '_' || alias === '.') {
    return [{ specifier, kind: 'import', line: lineOf(node), names: ['*'] }];
  }
  const qualifiers = alias === undefined ? likelyPackageNames(specifier) : [alias];
  const names = qualifiers.map((name) => taken.get(name)).find((found) => found !== undefined);
  return [
    { specifier, kind: 'import', line: lineOf(node), names: [...(names ?? ['*'])].toSorted() },
  ];
};

/** The package says its own name, in another file; nearly always it is in the path like so. */
const likelyPackageNames = (path: string): readonly string[] => {
  const parts = path.split('/');
  const last = parts.at(-1) ?? '';
  const named = /^v\d+$/.test(last) ? (parts.at(-2) ?? last) : last;
  const bare = named.replace(/\.v\d+$/, '');
  return [
    last,
    bare,
    bare.replace(/^go-|[-.]go$/g, ''),
    bare.replaceAll('-', ''),
    bare.replaceAll('-', '_'),
    bare.slice(bare.lastIndexOf('-') + 1),
  ];
};
