import { nodesOfKinds, type SyntaxNode } from '../../pipeline/syntax-tree.ts';
import { shortText } from './short-text.ts';
import type { LanguageSyntax } from './syntax/language-syntax.ts';

/** A value that a name is given; `to` is the end of the assignment. */
type Given = { readonly to: number; readonly value: SyntaxNode };

type Scope = {
  readonly node: SyntaxNode;
  readonly from: number;
  readonly to: number;
  readonly outer: Scope | undefined;
  readonly values: Map<string, Given[]>;
  parameters: ReadonlySet<string> | undefined;
  requestParameters: ReadonlySet<string> | undefined;
};

/** What a name stands for at a place. */
export type Meaning =
  | { readonly kind: 'values'; readonly values: readonly SyntaxNode[] }
  | { readonly kind: 'parameter'; readonly isFromRequest: boolean }
  | { readonly kind: 'unknown' };

export type Scopes = {
  readonly meaningOf: (name: string, at: number) => Meaning;
  /** The innermost function around a place. */
  readonly functionAt: (at: number) => SyntaxNode | undefined;
  /** The text without its functions. */
  readonly outerText: (text: string) => string;
};

/** More values than this stand for anything. */
const VALUES_MAX = 20;

/**
 * Which function each assignment is in, by one walk over the tree and by places: asking a node for its
 * parents takes as long as the tree where the tree is a list.
 */
export const createScopes = (root: SyntaxNode, syntax: LanguageSyntax): Scopes => {
  const functions = new Set(syntax.functions);
  const { start, end } = root.range();
  const whole = scopeOf(root, start.index, end.index, undefined);
  const scopes: Scope[] = [whole];
  let current = whole;
  for (const node of nodesOfKinds(root, [...syntax.functions, ...syntax.assignments])) {
    const range = node.range();
    while (current.outer !== undefined && range.start.index >= current.to) current = current.outer;
    if (functions.has(String(node.kind()))) {
      current = scopeOf(node, range.start.index, range.end.index, current);
      scopes.push(current);
      continue;
    }
    for (const { name, value } of syntax.readAssignment(node)) {
      const known = current.values.get(name);
      const one = { to: range.end.index, value };
      if (known === undefined) current.values.set(name, [one]);
      else known.push(one);
    }
  }
  const scopeAt = (at: number): Scope => {
    let low = 0;
    let high = scopes.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((scopes[middle] ?? whole).from <= at) low = middle;
      else high = middle - 1;
    }
    let scope = scopes[low] ?? whole;
    while (scope.outer !== undefined && at >= scope.to) scope = scope.outer;
    return scope;
  };
  return {
    outerText: (text) => {
      const outer = scopes.filter((scope) => scope.outer === whole);
      const starts = [0, ...outer.map(({ to }) => to)];
      return starts.map((from, index) => text.slice(from, outer[index]?.from)).join('');
    },
    functionAt: (at) => {
      const scope = scopeAt(at);
      return scope === whole ? undefined : scope.node;
    },
    meaningOf: (name, at) => {
      const inner = scopeAt(at);
      for (let scope: Scope | undefined = inner; scope !== undefined; scope = scope.outer) {
        const all = scope.values.get(name) ?? [];
        // Of the function itself only what stands before; of what is around it, anything may have run.
        const before = scope === inner ? all.filter((one) => one.to <= at) : all;
        const values = sinceLastChange(before, name);
        if (values.length > VALUES_MAX) return { kind: 'unknown' };
        if (values.length > 0) return { kind: 'values', values: values.map(({ value }) => value) };
        if (scope === whole) break;
        scope.requestParameters ??= new Set(syntax.requestParameters(scope.node));
        if (scope.requestParameters.has(name)) return { kind: 'parameter', isFromRequest: true };
        scope.parameters ??= new Set(syntax.parameters(scope.node));
        if (!scope.parameters.has(name)) continue;
        // Decorators stand around the function that they are of, and end with it.
        const around: Scope | undefined = scope.outer?.to === scope.to ? scope.outer : undefined;
        if (around !== undefined) {
          around.requestParameters ??= new Set(syntax.requestParameters(around.node));
        }
        const isFromRequest = around?.requestParameters?.has(name) === true;
        return { kind: 'parameter', isFromRequest };
      }
      return { kind: 'unknown' };
    },
  };
};

/**
 * `name = clean(name)` gives it another value whatever it was before: only what comes from there counts.
 */
const sinceLastChange = (values: readonly Given[], name: string): readonly Given[] => {
  if (values.length < 2 || values.length > VALUES_MAX) return values;
  const changed = values.findLastIndex(({ value }) => mentions(value, name));
  return changed < 0 ? values : values.slice(changed);
};

const mentions = (value: SyntaxNode, name: string): boolean => {
  const text = shortText(value, 2000);
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const isWhole = !/\w/.test(text[at + name.length] ?? '') && !/[\w.>$]/.test(text[at - 1] ?? '');
    if (isWhole) return true;
  }
  return false;
};

const scopeOf = (node: SyntaxNode, from: number, to: number, outer: Scope | undefined): Scope => ({
  node,
  from,
  to,
  outer,
  values: new Map(),
  parameters: undefined,
  requestParameters: undefined,
});
