import type { LanguageSyntax } from './language-syntax.ts';

export const PHP: LanguageSyntax = {
  calls: [
    {
      kind: 'function_call_expression',
      find: (regex) => ({
        kind: 'function_call_expression',
        has: {
          field: 'function',
          any: [
            { kind: 'name', regex },
            { kind: 'qualified_name', has: { kind: 'name', regex } },
          ],
        },
      }),
      read: (node) => {
        const called = node.field('function');
        if (called?.kind() === 'name') return { name: called };
        const last =
          called?.kind() === 'qualified_name' ? called.namedChildren().at(-1) : undefined;
        return last === undefined ? undefined : { name: last };
      },
      list: (node) => node.field('arguments') ?? undefined,
    },
    ...['member_call_expression', 'nullsafe_member_call_expression', 'scoped_call_expression'].map(
      (kind): LanguageSyntax['calls'][number] => ({
        kind,
        find: (regex) => ({ kind, has: { field: 'name', regex } }),
        read: (node) => {
          const name = node.field('name');
          const receiver = node.field('object') ?? node.field('scope') ?? undefined;
          return name === null ? undefined : { name, receiver };
        },
        list: (node) => node.field('arguments') ?? undefined,
      }),
    ),
    {
      kind: 'object_creation_expression',
      find: (regex) => ({ kind: 'object_creation_expression', has: { kind: 'name', regex } }),
      read: (node) => {
        const name = node.namedChildren().find((child) => child.kind() === 'name');
        return name === undefined ? undefined : { name };
      },
      list: (node) => node.namedChildren().find((child) => child.kind() === 'arguments'),
    },
  ],
  argument: (node) => {
    const name = node.field('name');
    const value = node.namedChildren().at(-1);
    return value === undefined ? undefined : { name: name?.text() ?? '', value };
  },
  functions: ['function_definition', 'method_declaration', 'anonymous_function', 'arrow_function'],
  requestParameters: () => [],
  parameters: (node) =>
    (node.field('parameters')?.namedChildren() ?? []).map((one) => one.field('name')?.text() ?? ''),
  assignments: ['assignment_expression', 'augmented_assignment_expression', 'const_element'],
  readAssignment: (node) => {
    const name = node.field('left');
    const value = node.field('right');
    return name?.kind() === 'variable_name' && value !== null ? [{ name: name.text(), value }] : [];
  },
  names: new Set(['variable_name']),
  formats: new Set(['sprintf', 'vsprintf']),
  request:
    /^\$_(?:GET|POST|REQUEST|COOKIE|FILES)\b|\$_SERVER\[['"](?:QUERY_STRING|REQUEST_URI|PATH_INFO|HTTP_[A-Z_]+|PHP_SELF)|^file_get_contents\(['"]php:\/\/input|^filter_input\(/,
};
