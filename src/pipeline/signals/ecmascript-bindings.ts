import { isNode, nameOf } from '../imports/ecmascript-program.ts';

export type Fields = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
} & Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields | undefined => (isNode(value) ? value : undefined);

export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]) : [];

/** Of a string, or of a template without holes. */
export const textOf = (value: unknown): string | undefined => {
  const fields = fieldsOf(value);
  if (fields?.type === 'Literal') {
    return typeof fields['value'] === 'string' ? fields['value'] : undefined;
  }
  if (fields?.type !== 'TemplateLiteral' || listOf(fields['expressions']).length > 0) {
    return undefined;
  }
  const cooked = fieldsOf(listOf(fields['quasis'])[0])?.['value'];
  const text = (cooked as { readonly cooked?: unknown } | undefined)?.cooked;
  return typeof text === 'string' ? text : undefined;
};

/**
 * Which module a local name of a file comes from, by `import`, `require` and what is made by
 * calling it: `const app = express()` makes `app` one of express's. Names are taken for the whole
 * file; in code that people write, one name does not stand for two frameworks.
 */
export type Bindings = {
  /** The module behind an expression: a name, a member, a call or a `new` of one. */
  readonly moduleOf: (value: unknown) => string | undefined;
  /** The name under which the module exports it: `Get` of `import { Get as G }`. */
  readonly importedName: (local: string) => string | undefined;
};

/** Longer chains of calls are generated; following each to its start would be quadratic. */
export const CHAIN_MAX = 50;

const STEPS: ReadonlySet<string> = new Set([
  'Identifier',
  'ImportExpression',
  'CallExpression',
  'NewExpression',
  'MemberExpression',
  'AwaitExpression',
  'ChainExpression',
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSNonNullExpression',
]);

type Origin = { readonly module: string; readonly name?: string | undefined };

/** @param nodes of the whole file, outer before inner, in the order of the text. */
export const readBindings = (nodes: readonly Fields[]): Bindings => {
  const origins = new Map<string, Origin>();
  const moduleOf = (value: unknown): string | undefined => {
    let fields = fieldsOf(value);
    for (let step = 0; step < CHAIN_MAX && fields !== undefined; step += 1) {
      if (!STEPS.has(fields.type)) return undefined;
      switch (fields.type) {
        case 'Identifier':
          return origins.get(nameOf(fields) ?? '')?.module;
        case 'ImportExpression':
          return textOf(fields['source']);
        case 'CallExpression':
        case 'NewExpression': {
          const module = required(fields);
          if (module !== undefined) return module;
          fields = fieldsOf(fields['callee']);
          break;
        }
        case 'MemberExpression':
          fields = fieldsOf(fields['object']);
          break;
        case 'AwaitExpression':
          fields = fieldsOf(fields['argument']);
          break;
        case 'ChainExpression':
        case 'ParenthesizedExpression':
        case 'TSAsExpression':
        case 'TSNonNullExpression':
          fields = fieldsOf(fields['expression']);
          break;
      }
    }
    return undefined;
  };
  const bind = (pattern: unknown, origin: Origin): void => {
    const fields = fieldsOf(pattern);
    const name = nameOf(fields);
    if (name !== undefined && fields?.type === 'Identifier') origins.set(name, origin);
    if (fields?.type !== 'ObjectPattern') return;
    for (const property of listOf(fields['properties'])) {
      const key = nameOf(fieldsOf(property)?.['key']);
      bind(fieldsOf(property)?.['value'], { module: origin.module, name: key });
    }
  };
  for (const node of nodes) {
    if (node.type === 'ImportDeclaration') {
      const module = textOf(node['source']);
      if (module === undefined) continue;
      for (const specifier of listOf(node['specifiers'])) {
        const fields = fieldsOf(specifier);
        bind(fields?.['local'], { module, name: nameOf(fields?.['imported']) ?? 'default' });
      }
    } else if (node.type === 'VariableDeclarator') {
      const module = moduleOf(node['init']);
      if (module !== undefined) bind(node['id'], { module });
    } else if (node.type === 'AssignmentExpression') {
      const module = moduleOf(node['right']);
      if (module !== undefined) bind(node['left'], { module });
    }
  }
  return {
    moduleOf,
    importedName: (local) => {
      const origin = origins.get(local);
      return origin === undefined ? undefined : (origin.name ?? local);
    },
  };
};

const required = (call: Fields): string | undefined =>
  nameOf(call['callee']) === 'require' ? textOf(listOf(call['arguments'])[0]) : undefined;
