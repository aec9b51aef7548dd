import type { SyntaxNode } from '../../../pipeline/syntax-tree.ts';
import { shortText } from '../short-text.ts';
import type { LanguageSyntax } from './language-syntax.ts';

export const PYTHON: LanguageSyntax = {
  calls: [
    {
      kind: 'call',
      find: (regex) => ({
        kind: 'call',
        has: {
          field: 'function',
          any: [
            { kind: 'identifier', regex },
            { kind: 'attribute', has: { field: 'attribute', regex } },
          ],
        },
      }),
      read: (node) => {
        const called = node.field('function');
        if (called?.kind() === 'identifier') return { name: called };
        const name = called?.field('attribute') ?? undefined;
        return name === undefined
          ? undefined
          : { name, receiver: called?.field('object') ?? undefined };
      },
      list: (node) => node.field('arguments') ?? undefined,
    },
  ],
  argument: (node) => {
    if (node.kind() !== 'keyword_argument') return { name: '', value: node };
    const value = node.field('value');
    return value === null ? undefined : { name: node.field('name')?.text() ?? '', value };
  },
  functions: ['decorated_definition', 'function_definition', 'lambda'],
  requestParameters: (node) => {
    if (node.kind() !== 'decorated_definition') return [];
    const route = node
      .namedChildren()
      .map((child) => (child.kind() === 'decorator' ? shortText(child, 1000) : ''))
      .find((text) => /\.(?:route|get|post|put|delete|patch)\(/.test(text));
    const definition = node.field('definition');
    if (route === undefined || definition?.kind() !== 'function_definition') return [];
    return parametersOf(definition, /^(?:int|float|bool|UUID|uuid\.UUID|Session|Request)$/).filter(
      (name) => !new RegExp(`<(?:int|float|uuid):${name}>`).test(route),
    );
  },
  parameters: (node) => (node.kind() === 'decorated_definition' ? [] : parametersOf(node)),
  assignments: ['assignment', 'augmented_assignment', 'named_expression'],
  readAssignment: (node) => {
    const name = node.field('left') ?? node.field('name');
    const value = node.field('right') ?? node.field('value');
    return name?.kind() === 'identifier' && value !== null ? [{ name: name.text(), value }] : [];
  },
  names: new Set(['identifier']),
  formats: new Set(['format']),
  request:
    /\b(?:flask\.)?request\.(?:args|form|values|json|data|cookies|headers|files|query_params|get_json|GET|POST|COOKIES|META|body|path_params|match_info|rel_url|query)\b|\bself\.request\.|\bself\.get_(?:query_)?argument\b|^input\(|\bsys\.argv\b/,
};

/** @param harmless types of parameters that are left out. */
const parametersOf = (node: SyntaxNode, harmless?: RegExp): readonly string[] =>
  (node.field('parameters')?.namedChildren() ?? []).flatMap((one) => {
    const name = one.kind() === 'identifier' ? one : (one.field('name') ?? one.namedChildren()[0]);
    const isHarmless = harmless?.test(shortText(one.field('type'))) === true;
    return name?.kind() === 'identifier' && !isHarmless ? [name.text()] : [];
  });
