import { fieldText, lineOf, nodesOfKinds, type SyntaxNode } from '../syntax-tree.ts';
import type { SurfaceFact } from './file-signals.ts';
import { joinPath } from './join-path.ts';
import { literalOf } from './tree-calls.ts';

const VERBS = /^(?:get|post|put|patch|delete|match|root|resources?)$/;

/** Rails' routes inside of `routes.draw`, Sinatra's, and what Sidekiq and Active Job run. */
export const rubySurfaces = (root: SyntaxNode, text: string): readonly SurfaceFact[] => {
  const isRails = /\broutes\.draw\b/.test(text);
  const isSinatra = /\brequire\s*\(?\s*['"]sinatra|\bSinatra::/.test(text);
  const found: SurfaceFact[] = [];
  if (isRails || isSinatra) {
    const framework = isRails ? 'rails' : 'sinatra';
    for (const node of nodesOfKinds(root, ['call'])) {
      const method = fieldText(node, 'method') ?? '';
      if (node.field('receiver') !== null || !VERBS.test(method)) continue;
      const first = node.field('arguments')?.namedChildren()[0];
      const name = routeName(method, first);
      if (name === undefined || (isSinatra && node.field('block') === null)) continue;
      found.push({ kind: 'route', line: lineOf(node), name, framework, confidence: 1 });
    }
  }
  const job = /\binclude\s+Sidekiq::(?:Worker|Job)\b|<\s*(?:ApplicationJob|ActiveJob::Base)\b/.exec(
    text,
  );
  if (job !== null) {
    const perform = nodesOfKinds(root, ['method']).find(
      (node) => fieldText(node, 'name') === 'perform',
    );
    if (perform !== undefined) {
      found.push({
        kind: 'queue',
        line: lineOf(perform),
        name: className(perform),
        framework: job[0].includes('Sidekiq') ? 'sidekiq' : 'active-job',
        confidence: 1,
      });
    }
  }
  return found;
};

const routeName = (method: string, first: SyntaxNode | undefined): string | undefined => {
  if (method === 'root') return 'GET /';
  const pair = first?.kind() === 'pair' ? first.field('key') : first;
  const path =
    pair === null || pair === undefined ? undefined : (literalOf(pair) ?? symbolName(pair));
  if (path === undefined) return undefined;
  if (method.startsWith('resource')) return `${method.toUpperCase()} ${joinPath('', path)}`;
  return `${method === 'match' ? 'ANY' : method.toUpperCase()} ${joinPath('', path)}`;
};

const symbolName = (node: SyntaxNode): string | undefined =>
  node.kind() === 'simple_symbol' ? node.text().slice(1) : undefined;

const className = (node: SyntaxNode): string => {
  const around = node.ancestors().find((outer) => outer.kind() === 'class');
  return around?.field('name')?.text() ?? 'perform';
};
