import { emptyFacts, type FileFacts, type ImportFact } from '../file-facts.ts';
import { definitionsAmong, factOf, type DefinitionTable } from '../tree-definitions.ts';
import {
  childOfKind,
  errorsOf,
  fieldText,
  nodesOfKinds,
  stringValue,
  type SyntaxNode,
} from '../syntax-tree.ts';

const DEFINITIONS: DefinitionTable = {
  mod_item: 'module',
  function_item: 'function',
  struct_item: 'class',
  union_item: 'class',
  enum_item: 'enum',
  trait_item: 'interface',
  impl_item: 'class',
  type_item: 'type',
  const_item: 'constant',
  static_item: 'constant',
  macro_definition: 'function',
};
const PATHS = ['scoped_identifier', 'scoped_type_identifier'];
const ROOTED = /^(?:crate|super|self)\s*::/;

/**
 * Paths are told from the file's own module: what stands in a `mod` block of the file is moved out
 * of it, so that `super::x` in one block reads `self::x`.
 */
export const readRust = (root: SyntaxNode, text: string): FileFacts => {
  const nodes = nodesOfKinds(root, [
    'use_declaration',
    'extern_crate_declaration',
    'macro_invocation',
    ...PATHS,
    ...Object.keys(DEFINITIONS),
  ]);
  const definitions = definitionsAmong(nodes, DEFINITIONS, namesOf);
  const imports = readImports(nodes);
  return {
    ...emptyFacts('rust'),
    imports: [...imports],
    definitions: definitions
      .filter(({ node }) => node.kind() !== 'mod_item' || node.field('body') !== null)
      .map(factOf),
    syntaxErrors: [...errorsOf(root, text)],
  };
};

const namesOf = (node: SyntaxNode, kind: string): readonly string[] => {
  const name = fieldText(node, kind === 'impl_item' ? 'type' : 'name');
  if (name === undefined) return [];
  const trait = kind === 'impl_item' ? fieldText(node, 'trait') : undefined;
  return [trait === undefined ? name : `${trait} for ${name}`];
};

const readImports = (nodes: readonly SyntaxNode[]): readonly ImportFact[] => {
  const found: ImportFact[] = [];
  const blocks: { readonly name: string; readonly end: number }[] = [];
  const seen = new Set<string>();
  let taken = 0;
  for (const node of nodes) {
    const { start, end } = node.range();
    while ((blocks.at(-1)?.end ?? Infinity) <= start.index) blocks.pop();
    const inside = blocks.map(({ name }) => name);
    const line = start.line + 1;
    const add = (path: string, kind: ImportFact['kind'] = 'import'): void => {
      const specifier = fromFile(path, inside);
      if (seen.has(specifier)) return;
      seen.add(specifier);
      found.push({ specifier, kind, line });
    };
    switch (String(node.kind())) {
      case 'use_declaration': {
        const argument = node.field('argument');
        if (argument !== null) for (const path of usedPaths(argument)) add(path);
        taken = end.index;
        break;
      }
      case 'extern_crate_declaration':
        add(`::${fieldText(node, 'name') ?? ''}`);
        break;
      case 'mod_item': {
        const name = fieldText(node, 'name') ?? '';
        if (node.field('body') !== null) blocks.push({ name, end: end.index });
        else found.push(moduleOf(node, [...inside, name], line));
        break;
      }
      case 'macro_invocation': {
        const included = includedFile(node);
        if (included !== undefined) {
          found.push({ specifier: included, kind: 'import', line, form: 'relative' });
        }
        break;
      }
      case 'scoped_identifier':
      case 'scoped_type_identifier': {
        // Parts of a path that was taken whole lie within it.
        if (start.index < taken) break;
        taken = end.index;
        const path = withoutSpace(node.text());
        if (ROOTED.test(path)) add(path);
        break;
      }
    }
  }
  return found;
};

const moduleOf = (node: SyntaxNode, path: readonly string[], line: number): ImportFact => {
  const elsewhere = pathAttribute(node);
  return elsewhere === undefined
    ? { specifier: path.join('::'), kind: 'module', line, form: 'mod' }
    : { specifier: path.join('::'), kind: 'module', line, form: 'mod', names: [elsewhere] };
};

/** `#[path = "…"]` stands among the attributes before the item. */
const pathAttribute = (item: SyntaxNode): string | undefined => {
  for (let node = item.prev(); node?.kind() === 'attribute_item'; node = node.prev()) {
    const attribute = childOfKind(node, 'attribute');
    const value = attribute?.field('value');
    if (attribute?.child(0)?.text() === 'path' && value) return stringValue(value);
  }
  return undefined;
};

const INCLUDES = /^include(?:_str|_bytes)?$/;

const includedFile = (node: SyntaxNode): string | undefined => {
  if (!INCLUDES.test(fieldText(node, 'macro') ?? '')) return undefined;
  const arguments_ = childOfKind(node, 'token_tree')?.namedChildren() ?? [];
  const [only] = arguments_;
  return arguments_.length === 1 && only?.kind() === 'string_literal'
    ? stringValue(only)
    : undefined;
};

/** `a::{b, c::{self, d as e}, f::*}` as whole paths. */
const usedPaths = (node: SyntaxNode): readonly string[] => {
  switch (String(node.kind())) {
    case 'use_as_clause': {
      const path = node.field('path');
      return path === null ? [] : usedPaths(path);
    }
    case 'use_list':
      return node.namedChildren().flatMap(usedPaths);
    case 'scoped_use_list': {
      const prefix = withoutSpace(fieldText(node, 'path') ?? '');
      const list = node.field('list');
      const inner = list === null ? [] : usedPaths(list);
      return inner.map((path) => (path === 'self' ? prefix : `${prefix}::${path}`));
    }
    case 'line_comment':
    case 'block_comment':
      return [];
    default:
      return [withoutSpace(node.text())];
  }
};

const withoutSpace = (path: string): string => path.replace(/\s+/g, '').replace(/::<.*$/, '');

const fromFile = (path: string, inside: readonly string[]): string => {
  const parts = path.split('::');
  if (inside.length === 0 || (parts[0] !== 'self' && parts[0] !== 'super')) return path;
  const blocks = [...inside];
  let rest = parts[0] === 'self' ? parts.slice(1) : parts;
  while (rest[0] === 'super' && blocks.length > 0) {
    blocks.pop();
    rest = rest.slice(1);
  }
  return rest[0] === 'super' ? rest.join('::') : ['self', ...blocks, ...rest].join('::');
};
