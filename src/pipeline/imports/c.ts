import { emptyFacts, type FileFacts, type ImportFact } from '../file-facts.ts';
import { definitionsAmong, factOf, type DefinitionTable } from '../tree-definitions.ts';
import { fieldText, lineOf, nodesOfKinds, type SyntaxNode } from '../syntax-tree.ts';

const C: DefinitionTable = {
  function_definition: 'function',
  struct_specifier: 'class',
  union_specifier: 'class',
  enum_specifier: 'enum',
  type_definition: 'type',
};
const CPP: DefinitionTable = {
  ...C,
  namespace_definition: 'module',
  class_specifier: 'class',
  alias_declaration: 'type',
};

export const readC = (root: SyntaxNode): FileFacts => readWith(root, C);
export const readCpp = (root: SyntaxNode): FileFacts => readWith(root, CPP);

/** Macros make text that no grammar takes, so errors say nothing about the file. */
const readWith = (root: SyntaxNode, table: DefinitionTable): FileFacts => {
  const nodes = nodesOfKinds(root, ['preproc_include', 'preproc_call', ...Object.keys(table)]);
  const definitions = definitionsAmong(
    nodes.filter((node) => !isOnlyNamed(node)),
    table,
    namesOf,
  );
  return {
    ...emptyFacts('c'),
    imports: nodes.flatMap(includeOf),
    definitions: definitions.map(factOf),
  };
};

const HAS_BODY = /^(?:class|struct|union|enum)_specifier$/;

/** `struct s x;` uses the type; only with a body does it define it. */
const isOnlyNamed = (node: SyntaxNode): boolean =>
  HAS_BODY.test(String(node.kind())) && node.field('body') === null;

const includeOf = (node: SyntaxNode): readonly ImportFact[] => {
  const kind = node.kind();
  const written =
    kind === 'preproc_include'
      ? fieldText(node, 'path')
      : kind === 'preproc_call' &&
          /^#\s*(?:import|include_next)$/.test(fieldText(node, 'directive') ?? '')
        ? fieldText(node, 'argument')
        : undefined;
  const match = /^\s*(?:"([^"\n]+)"|<([^>\n]+)>)/.exec(written ?? '');
  const specifier = match?.[1] ?? match?.[2];
  if (specifier === undefined) return [];
  return [
    {
      specifier: specifier.trim().replaceAll('\\', '/'),
      kind: 'import',
      line: lineOf(node),
      ...(match?.[1] === undefined && { form: 'angle' as const }),
    },
  ];
};

const namesOf = (node: SyntaxNode, kind: string): readonly string[] => {
  const name =
    kind === 'function_definition' || kind === 'type_definition'
      ? declaredName(node.field('declarator'))
      : fieldText(node, 'name');
  return name === undefined ? [] : [name.replace(/\s+/g, '')];
};

/** `*(f)(int)` has its name at the bottom of its declarators. */
const declaredName = (declarator: SyntaxNode | null): string | undefined => {
  let node = declarator;
  for (;;) {
    if (node === null) return undefined;
    const inner: SyntaxNode | null = node.field('declarator') ?? wrapped(node);
    if (inner === null) return node.text().length > NAME_MAX ? undefined : node.text();
    node = inner;
  }
};

const NAME_MAX = 200;

const wrapped = (node: SyntaxNode): SyntaxNode | null => {
  const kind = node.kind();
  const isWrapper = kind === 'parenthesized_declarator' || kind === 'reference_declarator';
  return isWrapper ? (node.namedChildren()[0] ?? null) : null;
};
