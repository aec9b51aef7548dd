import { fieldText, lineOf, nodesOfKinds, type SyntaxNode } from '../syntax-tree.ts';
import type { SurfaceFact } from './file-signals.ts';
import { literalOf } from './tree-calls.ts';

const FRAMEWORKS: readonly (readonly [string, RegExp])[] = [
  ['gin', /"github\.com\/gin-gonic\/gin"/],
  ['echo', /"github\.com\/labstack\/echo(?:\/v\d+)?"/],
  ['chi', /"github\.com\/go-chi\/chi(?:\/v\d+)?"/],
  ['fiber', /"github\.com\/gofiber\/fiber(?:\/v\d+)?"/],
  ['gorilla/mux', /"github\.com\/gorilla\/mux"/],
  ['httprouter', /"github\.com\/julienschmidt\/httprouter"/],
  ['net/http', /"net\/http"/],
];
const METHODS =
  /^(?:GET|POST|PUT|PATCH|DELETE|OPTIONS|HEAD|Any|Get|Post|Put|Patch|Delete|Options|Head|All|HandleFunc|Handle)$/;

/** net/http and the common routers by `r.GET("/x", handler)`, and `main` of a program. */
export const goSurfaces = (root: SyntaxNode, text: string): readonly SurfaceFact[] => {
  const framework = FRAMEWORKS.find(([, pattern]) => pattern.test(text))?.[0];
  const found: SurfaceFact[] = [];
  if (framework !== undefined) {
    for (const node of nodesOfKinds(root, ['call_expression'])) {
      const called = node.field('function');
      const method =
        called?.kind() === 'selector_expression' ? fieldText(called, 'field') : undefined;
      if (method === undefined || !METHODS.test(method)) continue;
      const given = node.field('arguments')?.namedChildren() ?? [];
      const pattern = literalOf(given[0]);
      // Since Go 1.22 the pattern may begin with a method. A client's `Get("/x")` has no handler.
      const match = /^(?:([A-Z]+) )?(\S*\/\S*|)$/.exec(pattern ?? ' ');
      if (match === null || given.length < 2) continue;
      const verb =
        match[1] ??
        (method.startsWith('Handle') || /^(?:Any|All)$/.test(method)
          ? 'ANY'
          : method.toUpperCase());
      found.push({
        kind: 'route',
        line: lineOf(node),
        name: `${verb} ${match[2] === '' ? '/' : (match[2] ?? '/')}`,
        framework,
        confidence: framework === 'net/http' && !method.startsWith('Handle') ? 0.7 : 1,
      });
    }
  }
  if (/^package\s+main\b/m.test(text)) {
    const main = nodesOfKinds(root, ['function_declaration']).find(
      (node) => fieldText(node, 'name') === 'main',
    );
    if (main !== undefined) {
      found.push({
        kind: 'command',
        line: lineOf(main),
        name: 'main',
        framework: 'go',
        confidence: 1,
      });
    }
  }
  return found;
};
