import { nameOf } from '../imports/ecmascript-program.ts';
import {
  CHAIN_MAX,
  fieldsOf,
  listOf,
  readBindings,
  textOf,
  type Bindings,
  type Fields,
} from './ecmascript-bindings.ts';
import { joinPath } from './join-path.ts';
import { isSurfaceName, type SurfaceFact } from './file-signals.ts';

/** Frameworks whose servers and routers take `.get('/path', handler)`. */
const ROUTER_MODULES: ReadonlySet<string> = new Set([
  'express',
  'express-promise-router',
  'fastify',
  '@koa/router',
  'koa-router',
  '@hapi/hapi',
  'hapi',
  'hono',
  'polka',
  'restify',
  'find-my-way',
  'itty-router',
  'elysia',
  '@tinyhttp/app',
  'uWebSockets.js',
  'router',
  'h3',
  '@adonisjs/core/services/router',
]);
/** What people call a server that they were given; only with a path and a handler beside it. */
const ROUTER_NAMES: ReadonlySet<string> = new Set([
  'app',
  'router',
  'server',
  'fastify',
  'instance',
  'api',
  'routes',
]);
const METHODS: ReadonlyMap<string, string> = new Map(
  ['get', 'post', 'put', 'patch', 'delete', 'options', 'head', 'all', 'trace', 'search'].map(
    (name) => [name, name.toUpperCase()],
  ),
)
  .set('del', 'DELETE')
  .set('any', 'ALL');

/** Decorators of Nest and of those that speak like it: by module, then by name. */
const DECORATOR_MODULES =
  /^(?:@nestjs\/|@tsed\/|routing-controllers$|type-graphql$|@midwayjs\/|@loopback\/rest$|inversify-express-utils$|@overnightjs\/core$)/;
const ROUTE_DECORATORS: ReadonlyMap<string, string> = new Map(
  ['Get', 'Post', 'Put', 'Patch', 'Delete', 'Options', 'Head', 'All', 'Sse'].flatMap((name) => [
    [name, name.toUpperCase()] as const,
    [`http${name}`, name.toUpperCase()] as const,
  ]),
);
const OTHER_DECORATORS: ReadonlyMap<string, SurfaceFact['kind']> = new Map([
  ['MessagePattern', 'queue'],
  ['EventPattern', 'queue'],
  ['Process', 'queue'],
  ['Processor', 'queue'],
  ['Cron', 'schedule'],
  ['Interval', 'schedule'],
  ['Timeout', 'schedule'],
  ['SubscribeMessage', 'socket'],
  ['GrpcMethod', 'rpc'],
  ['GrpcStreamMethod', 'rpc'],
  ['Query', 'graphql'],
  ['Mutation', 'graphql'],
  ['Subscription', 'graphql'],
  ['Command', 'command'],
]);

/** Calls that hand a function to something that will call it: by module and the called name. */
const HANDLER_CALLS: readonly {
  readonly modules: ReadonlySet<string>;
  readonly called: ReadonlySet<string>;
  readonly kind: SurfaceFact['kind'];
}[] = [
  {
    kind: 'schedule',
    modules: new Set(['node-cron', 'cron', 'croner', 'node-schedule']),
    called: new Set(['schedule', 'scheduleJob', 'CronJob', 'Cron', 'from']),
  },
  {
    kind: 'queue',
    modules: new Set([
      'bull',
      'bullmq',
      'bee-queue',
      'kue',
      'agenda',
      '@hokify/agenda',
      'pg-boss',
      'amqplib',
      'kafkajs',
      'sqs-consumer',
      'faktory-worker',
      'graphile-worker',
    ]),
    called: new Set([
      'process',
      'Worker',
      'define',
      'work',
      'consume',
      'run',
      'create',
      'register',
    ]),
  },
  {
    kind: 'socket',
    modules: new Set(['ws', 'socket.io', 'sockjs', 'uws']),
    called: new Set(['on']),
  },
  {
    kind: 'command',
    modules: new Set([
      'commander',
      'yargs',
      'cac',
      'sade',
      'caporal',
      'clipanion',
      '@caporal/core',
      'vorpal',
    ]),
    called: new Set(['command']),
  },
];

