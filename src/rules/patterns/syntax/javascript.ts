import type { SyntaxNode } from '../../../pipeline/syntax-tree.ts';
import type { CallShape, LanguageSyntax } from './language-syntax.ts';

/** JavaScript and TypeScript. */
export const JAVASCRIPT: LanguageSyntax = {
  calls: [callOf('call_expression', 'function'), callOf('new_expression', 'constructor')],
  argument: (value) => ({ name: '', value }),
  functions: [
    'function_declaration',
    'function_expression',
    'generator_function_declaration',
    'arrow_function',
    'method_definition',
  ],
  requestParameters: () => [],
  parameters: (node) =>
    (node.field('parameters')?.namedChildren() ?? [node.field('parameter')]).map((one) => {
      const name = one?.kind() === 'identifier' ? one : one?.namedChildren()[0];
      return name?.text() ?? '';
    }),
  assignments: ['variable_declarator', 'assignment_expression', 'augmented_assignment_expression'],
  readAssignment: (node) => {
    const name = node.field('name') ?? node.field('left');
    const value = node.field('value') ?? node.field('right');
    return name?.kind() === 'identifier' && value !== null ? [{ name: name.text(), value }] : [];
  },
  names: new Set(['identifier']),
  formats: new Set(),
  request:
    /\b(?:req|request|ctx|context)\.(?:body|query|params|headers|cookies|url|originalUrl|request|header|get)\b/,
};

function callOf(kind: string, field: string): CallShape {
  return {
    kind,
    find: (regex) => ({
      kind,
      has: {
        field,
        any: [
          { kind: 'identifier', regex },
          { kind: 'member_expression', has: { field: 'property', regex } },
        ],
      },
    }),
    read: (node) => {
      const called = node.field(field);
      if (called?.kind() === 'identifier') return { name: called };
      const name = called?.field('property') ?? undefined;
      return name === undefined
        ? undefined
        : { name, receiver: called?.field('object') ?? undefined };
    },
    list: (node) => node.field('arguments') ?? undefined,
  };
}

/** The value of a property of an object that is written out. */
export const propertyOf = (node: SyntaxNode | undefined, name: string): SyntaxNode | undefined => {
  if (node?.kind() !== 'object') return undefined;
  const pair = node
    .namedChildren()
    .find(
      (child) =>
        child.kind() === 'pair' && child.field('key')?.text().replace(/['"]/g, '') === name,
    );
  return pair?.field('value') ?? undefined;
};
