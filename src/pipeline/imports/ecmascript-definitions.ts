import type { DefinitionFact } from '../file-facts.ts';
import { isNode, nameOf, visitNodes } from './ecmascript-program.ts';

type Kind = DefinitionFact['kind'];
type Found = { readonly name: string; readonly kind: Kind };
type Fields = { readonly type: string } & Readonly<Record<string, unknown>>;

/** What a file defines, nested by offsets. A declaration begins with its `export` and decorators. */
export const definitionsInProgram = (
  program: unknown,
  lineOf: (offset: number) => number,
): readonly DefinitionFact[] => {
  const found: DefinitionFact[] = [];
  const open: { readonly end: number; readonly kind: Kind }[] = [];
  let exported: { readonly start: number; readonly end: number } | undefined;
  visitNodes(program, (node) => {
    if (!MATTERS.has(node.type)) return;
    if (node.type.startsWith('Export')) exported = node;
    while ((open.at(-1)?.end ?? Infinity) <= node.start) open.pop();
    const definition = definitionOf(node);
    if (definition === undefined) return;
    const outer = open.at(-1)?.kind;
    if (definition.kind === 'constant' && outer !== undefined && !KEEPS_FIELDS.has(outer)) return;
    const start = Math.min(
      exported !== undefined && exported.end === node.end ? exported.start : node.start,
      decoratorStart(node),
    );
    found.push({
      ...definition,
      line: lineOf(start),
      endLine: Math.max(lineOf(start), lineOf(Math.max(node.end - 1, 0))),
      depth: open.length,
    });
    if (definition.kind !== 'constant') open.push({ end: node.end, kind: definition.kind });
  });
  return found;
};

const decoratorStart = (node: Fields): number => {
  const { decorators } = node;
  const first: unknown = Array.isArray(decorators) ? decorators[0] : undefined;
  return isNode(first) ? first.start : Infinity;
};

const KEEPS_FIELDS: ReadonlySet<Kind> = new Set<Kind>(['class', 'interface', 'module']);

const DECLARATIONS: Readonly<Record<string, Kind>> = {
  FunctionDeclaration: 'function',
  TSDeclareFunction: 'function',
  ClassDeclaration: 'class',
  TSInterfaceDeclaration: 'interface',
  TSTypeAliasDeclaration: 'type',
  TSEnumDeclaration: 'enum',
  TSModuleDeclaration: 'module',
};

/** Most nodes are none of these, and the type of each is a string of its own: one look has to do. */
const MATTERS: ReadonlySet<string> = new Set([
  ...Object.keys(DECLARATIONS),
  'ExportNamedDeclaration',
  'ExportDefaultDeclaration',
  'MethodDefinition',
  'TSAbstractMethodDefinition',
  'PropertyDefinition',
  'Property',
  'VariableDeclarator',
  'AssignmentExpression',
]);

const definitionOf = (node: Fields): Found | undefined => {
  const kind = DECLARATIONS[node.type];
  if (kind !== undefined) {
    return { name: nameOf(node['id']) ?? textOf(node['id']) ?? 'default', kind };
  }
  switch (node.type) {
    case 'MethodDefinition':
    case 'TSAbstractMethodDefinition':
      return named(node['key'], 'method');
    case 'PropertyDefinition':
      return named(node['key'], isFunction(node['value']) ? 'method' : 'constant');
    case 'Property':
      return isFunction(node['value']) ? named(node['key'], 'method') : undefined;
    case 'VariableDeclarator':
      return named(node['id'], kindOfValue(node['init']));
    case 'AssignmentExpression':
      return isFunction(node['right']) ? named(node['left'], 'function') : undefined;
  }
  return undefined;
};

const named = (key: unknown, kind: Kind): Found | undefined => {
  const name = nameOf(key) ?? textOf(key) ?? memberOf(key);
  return name === undefined ? undefined : { name, kind };
};

const fieldsOf = (value: unknown): Fields | undefined => (isNode(value) ? value : undefined);

const textOf = (value: unknown): string | undefined => {
  const text = fieldsOf(value)?.['value'];
  return typeof text === 'string' || typeof text === 'number' ? String(text) : undefined;
};

/** `exports.a = …`, `A.prototype.b = …`: the last name. */
const memberOf = (value: unknown): string | undefined => {
  const fields = fieldsOf(value);
  return fields?.type === 'MemberExpression' ? nameOf(fields['property']) : undefined;
};

const FUNCTIONS = new Set(['FunctionExpression', 'ArrowFunctionExpression']);

const isFunction = (value: unknown): boolean => isNode(value) && FUNCTIONS.has(value.type);

const kindOfValue = (value: unknown): Kind => {
  if (isFunction(value)) return 'function';
  return isNode(value) && value.type === 'ClassExpression' ? 'class' : 'constant';
};
