import { fieldText, lineOf, nodesOfKinds, type SyntaxNode } from '../syntax-tree.ts';
import type { SurfaceFact } from './file-signals.ts';
import { firstLiteral, literalOf } from './tree-calls.ts';

const ATTRIBUTE = /^#\[\s*(?:\w+::)*(get|post|put|patch|delete|head|options|route)\s*\(/;

/** Actix' and Rocket's attributes, axum's and actix' `.route("/x", …)`, and `main`. */
export const rustSurfaces = (root: SyntaxNode, text: string): readonly SurfaceFact[] => {
  const framework = /\b(actix_web|rocket|axum|warp|poem|salvo)\b/.exec(text)?.[1];
  const found: SurfaceFact[] = [];
  if (framework !== undefined) {
    for (const node of nodesOfKinds(root, ['attribute_item'])) {
      const verb = ATTRIBUTE.exec(node.text())?.[1];
      const path = verb === undefined ? undefined : firstLiteral(node.namedChildren());
      if (verb === undefined || path === undefined) continue;
      found.push({
        kind: 'route',
        line: lineOf(node),
        name: `${verb === 'route' ? 'ANY' : verb.toUpperCase()} ${path}`,
        framework,
        confidence: 1,
      });
    }
    for (const node of nodesOfKinds(root, ['call_expression'])) {
      const called = node.field('function');
      if (called?.kind() !== 'field_expression' || fieldText(called, 'field') !== 'route') continue;
      const given = node.field('arguments')?.namedChildren() ?? [];
      const path = literalOf(given[0]);
      if (path === undefined || given.length < 2) continue;
      const verb = /\b(get|post|put|patch|delete|head|options)\s*\(/.exec(
        given[1]?.text() ?? '',
      )?.[1];
      found.push({
        kind: 'route',
        line: lineOf(called.field('field') ?? called),
        name: `${verb?.toUpperCase() ?? 'ANY'} ${path}`,
        framework,
        confidence: 1,
      });
    }
  }
  const main = root
    .namedChildren()
    .find((node) => node.kind() === 'function_item' && fieldText(node, 'name') === 'main');
  if (main !== undefined) {
    found.push({
      kind: 'command',
      line: lineOf(main),
      name: 'main',
      framework: 'rust',
      confidence: 0.9,
    });
  }
  return found;
};
