import { fieldText, lineOf, nodesOfKinds, type SyntaxNode } from '../syntax-tree.ts';
import type { SurfaceFact } from './file-signals.ts';
import { joinPath } from './join-path.ts';
import { firstLiteral, literalOf } from './tree-calls.ts';

const VERBS: ReadonlyMap<string, string> = new Map([
  ['any', 'ANY'],
  ['match', 'ANY'],
  ['map', 'ANY'],
  ['resource', 'RESOURCE'],
  ['apiResource', 'RESOURCE'],
  ...['get', 'post', 'put', 'patch', 'delete', 'options'].map(
    (name) => [name, name.toUpperCase()] as const,
  ),
]);

/** Laravel's `Route::get`, Slim's and Lumen's `$app->get('/…')`, Symfony's `#[Route]`, and commands. */
export const phpSurfaces = (root: SyntaxNode, text: string): readonly SurfaceFact[] => {
  const found: SurfaceFact[] = [];
  if (/\bRoute::/.test(text)) {
    for (const node of nodesOfKinds(root, ['scoped_call_expression'])) {
      if (fieldText(node, 'scope') !== 'Route') continue;
      const route = routeOf(node, 'laravel', 1, false);
      if (route !== undefined) found.push(route);
    }
  }
  if (/\$(?:app|router|group|routes)\s*->/.test(text)) {
    for (const node of nodesOfKinds(root, ['member_call_expression'])) {
      if (!/^\$(?:app|router|group|routes)$/.test(fieldText(node, 'object') ?? '')) continue;
      const route = routeOf(
        node,
        /\bSlim\\/.test(text) ? 'slim' : 'unknown',
        /\bSlim\\/.test(text) ? 1 : 0.6,
        true,
      );
      if (route !== undefined) found.push(route);
    }
  }
  if (/#\[[^\]]*\bRoute\b/.test(text)) {
    let prefix = '';
    for (const node of nodesOfKinds(root, ['attribute'])) {
      const [name] = node.namedChildren();
      if (!/(?:^|\\)Route$/.test(name?.text() ?? '')) continue;
      const path = firstLiteral(node.namedChildren().slice(1)) ?? '';
      if (
        node
          .ancestors()
          .slice(0, 4)
          .some((outer) => outer.kind() === 'class_declaration') &&
        !node
          .ancestors()
          .slice(0, 4)
          .some((outer) => outer.kind() === 'method_declaration')
      ) {
        prefix = path;
        continue;
      }
      found.push({
        kind: 'route',
        line: lineOf(node),
        name: `ANY ${joinPath(prefix, path)}`,
        framework: 'symfony',
        confidence: 1,
      });
    }
  }
  return found;
};

const routeOf = (
  node: SyntaxNode,
  framework: string,
  confidence: number,
  needsSlash: boolean,
): SurfaceFact | undefined => {
  const verb = VERBS.get(fieldText(node, 'name') ?? '');
  const given = node.field('arguments')?.namedChildren() ?? [];
  if (verb === undefined || given.length < 2) return undefined;
  const values = given.map((argument) => argument.namedChildren()[0] ?? argument);
  const path = values
    .slice(0, 2)
    .map((value) => literalOf(value))
    .find((text) => text !== undefined);
  if (path === undefined || (needsSlash && !path.startsWith('/'))) return undefined;
  return {
    kind: 'route',
    line: lineOf(node),
    name: `${verb} ${joinPath('', path)}`,
    framework,
    confidence,
  };
};
