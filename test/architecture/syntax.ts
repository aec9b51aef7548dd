import { parseSync } from 'oxc-parser';

/** A node of the syntax tree, as far as these tests look at it. */
export type Node = { readonly type: string; readonly start: number } & Readonly<
  Record<string, unknown>
>;

/** The program of a TypeScript source; a syntax error is a failed test. */
export const parse = (file: string, text: string): Node => {
  const { program, errors } = parseSync(file, text);
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  return program as unknown as Node;
};

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** The node and everything below it, in source order. */
export function* walk(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node))
    for (const child of [value].flat()) if (isNode(child)) yield* walk(child);
}

/** `name`, `'name'` or `1` as text; undefined for anything else. */
export const textOf = (node: unknown): string | undefined => {
  if (!isNode(node)) return undefined;
  if (node.type === 'Identifier') return String(node['name']);
  if (node.type === 'Literal') return String(node['value']);
  if (node.type === 'TemplateLiteral' && (node['expressions'] as unknown[]).length === 0)
    return String((node['quasis'] as { value: { cooked: string } }[])[0]?.value.cooked);
  return undefined;
};

export const lineOf = (text: string, { start }: Node): number =>
  text.slice(0, start).split('\n').length;
