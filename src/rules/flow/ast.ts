import { isNode, nameOf, type Node } from '../../pipeline/imports/ecmascript-program.ts';

/** Small questions about nodes of the parser's tree. */

export const child = (node: Node, field: string): Node | undefined => {
  const value = node[field];
  return isNode(value) ? value : undefined;
};

/** The nodes of a list; holes (`[, a]`) are undefined. */
export const children = (node: Node, field: string): readonly (Node | undefined)[] => {
  const value = node[field];
  return Array.isArray(value) ? value.map((one) => (isNode(one) ? one : undefined)) : [];
};

export const textField = (node: Node, field: string): string | undefined => {
  const value = node[field];
  return typeof value === 'string' ? value : undefined;
};

/** Without what changes a value's type or grouping alone: brackets, `as T`, `!`, `satisfies`, `<T>`. */
export const unwrapped = (node: Node): Node => {
  let at = node;
  for (;;) {
    const inner = WRAPPERS.has(at.type) ? child(at, 'expression') : undefined;
    if (inner === undefined) return at;
    at = inner;
  }
};

const WRAPPERS: ReadonlySet<string> = new Set([
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
  'ChainExpression',
]);

/** The value of a string literal, or of a template without holes. */
export const constantText = (node: Node | undefined): string | undefined => {
  if (node === undefined) return undefined;
  const plain = unwrapped(node);
  if (plain.type === 'Literal') return textField(plain, 'value');
  if (plain.type !== 'TemplateLiteral' || children(plain, 'expressions').length > 0)
    return undefined;
  return children(plain, 'quasis').map(cooked).join('');
};

/** The text of a piece of a template. */
export const cooked = (piece: Node | undefined): string => {
  const value = piece?.['value'];
  const text = typeof value === 'object' && value !== null && 'cooked' in value && value.cooked;
  return typeof text === 'string' ? text : '';
};

/** The name of a member that is known: `a.b`, `a['b']`, `a[0]`, `a.#b`. */
export const memberName = (node: Node): string | undefined => {
  const property = child(node, 'property');
  if (property === undefined) return undefined;
  if (node['computed'] !== true) {
    const name = nameOf(property);
    return property.type === 'PrivateIdentifier' && name !== undefined ? `#${name}` : name;
  }
  const literal = unwrapped(property);
  const value = literal.type === 'Literal' ? literal['value'] : undefined;
  return typeof value === 'string' || typeof value === 'number'
    ? String(value)
    : constantText(property);
};

/** The name of a property of an object or class that is known. */
export const keyName = (node: Node): string | undefined => {
  const key = child(node, 'key');
  if (key === undefined) return undefined;
  if (key.type === 'PrivateIdentifier') return `#${nameOf(key) ?? ''}`;
  if (node['computed'] !== true) return nameOf(key) ?? literalName(key);
  return literalName(key);
};

const literalName = (key: Node): string | undefined => {
  const value = key.type === 'Literal' ? key['value'] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
};

const FUNCTIONS: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
]);
export const isFunction = (node: Node): boolean => FUNCTIONS.has(node.type);
