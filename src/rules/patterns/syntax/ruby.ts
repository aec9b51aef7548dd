import type { LanguageSyntax } from './language-syntax.ts';

export const RUBY: LanguageSyntax = {
  calls: [
    {
      kind: 'call',
      find: (regex) => ({ kind: 'call', has: { field: 'method', regex } }),
      read: (node) => {
        const name = node.field('method');
        return name === null ? undefined : { name, receiver: node.field('receiver') ?? undefined };
      },
      list: (node) => node.field('arguments') ?? undefined,
    },
  ],
  argument: (node) => {
    if (node.kind() !== 'pair') return { name: '', value: node };
    const value = node.field('value');
    const name = (node.field('key')?.text() ?? '').replace(/^[:'"]+|['"]+$/g, '');
    return value === null ? undefined : { name, value };
  },
  functions: ['method', 'singleton_method', 'lambda'],
  requestParameters: () => [],
  parameters: (node) =>
    (node.field('parameters')?.namedChildren() ?? []).map(
      (one) => (one.kind() === 'identifier' ? one : one.field('name'))?.text() ?? '',
    ),
  assignments: ['assignment', 'operator_assignment'],
  readAssignment: (node) => {
    const name = node.field('left');
    const value = node.field('right');
    return name !== null && /^(?:identifier|constant)$/.test(String(name.kind())) && value !== null
      ? [{ name: name.text(), value }]
      : [];
  },
  names: new Set(['identifier', 'constant']),
  formats: new Set(['format', 'sprintf']),
  request:
    /\bparams(?:\[|\.(?:fetch|require|permit|dig|to_unsafe_h)\b|$)|\bcookies\[|\brequest\.(?:params|query_string|headers|body|path|url|referer|env|user_agent|raw_post)\b|^gets(?:\.|$)|\bARGV\b/,
};
