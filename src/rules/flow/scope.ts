import { child, children, isFunction } from './ast.ts';
import { isNode, nameOf, type Node } from '../../pipeline/imports/ecmascript-program.ts';
import { newValue, type Value } from './value.ts';

/** A variable: what it may hold, all assignments together. */
export type Variable = { readonly id: number; readonly name: string; readonly value: Value };

export type Scope = {
  readonly variables: Map<string, Variable>;
  readonly outer: Scope | undefined;
};

export type Scopes = {
  /** The scope that a node opens within another. */
  readonly of: (
    node: Node,
    outer: Scope | undefined,
    declares: (add: (name: string) => void) => void,
  ) => Scope;
};

/** Makes scopes, each once for the node that opens it; hoisted names are declared at once. */
export const createScopes = (): Scopes => {
  const scopes = new Map<Node, Scope>();
  let count = 0;
  const declare = (scope: Scope, name: string): void => {
    if (scope.variables.has(name)) return;
    count += 1;
    scope.variables.set(name, { id: count, name, value: newValue() });
  };
  return {
    of: (node, outer, declares) => {
      const known = scopes.get(node);
      if (known !== undefined) return known;
      const scope: Scope = { variables: new Map(), outer };
      declares((name) => declare(scope, name));
      scopes.set(node, scope);
      return scope;
    },
  };
};

export const lookUp = (scope: Scope | undefined, name: string): Variable | undefined => {
  for (let at = scope; at !== undefined; at = at.outer) {
    const variable = at.variables.get(name);
    if (variable !== undefined) return variable;
  }
  return undefined;
};

/** Names that a pattern binds. */
export const boundNames = (pattern: Node | undefined, add: (name: string) => void): void => {
  if (pattern === undefined) return;
  switch (pattern.type) {
    case 'Identifier': {
      const name = nameOf(pattern);
      if (name !== undefined) add(name);
      return;
    }
    case 'ObjectPattern':
      for (const property of children(pattern, 'properties')) {
        if (property !== undefined) {
          boundNames(child(property, 'value') ?? child(property, 'argument'), add);
        }
      }
      return;
    case 'ArrayPattern':
      for (const element of children(pattern, 'elements')) boundNames(element, add);
      return;
    case 'AssignmentPattern':
      boundNames(child(pattern, 'left'), add);
      return;
    case 'RestElement':
      boundNames(child(pattern, 'argument'), add);
      return;
    case 'TSParameterProperty':
      boundNames(child(pattern, 'parameter'), add);
      return;
  }
};

/** Names that statements declare for their own block: `let`, `const`, classes, functions, imports. */
export const blockNames = (
  statements: readonly (Node | undefined)[],
  add: (name: string) => void,
): void => {
  for (const statement of statements) {
    if (statement === undefined) continue;
    const plain = declarationIn(statement);
    if (plain.type === 'VariableDeclaration') declaredNames(plain, add);
    else if (plain.type === 'FunctionDeclaration' || plain.type === 'ClassDeclaration') {
      boundNames(child(plain, 'id'), add);
    } else if (plain.type === 'ImportDeclaration') {
      for (const one of children(plain, 'specifiers')) {
        if (one !== undefined) boundNames(child(one, 'local'), add);
      }
    } else if (plain.type === 'TSImportEqualsDeclaration') boundNames(child(plain, 'id'), add);
  }
};

/** What a statement declares, with `export` before it or not. */
export const declarationIn = (statement: Node): Node =>
  statement.type.startsWith('Export') ? (child(statement, 'declaration') ?? statement) : statement;

export const declaredNames = (declaration: Node, add: (name: string) => void): void => {
  for (const one of children(declaration, 'declarations')) {
    if (one !== undefined) boundNames(child(one, 'id'), add);
  }
};

/** Names that `var` declares anywhere in a function, but for functions within it. Without recursion. */
export const hoistedNames = (body: Node, add: (name: string) => void): void => {
  const open: unknown[] = [body];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (typeof at !== 'object' || at === null) continue;
    if (isNode(at)) {
      if (at !== body && (isFunction(at) || at.type === 'ClassBody')) continue;
      if (at.type === 'VariableDeclaration' && at['kind'] === 'var') declaredNames(at, add);
    }
    for (const value of Object.values(at)) {
      if (typeof value === 'object' && value !== null) open.push(value);
    }
  }
};
