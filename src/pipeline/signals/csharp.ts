import { fieldText, lineOf, nodesOfKinds, type SyntaxNode } from '../syntax-tree.ts';
import type { SurfaceFact } from './file-signals.ts';
import { joinPath } from './join-path.ts';
import { firstLiteral, literalOf } from './tree-calls.ts';

const VERB = /^Http(Get|Post|Put|Patch|Delete|Head|Options)(?:Attribute)?$/;
const MAP = /^Map(Get|Post|Put|Patch|Delete|Methods|Hub)?$/;

/** ASP.NET's attributes on controllers, minimal APIs (`app.MapGet`), SignalR hubs, and `Main`. */
export const csharpSurfaces = (root: SyntaxNode, text: string): readonly SurfaceFact[] => {
  if (
    !/\bHttp(?:Get|Post|Put|Patch|Delete|Head|Options)\b|\[\s*Route\b|\.\s*Map\w*\s*\(|\bstatic\b[^;{]*\bMain\s*\(/.test(
      text,
    )
  ) {
    return [];
  }
  const found: SurfaceFact[] = [];
  let prefix = '';
  const attributes = nodesOfKinds(root, ['attribute']);
  for (const node of attributes) {
    const name = fieldText(node, 'name') ?? '';
    const holder = String(node.parent()?.parent()?.kind() ?? '');
    if (/^Route(?:Attribute)?$/.test(name) && /class|record/.test(holder)) {
      prefix = firstLiteral(node.namedChildren().slice(1)) ?? '';
      continue;
    }
    const verb = VERB.exec(name)?.[1];
    if (verb === undefined) continue;
    const path = joinPath(prefix, firstLiteral(node.namedChildren().slice(1)) ?? '');
    found.push({
      kind: 'route',
      line: lineOf(node),
      name: `${verb.toUpperCase()} ${path}`,
      framework: 'asp.net',
      confidence: 1,
    });
  }
  for (const node of nodesOfKinds(root, ['invocation_expression'])) {
    const called = node.field('function');
    const name = called === null ? '' : (fieldText(called, 'name') ?? '').replace(/<.*/s, '');
    const match = MAP.exec(name);
    if (called === null || match === null || match[1] === undefined) continue;
    const given = node.field('arguments')?.namedChildren() ?? [];
    const path = literalOf(given[0]?.namedChildren()[0]);
    if (path === undefined || given.length < (match[1] === 'Hub' ? 1 : 2)) continue;
    const isHub = match[1] === 'Hub';
    found.push({
      kind: isHub ? 'socket' : 'route',
      line: lineOf(node),
      name: isHub
        ? path
        : `${match[1] === 'Methods' ? 'ANY' : match[1].toUpperCase()} ${joinPath('', path)}`,
      framework: 'asp.net',
      confidence: 0.9,
    });
  }
  const main = nodesOfKinds(root, ['method_declaration']).find(
    (node) => fieldText(node, 'name') === 'Main' && /\bstatic\b/.test(node.text().slice(0, 200)),
  );
  if (main !== undefined) {
    found.push({
      kind: 'command',
      line: lineOf(main),
      name: 'Main',
      framework: 'dotnet',
      confidence: 0.9,
    });
  }
  return found;
};
