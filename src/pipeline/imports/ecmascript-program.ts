import type { ImportFact } from '../file-facts.ts';

/** An import by its offset in the text. */
export type FoundImport = Omit<ImportFact, 'line'> & { readonly start: number };

/** What the parser gives as a tree: nodes with a type and offsets, other values between them. */
export type Node = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
} & Readonly<Record<string, unknown>>;

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/**
 * Visits every node, outer before inner, without recursion: generated code nests deeper than our stack.
 * A tree has hundreds of nodes a line, so nothing is made for one of them.
 */
export const visitNodes = (program: unknown, visit: (node: Node) => void): void => {
  const open: object[] = [];
  const push = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) open.push(value);
  };
  push(program);
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (isNode(value)) visit(value);
    const from = open.length;
    for (const key in value) push((value as Record<string, unknown>)[key]);
    // The first is to come first from the top of the stack.
    for (let low = from, high = open.length - 1; low < high; low += 1, high -= 1) {
      const [first, last] = [open[low], open[high]];
      if (first !== undefined && last !== undefined) [open[low], open[high]] = [last, first];
    }
  }
};

/**
 * Imports that only the tree tells.
 *
 * @param isModule then `declare module 'x'` adds to a module that is there; else it declares one.
 */
export const importsInProgram = (program: unknown, isModule: boolean): readonly FoundImport[] => {
  const found: FoundImport[] = [];
  visitNodes(program, (node) => {
    const { start } = node;
    const add = (value: unknown, kind: FoundImport['kind']): void => {
      const specifier = textOf(value);
      if (specifier !== undefined) found.push({ specifier, kind, start });
    };
    switch (node.type) {
      case 'TSImportEqualsDeclaration': {
        const reference = node['moduleReference'];
        if (!isNode(reference) || reference.type !== 'TSExternalModuleReference') break;
        add(field(reference, 'expression'), node['importKind'] === 'type' ? 'type' : 'require');
        break;
      }
      case 'TSImportType':
        add(node['source'] ?? node['argument'], 'type');
        break;
      case 'TSModuleDeclaration':
        if (isModule) add(node['id'], 'type');
        found.push(...importsInBlock(node['body']));
        break;
      case 'CallExpression':
        if (isRequire(node['callee'])) add(firstOf(node['arguments']), 'require');
        break;
    }
  });
  return found;
};

/** What `declare module 'x' { … }` imports inside: types, since nothing of it is there at run time. */
const importsInBlock = (block: unknown): readonly FoundImport[] => {
  const body = isNode(block) ? field(block, 'body') : undefined;
  if (!Array.isArray(body)) return [];
  return body.filter(isNode).flatMap((statement) => {
    const specifier = textOf(field(statement, 'source'));
    return specifier === undefined ? [] : [{ specifier, kind: 'type', start: statement.start }];
  });
};

const field = (node: Node, name: string): unknown => node[name];

const firstOf = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined);

const isRequire = (callee: unknown): boolean => {
  if (!isNode(callee)) return false;
  if (callee.type === 'Identifier') return field(callee, 'name') === 'require';
  return (
    callee.type === 'MemberExpression' &&
    isNode(field(callee, 'property')) &&
    nameOf(field(callee, 'property')) === 'resolve' &&
    nameOf(field(callee, 'object')) === 'require'
  );
};

export const nameOf = (value: unknown): string | undefined => {
  const name = isNode(value) ? field(value, 'name') : undefined;
  return typeof name === 'string' ? name : undefined;
};

/** Of a literal, or of a type that is one. */
const textOf = (value: unknown): string | undefined => {
  if (!isNode(value)) return undefined;
  if (value.type === 'TSLiteralType') return textOf(field(value, 'literal'));
  const text = field(value, 'value');
  return value.type === 'Literal' && typeof text === 'string' ? text : undefined;
};
