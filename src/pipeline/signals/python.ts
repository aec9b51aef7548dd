import { fieldText, lineOf, nodesOfKinds, type SyntaxNode } from '../syntax-tree.ts';
import type { SurfaceFact } from './file-signals.ts';
import { literalOf } from './tree-calls.ts';

const VERBS: ReadonlyMap<string, string> = new Map([
  ['route', 'ANY'],
  ['api_route', 'ANY'],
  ['websocket', 'WS'],
  ...['get', 'post', 'put', 'patch', 'delete', 'options', 'head'].map(
    (name) => [name, name.toUpperCase()] as const,
  ),
]);
const WEB =
  /^(?:flask|fastapi|sanic|starlette|quart|aiohttp|bottle|falcon|litestar|robyn|blacksheep)\b/;
const TASKS = /^(?:celery|huey|dramatiq|rq|arq|apscheduler|prefect|airflow|modal)\b/;
const COMMANDS = /^(?:click|typer|invoke|cyclopts)\b/;

/**
 * Flask, FastAPI and their like by decorators, Django by `urlpatterns`, task queues, command lines, and
 * what runs when the file is the program. A receiver of any name counts if the file imports such a
 * framework, or if its name says router.
 */
export const pythonSurfaces = (root: SyntaxNode, text: string): readonly SurfaceFact[] => {
  if (!MARKS.test(text)) return [];
  const modules = nodesOfKinds(root, ['import_statement', 'import_from_statement']).map(
    (node) => fieldText(node, 'module_name') ?? node.field('name')?.text() ?? '',
  );
  const frameworkOf = (pattern: RegExp): string | undefined =>
    modules.find((module) => pattern.test(module))?.split('.')[0];
  const decorated = nodesOfKinds(root, ['decorator']).flatMap((node) =>
    decorator(node, frameworkOf),
  );
  const django = modules.find((module) => /^django\.(?:urls|conf\.urls)/.test(module));
  return [
    ...decorated,
    ...(django === undefined || !text.includes('urlpatterns') ? [] : djangoRoutes(root)),
    ...mainGuard(root, text),
  ];
};

const MARKS = /@[\w.]+\s*\(|@[\w.]*task\b|@[\w.]*(?:command|group)\b|urlpatterns|__main__/;

const decorator = (
  node: SyntaxNode,
  frameworkOf: (pattern: RegExp) => string | undefined,
): readonly SurfaceFact[] => {
  const inner = node.namedChildren()[0];
  if (inner === undefined) return [];
  const isCall = inner.kind() === 'call';
  const target = isCall ? inner.field('function') : inner;
  if (target === null) return [];
  const name = target.kind() === 'attribute' ? fieldText(target, 'attribute') : target.text();
  const receiver = target.kind() === 'attribute' ? (fieldText(target, 'object') ?? '') : '';
  const given = isCall ? (inner.field('arguments')?.namedChildren() ?? []) : [];
  const line = lineOf(node);
  const verb = VERBS.get(name ?? '');
  const path = literalOf(given[0]) ?? keyword(given, 'path') ?? keyword(given, 'rule');
  if (verb !== undefined && receiver !== '' && path !== undefined && /^(?:\/|$)/.test(path)) {
    const framework = frameworkOf(WEB);
    const isUsual = /(?:^|\.|_)(?:app|router|bp|blueprint|api|routes?)$/i.test(receiver);
    if (framework === undefined && !isUsual) return [];
    return methodsOf(given, verb).map((method) => ({
      kind: 'route',
      line,
      name: `${method} ${path}`,
      framework: framework ?? 'unknown',
      confidence: framework === undefined ? 0.6 : 1,
    }));
  }
  const task = frameworkOf(TASKS);
  if (/^(?:shared_task|task|periodic_task|db_task|actor|job|scheduled_job)$/.test(name ?? '')) {
    if (task === undefined && name !== 'shared_task') return [];
    const kind = /periodic|scheduled/.test(name ?? '') ? 'schedule' : 'queue';
    return [{ kind, line, name: definedBy(node), framework: task ?? 'celery', confidence: 0.9 }];
  }
  // Flask brings click along: `@app.cli.command`.
  const command = frameworkOf(COMMANDS) ?? frameworkOf(/^flask\b/);
  if (name === 'command' && command !== undefined) {
    const label = literalOf(given[0]) ?? definedBy(node);
    return [{ kind: 'command', line, name: label, framework: command, confidence: 0.9 }];
  }
  return [];
};

const keyword = (given: readonly SyntaxNode[], name: string): string | undefined => {
  const argument = given.find(
    (node) => node.kind() === 'keyword_argument' && fieldText(node, 'name') === name,
  );
  return literalOf(argument?.field('value'));
};

const methodsOf = (given: readonly SyntaxNode[], verb: string): readonly string[] => {
  const argument = given.find(
    (node) => node.kind() === 'keyword_argument' && fieldText(node, 'name') === 'methods',
  );
  const named = (argument?.field('value')?.namedChildren() ?? []).flatMap(
    (node) => literalOf(node) ?? [],
  );
  if (named.length > 0) return named.map((method) => method.toUpperCase());
  return [verb === 'ANY' ? 'GET' : verb];
};

/** The name of the function or class under a decorator. */
const definedBy = (node: SyntaxNode): string =>
  node.parent()?.field('definition')?.field('name')?.text() ?? 'unknown';

const djangoRoutes = (root: SyntaxNode): readonly SurfaceFact[] =>
  nodesOfKinds(root, ['call']).flatMap((node): readonly SurfaceFact[] => {
    if (!/^(?:path|re_path|url)$/.test(fieldText(node, 'function') ?? '')) return [];
    const given = node.field('arguments')?.namedChildren() ?? [];
    const path = literalOf(given[0]);
    // `include(…)` hands over to another list of routes, which has its own.
    if (path === undefined || given.length < 2 || /^include\b/.test(given[1]?.text() ?? ''))
      return [];
    return [
      {
        kind: 'route',
        line: lineOf(node),
        name: `ANY /${path.replace(/^\//, '')}`,
        framework: 'django',
        confidence: 1,
      },
    ];
  });

const mainGuard = (root: SyntaxNode, text: string): readonly SurfaceFact[] => {
  if (!text.includes('__main__')) return [];
  const guard = root
    .namedChildren()
    .find(
      (node) =>
        node.kind() === 'if_statement' &&
        /^\(?\s*__name__\s*==\s*['"]__main__['"]\s*\)?$/.test(fieldText(node, 'condition') ?? ''),
    );
  return guard === undefined
    ? []
    : [
        {
          kind: 'command',
          line: lineOf(guard),
          name: '__main__',
          framework: 'python',
          confidence: 0.8,
        },
      ];
};
