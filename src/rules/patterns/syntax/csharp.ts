import type { SyntaxNode } from '../../../pipeline/syntax-tree.ts';
import type { LanguageSyntax } from './language-syntax.ts';

export const CSHARP: LanguageSyntax = {
  calls: [
    {
      kind: 'invocation_expression',
      find: (regex) => ({
        kind: 'invocation_expression',
        has: {
          field: 'function',
          any: [
            { kind: 'identifier', regex },
            { kind: 'generic_name', has: { kind: 'identifier', regex } },
            {
              kind: 'member_access_expression',
              has: {
                field: 'name',
                any: [
                  { kind: 'identifier', regex },
                  { kind: 'generic_name', has: { kind: 'identifier', regex } },
                ],
              },
            },
          ],
        },
      }),
      read: (node) => {
        const called = node.field('function');
        if (called === null) return undefined;
        const isMember = called.kind() === 'member_access_expression';
        const named = isMember ? called.field('name') : called;
        const name = named?.kind() === 'generic_name' ? named.namedChildren()[0] : named;
        if (name?.kind() !== 'identifier') return undefined;
        return { name, receiver: (isMember ? called.field('expression') : undefined) ?? undefined };
      },
      list: (node) => node.field('arguments') ?? undefined,
    },
    {
      kind: 'object_creation_expression',
      find: (regex) => ({
        kind: 'object_creation_expression',
        has: {
          field: 'type',
          any: [
            { kind: 'identifier', regex },
            { kind: 'qualified_name', has: { field: 'name', regex } },
            { kind: 'generic_name', has: { kind: 'identifier', regex } },
          ],
        },
      }),
      read: (node) => {
        const type = node.field('type');
        if (type?.kind() === 'identifier') return { name: type };
        const name = type?.field('name') ?? type?.namedChildren()[0] ?? undefined;
        return name === undefined ? undefined : { name };
      },
      list: (node) => node.field('arguments') ?? undefined,
    },
  ],
  argument: (node) => {
    const value = node.namedChildren().at(-1);
    return value === undefined ? undefined : { name: node.field('name')?.text() ?? '', value };
  },
  functions: [
    'method_declaration',
    'constructor_declaration',
    'local_function_statement',
    'lambda_expression',
  ],
  requestParameters: (node) => {
    const isAction = node
      .namedChildren()
      .some(
        (child) =>
          child.kind() === 'attribute_list' &&
          /^\[\s*(?:Http(?:Get|Post|Put|Patch|Delete)|Route)\b/.test(child.text().slice(0, 100)),
      );
    return parametersOf(node).flatMap((one) =>
      !HARMLESS_TYPE.test(one.field('type')?.text() ?? '') &&
      (isAction || /^\[\s*From(?:Query|Route|Body|Form|Header)\b/.test(one.text().slice(0, 100)))
        ? [one.field('name')?.text() ?? '']
        : [],
    );
  },
  parameters: (node) => parametersOf(node).map((one) => one.field('name')?.text() ?? ''),
  assignments: ['variable_declarator', 'assignment_expression'],
  readAssignment: (node) => {
    const name = node.field('name') ?? node.field('left');
    const value = node.field('right') ?? node.namedChildren()[1];
    return name?.kind() === 'identifier' && value !== undefined
      ? [{ name: name.text(), value }]
      : [];
  },
  names: new Set(['identifier']),
  formats: new Set(['Format', 'Concat']),
  request:
    /\bRequest\.(?:Query|QueryString|Form|Headers|Cookies|Params|Path|Body|RouteValues|Files)\b|\bRequest\[/,
};

const HARMLESS_TYPE = /^(?:int|long|short|bool|double|decimal|Guid|DateTime|CancellationToken)\??$/;

const parametersOf = (node: SyntaxNode): readonly SyntaxNode[] =>
  (node.field('parameters')?.namedChildren() ?? []).filter((one) => one.kind() === 'parameter');
