import type { SyntaxNode } from '../../../pipeline/syntax-tree.ts';
import type { LanguageSyntax } from './language-syntax.ts';

export const JAVA: LanguageSyntax = {
  calls: [
    {
      kind: 'method_invocation',
      find: (regex) => ({ kind: 'method_invocation', has: { field: 'name', regex } }),
      read: (node) => {
        const name = node.field('name');
        return name === null ? undefined : { name, receiver: node.field('object') ?? undefined };
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
            { kind: 'type_identifier', regex },
            { kind: 'scoped_type_identifier', has: { kind: 'type_identifier', regex } },
            { kind: 'generic_type', has: { kind: 'type_identifier', regex } },
          ],
        },
      }),
      read: (node) => {
        const type = node.field('type');
        if (type === null) return undefined;
        const name =
          type.kind() === 'type_identifier'
            ? type
            : type.namedChildren().findLast((child) => child.kind() === 'type_identifier');
        return name === undefined ? undefined : { name };
      },
      list: (node) => node.field('arguments') ?? undefined,
    },
  ],
  argument: (value) => ({ name: '', value }),
  functions: ['method_declaration', 'constructor_declaration', 'lambda_expression'],
  requestParameters: (node) =>
    parametersOf(node).flatMap((one) =>
      /@(?:RequestParam|PathVariable|RequestBody|RequestHeader|CookieValue|QueryParam|PathParam|FormParam|HeaderParam|ModelAttribute)\b/.test(
        one.text().slice(0, 500),
      ) && !HARMLESS_TYPE.test(one.field('type')?.text() ?? '')
        ? [nameOf(one)]
        : [],
    ),
  parameters: (node) => parametersOf(node).map(nameOf),
  assignments: ['variable_declarator', 'assignment_expression'],
  readAssignment: (node) => {
    const name = node.field('name') ?? node.field('left');
    const value = node.field('value') ?? node.field('right');
    return name?.kind() === 'identifier' && value !== null ? [{ name: name.text(), value }] : [];
  },
  names: new Set(['identifier']),
  formats: new Set(['format', 'formatted']),
  request:
    /\b(?:req|request|httpRequest|httpServletRequest|servletRequest)\.(?:getParameter|getParameterValues|getHeader|getQueryString|getCookies|getPathInfo|getRequestURI|getInputStream|getReader|getPart)\b|\bctx\.(?:queryParam|pathParam|formParam|body)\b/,
};

const HARMLESS_TYPE = /^(?:int|long|short|boolean|double|Integer|Long|Boolean|UUID|LocalDate)$/;

const parametersOf = (node: SyntaxNode): readonly SyntaxNode[] =>
  node.field('parameters')?.namedChildren() ?? [];

const nameOf = (node: SyntaxNode): string => {
  if (node.kind() === 'identifier') return node.text();
  const inner = node.namedChildren().find((child) => child.kind() === 'variable_declarator');
  return (node.field('name') ?? inner?.field('name'))?.text() ?? '';
};