const MARKS =
  /\.\s*(?:get|post|put|patch|delete|del|options|head|all|any|trace|search|route)\s*\(|@\s*(?:Controller|JsonController|controller|Resolver|Processor|Cron|Command|MessagePattern|EventPattern|SubscribeMessage|WebSocketGateway|GrpcMethod)\b|\.\s*(?:schedule|scheduleJob|process|define|work|consume|run|on|command)\s*\(|\bnew\s+(?:CronJob|Cron|Worker)\b/;
const MODULES =
  /['"`](?:express|express-promise-router|fastify|@koa\/router|koa-router|@?hapi(?:\/hapi)?|hono|polka|restify|find-my-way|itty-router|elysia|@tinyhttp\/app|uWebSockets\.js|router|h3|@adonisjs\/[^'"`]*|@nestjs\/[^'"`]*|@tsed\/[^'"`]*|routing-controllers|type-graphql|@midwayjs\/[^'"`]*|@loopback\/rest|inversify-express-utils|@overnightjs\/core|node-cron|cron|croner|node-schedule|bull|bullmq|bee-queue|kue|agenda|@hokify\/agenda|pg-boss|amqplib|kafkajs|sqs-consumer|faktory-worker|graphile-worker|ws|socket\.io|sockjs|uws|commander|yargs(?:\/[^'"`]*)?|cac|sade|@?caporal(?:\/core)?|clipanion|vorpal)['"`]/;
const ROUTE =
  /\.\s*(?:(?:get|post|put|patch|delete|del|options|head|all|any|trace|search)\s*\(\s*['"`][/*:]|route\s*\(\s*[{['"`])/;
/** Tests are never entrances, and these packages are for nothing else. */
const TEST_PACKAGE =
  /(?:\bfrom|\brequire\s*\()\s*['"`](?:node:test|vitest|@jest\/globals|tap|tape|ava|mocha|supertest)['"`]/;

/**
 * Whether a file may declare an entrance. Nothing that has none of these words can, so most files are
 * spared the tree. It never adds anything by itself.
 */
export const mayHaveSurfaces = (text: string): boolean =>
  (ROUTE.test(text) || (MODULES.test(text) && MARKS.test(text))) && !TEST_PACKAGE.test(text);

/** The entrances that the syntax of a module declares. `nodes` in the order of the text. */
export const surfacesInProgram = (
  nodes: readonly Fields[],
  lineOf: (offset: number) => number,
): readonly SurfaceFact[] => {
  const bindings = readBindings(nodes);
  const found: SurfaceFact[] = [];
  let prefix = { end: 0, path: '' };
  for (const node of nodes) {
    const line = lineOf(node.start);
    switch (node.type) {
      case 'ClassDeclaration':
      case 'ClassExpression': {
        const path = controllerPath(node, bindings);
        if (path !== undefined) prefix = { end: node.end, path };
        break;
      }
      case 'MethodDefinition':
        for (const decorator of listOf(node['decorators'])) {
          const path = node.start < prefix.end ? prefix.path : '';
          const fact = decorated(fieldsOf(decorator), path, nameOf(node['key']), bindings);
          if (fact !== undefined) found.push({ ...fact, line });
        }
        break;
      case 'CallExpression':
      case 'NewExpression':
        // A chain starts where its first call does; the name that is called is nearer.
        for (const fact of called(node, bindings))
          found.push({ ...fact, line: lineOf(nameStart(node)) });
        break;
    }
  }
  return found.filter(({ name }) => isSurfaceName(name));
};

type Found = Omit<SurfaceFact, 'line'>;

const nameStart = (call: Fields): number => {
  const callee = fieldsOf(call['callee']);
  return fieldsOf(callee?.['property'])?.start ?? callee?.start ?? call.start;
};

const called = (node: Fields, bindings: Bindings): readonly Found[] => {
  const callee = fieldsOf(node['callee']);
  const given = listOf(node['arguments']);
  const name = calledName(callee);
  if (callee === undefined || name === undefined) return [];
  const handler = handlerCall(callee, name, given, bindings);
  if (handler !== undefined) return [handler];
  if (callee.type !== 'MemberExpression') return [];
  const router = routerOf(callee['object'], bindings);
  if (router === undefined) return [];
  if (name === 'route') return routeObjects(given, router);
  const method = METHODS.get(name);
  if (method === undefined) return [];
  const chained = chainedPath(callee['object']);
  const path = chained ?? textOf(given[0]);
  const handlers = chained === undefined ? given.slice(1) : given;
  if (path === undefined || !isPath(path) || !handlers.some((one) => mayHandle(one, router)))
    return [];
  return [{ kind: 'route', name: `${method} ${path}`, ...router }];
};

const calledName = (callee: Fields | undefined): string | undefined =>
  callee?.type === 'MemberExpression' ? nameOf(callee['property']) : nameOf(callee);

type Router = { readonly framework: string; readonly confidence: number };

/** `router` of `router.get`, also in `router.route('/x').get(a).post(b)`. */
const routerOf = (value: unknown, bindings: Bindings): Router | undefined => {
  let object = fieldsOf(value);
  for (let step = 0; object?.type === 'CallExpression' && step < CHAIN_MAX; step += 1) {
    const callee = fieldsOf(object['callee']);
    // `request(app).get('/x')` asks a server; it is none.
    if (callee?.type !== 'MemberExpression') return moduleRouter(object, bindings);
    const name = nameOf(callee['property']) ?? '';
    if (name !== 'route' && !METHODS.has(name)) return moduleRouter(object, bindings);
    object = fieldsOf(callee['object']);
  }
  const known = moduleRouter(object, bindings);
  if (known !== undefined) return known;
  if (bindings.moduleOf(object) !== undefined) return undefined;
  const name = object?.type === 'MemberExpression' ? nameOf(object['property']) : nameOf(object);
  return name !== undefined && ROUTER_NAMES.has(name)
    ? { framework: 'unknown', confidence: 0.6 }
    : undefined;
};

const moduleRouter = (value: unknown, bindings: Bindings): Router | undefined => {
  const module = bindings.moduleOf(value);
  return module !== undefined && ROUTER_MODULES.has(module)
    ? { framework: module, confidence: 1 }
    : undefined;
};

const isPath = (path: string): boolean => /^(?:\/|\*$|:)/.test(path);

/** Of a server that is only known by a name, a handler must look like one: `app.get('/x', 5)` is none. */
const mayHandle = (value: unknown, router: Router): boolean => {
  const type = fieldsOf(value)?.type ?? '';
  if (/Function/.test(type)) return true;
  if (type === 'Identifier' || type === 'MemberExpression') return true;
  return (
    router.confidence === 1 && /^(?:CallExpression|ObjectExpression|ArrayExpression)$/.test(type)
  );
};

const chainedPath = (value: unknown): string | undefined => {
  let object = fieldsOf(value);
  for (let step = 0; object?.type === 'CallExpression' && step < CHAIN_MAX; step += 1) {
    const callee = fieldsOf(object['callee']);
    if (callee?.type !== 'MemberExpression') return undefined;
    if (nameOf(callee['property']) === 'route') return textOf(listOf(object['arguments'])[0]);
    object = fieldsOf(callee['object']);
  }
  return undefined;
};

/** `.route({ method, url, handler })`, one or an array of them. */
const routeObjects = (given: readonly unknown[], router: Router): readonly Found[] => {
  const first = fieldsOf(given[0]);
  const objects = first?.type === 'ArrayExpression' ? listOf(first['elements']) : [given[0]];
  return objects.flatMap((value) => {
    const properties = propertiesOf(value);
    const path = textOf(properties.get('url') ?? properties.get('path'));
    const methods = methodsOf(properties.get('method'));
    if (path === undefined || methods.length === 0) return [];
    if (!properties.has('handler') && !properties.has('options')) return [];
    return methods.map((method): Found => ({
      kind: 'route',
      name: `${method} ${path}`,
      ...router,
    }));
  });
};

const propertiesOf = (value: unknown): ReadonlyMap<string, unknown> => {
  const fields = fieldsOf(value);
  if (fields?.type !== 'ObjectExpression') return new Map();
  return new Map(
    listOf(fields['properties']).flatMap((property) => {
      const one = fieldsOf(property);
      const key = nameOf(one?.['key']) ?? textOf(one?.['key']);
      return key === undefined ? [] : [[key, one?.['value']] as const];
    }),
  );
};

const methodsOf = (value: unknown): readonly string[] => {
  const fields = fieldsOf(value);
  const texts = fields?.type === 'ArrayExpression' ? listOf(fields['elements']) : [value];
  return texts.flatMap((one) => {
    const text = textOf(one);
    return text === undefined ? [] : [text.toUpperCase()];
  });
};

const handlerCall = (
  callee: Fields,
  name: string,
  given: readonly unknown[],
  bindings: Bindings,
): Found | undefined => {
  const module = bindings.moduleOf(callee);
  if (module === undefined) return undefined;
  const bare = module.startsWith('yargs') ? 'yargs' : module;
  const imported = callee.type === 'Identifier' ? (bindings.importedName(name) ?? name) : name;
  const rule = HANDLER_CALLS.find(
    ({ modules, called: names }) => modules.has(bare) && names.has(imported),
  );
  if (rule === undefined) return undefined;
  const label = textOf(given[0]) ?? textOf(listOf(fieldsOf(given[0])?.['elements'])[0]);
  const isHandled = given.some((one) =>
    /Function|Identifier|Member|Object/.test(fieldsOf(one)?.type ?? ''),
  );
  // Of commander, the handler comes with `.action` later; sockets are entered by one event.
  if (rule.kind === 'socket' && label !== 'connection') return undefined;
  if (rule.kind !== 'command' && !isHandled) return undefined;
  if (label === undefined && rule.kind === 'command') return undefined;
  return { kind: rule.kind, name: label ?? imported, framework: module, confidence: 0.9 };
};

const controllerPath = (node: Fields, bindings: Bindings): string | undefined => {
  for (const decorator of listOf(node['decorators'])) {
    const { name, given } = decoratorOf(fieldsOf(decorator), bindings);
    if (!/^(?:Json)?Controller$|^controller$/.test(name)) continue;
    const object = propertiesOf(given[0]);
    return textOf(given[0]) ?? textOf(object.get('path')) ?? '';
  }
  return undefined;
};

const decorated = (
  decorator: Fields | undefined,
  prefix: string,
  method: string | undefined,
  bindings: Bindings,
): Found | undefined => {
  const { name, given, module } = decoratorOf(decorator, bindings);
  if (module === undefined || !DECORATOR_MODULES.test(module)) return undefined;
  const verb = ROUTE_DECORATORS.get(name);
  const label = textOf(given[0]) ?? textOf(listOf(fieldsOf(given[0])?.['elements'])[0]);
  if (verb !== undefined) {
    return {
      kind: 'route',
      name: `${verb} ${joinPath(prefix, label ?? '')}`,
      framework: module,
      confidence: 1,
    };
  }
  const kind = OTHER_DECORATORS.get(name);
  // The same words are parameters' decorators elsewhere: `@Query` in front of a method is GraphQL's.
  if (kind === 'graphql' && !/graphql/.test(module)) return undefined;
  if (kind === undefined) return undefined;
  return { kind, name: label ?? method ?? name, framework: module, confidence: 0.9 };
};

const decoratorOf = (
  decorator: Fields | undefined,
  bindings: Bindings,
): {
  readonly name: string;
  readonly given: readonly unknown[];
  readonly module: string | undefined;
} => {
  const expression = fieldsOf(decorator?.['expression']);
  const isCall = expression?.type === 'CallExpression';
  const callee = isCall ? fieldsOf(expression['callee']) : expression;
  const local = calledName(callee) ?? '';
  return {
    name: callee?.type === 'Identifier' ? (bindings.importedName(local) ?? local) : local,
    given: isCall ? listOf(expression['arguments']) : [],
    module: bindings.moduleOf(callee),
  };
};
