import { emptyFacts, type FileFacts, type ImportFact } from '../file-facts.ts';
import { definitionsAmong, factOf, type DefinitionTable } from '../tree-definitions.ts';
import { fieldText, lineOf, nodesOfKinds, stringValue, type SyntaxNode } from '../syntax-tree.ts';

const DEFINITIONS: DefinitionTable = {
  module: 'module',
  class: 'class',
  method: 'function',
  singleton_method: 'method',
};

const LOADERS = '^(require|require_relative|load|autoload|autoload_relative|eager_autoload)$';

/** Heredocs and embedded languages lead the grammar astray, so errors say nothing about the file. */
export const readRuby = (root: SyntaxNode): FileFacts => {
  const nodes = nodesOfKinds(root, Object.keys(DEFINITIONS));
  // Keywords of the language are nodes of the same kind as what they begin.
  const definitions = definitionsAmong(
    nodes.filter((node) => node.isNamed()),
    DEFINITIONS,
  );
  const calls = root.findAll({
    rule: { kind: 'call', has: { field: 'method', regex: LOADERS } },
  });
  return {
    ...emptyFacts('ruby'),
    imports: calls.flatMap(importOf),
    definitions: definitions.map(factOf),
  };
};

const importOf = (node: SyntaxNode): readonly ImportFact[] => {
  const method = fieldText(node, 'method');
  const receiver = fieldText(node, 'receiver');
  if (receiver !== undefined && receiver !== 'Kernel' && method !== 'autoload') return [];
  const given = node.field('arguments')?.namedChildren() ?? [];
  const argument = method === 'autoload' ? given[1] : given[0];
  if (argument === undefined) return [];
  const line = lineOf(node);
  const kind = method === 'autoload' ? 'dynamic' : 'require';
  const beside = besideFile(argument);
  if (beside !== undefined) return [{ specifier: beside, kind, line, form: 'relative' }];
  const specifier = argument.kind() === 'string' ? stringValue(argument) : undefined;
  if (specifier === undefined || specifier === '') return [];
  return [
    { specifier, kind, line, ...(method === 'require_relative' && { form: 'relative' as const }) },
  ];
};

/** `File.expand_path('../x', __FILE__)`, `File.join(__dir__, 'x')` and the like: a fixed place. */
const besideFile = (node: SyntaxNode): string | undefined => {
  if (node.kind() !== 'call' || fieldText(node, 'receiver') !== 'File') return undefined;
  const given = node.field('arguments')?.namedChildren() ?? [];
  const [first, second] = given;
  if (given.length !== 2 || first === undefined || second === undefined) return undefined;
  switch (fieldText(node, 'method')) {
    case 'expand_path': {
      const path = first.kind() === 'string' ? stringValue(first) : undefined;
      if (path === undefined) return undefined;
      // From the file itself, the first step up leads to its folder.
      if (second.text() === '__FILE__') return path.replace(/^\.\.(?:\/|$)/, './');
      return isOwnFolder(second.text()) ? path : undefined;
    }
    case 'join':
      return isOwnFolder(first.text()) && second.kind() === 'string'
        ? stringValue(second)
        : undefined;
    case undefined:
    default:
      return undefined;
  }
};

const isOwnFolder = (text: string): boolean =>
  text === '__dir__' || text === 'File.dirname(__FILE__)';
