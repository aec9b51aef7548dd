import type { SyntaxNode } from '../../../pipeline/syntax-tree.ts';
import type { Assignment, LanguageSyntax } from './language-syntax.ts';

export const GO: LanguageSyntax = {
  calls: [
    {
      kind: 'call_expression',
      find: (regex) => ({
        kind: 'call_expression',
        has: {
          field: 'function',
          any: [
            { kind: 'identifier', regex },
            { kind: 'selector_expression', has: { field: 'field', regex } },
          ],
        },
      }),
      read: (node) => {
        const called = node.field('function');
        if (called?.kind() === 'identifier') return { name: called };
        const name = called?.field('field') ?? undefined;
        return name === undefined
          ? undefined
          : { name, receiver: called?.field('operand') ?? undefined };
      },
      list: (node) => node.field('arguments') ?? undefined,
    },
  ],
  argument: (value) => ({ name: '', value }),
  functions: ['function_declaration', 'method_declaration', 'func_literal'],
  requestParameters: () => [],
  parameters: (node) =>
    (node.field('parameters')?.namedChildren() ?? []).flatMap((one) =>
      one.fieldChildren('name').map((name) => name.text()),
    ),
  assignments: ['short_var_declaration', 'assignment_statement', 'const_spec', 'var_spec'],
  readAssignment: (node) => {
    const left = node.field('left')?.namedChildren() ?? node.fieldChildren('name');
    const right = (node.field('right') ?? node.field('value'))?.namedChildren() ?? [];
    return paired(
      left.filter((one) => one.isNamed()),
      right,
    );
  },
  names: new Set(['identifier']),
  formats: new Set(['Sprintf', 'Sprint', 'Sprintln']),
  request:
    /\b(?:r|req|request)\.(?:FormValue|PostFormValue|PathValue|Header|Cookie|URL\.Query|URL\.Path|URL\.RawQuery|RequestURI|Form|PostForm|Body)\b|\b(?:c|ctx)\.(?:Query|Param|PostForm|DefaultQuery|QueryParam|FormValue|GetHeader|Params|Request)\b|\bmux\.Vars\(|\bchi\.URLParam\(/,
};

const paired = (left: readonly SyntaxNode[], right: readonly SyntaxNode[]): readonly Assignment[] =>
  left.flatMap((name, index) => {
    // One call may give several values.
    const value = right[index] ?? right[0];
    return name.kind() === 'identifier' && value !== undefined
      ? [{ name: name.text(), value }]
      : [];
  });
