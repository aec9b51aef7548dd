import { lineOf, nodesOfKinds, type SyntaxNode } from '../syntax-tree.ts';
import type { SurfaceFact, SurfaceKind } from './file-signals.ts';
import { joinPath } from './join-path.ts';
import { firstLiteral } from './tree-calls.ts';

const ROUTES: ReadonlyMap<string, string> = new Map(
  ['Get', 'Post', 'Put', 'Patch', 'Delete', 'Options', 'Head'].flatMap((verb) => [
    [`${verb}Mapping`, verb.toUpperCase()] as const,
    [verb.toUpperCase(), verb.toUpperCase()] as const,
    // Micronaut's.
    [verb, verb.toUpperCase()] as const,
  ]),
).set('RequestMapping', 'ANY');
const OTHERS: ReadonlyMap<string, SurfaceKind> = new Map([
  ['KafkaListener', 'queue'],
  ['RabbitListener', 'queue'],
  ['JmsListener', 'queue'],
  ['SqsListener', 'queue'],
  ['Incoming', 'queue'],
  ['MessageMapping', 'socket'],
  ['ServerEndpoint', 'socket'],
  ['Scheduled', 'schedule'],
  ['QueryMapping', 'graphql'],
  ['MutationMapping', 'graphql'],
  ['SubscriptionMapping', 'graphql'],
]);
const PREFIXES = /^(?:RequestMapping|Path|Controller|RestController)$/;

/** Spring, JAX-RS and Micronaut by their annotations, and `main` of Java and Kotlin. */
export const jvmSurfaces = (root: SyntaxNode, text: string): readonly SurfaceFact[] => {
  const framework = FRAMEWORKS.find(([, pattern]) => pattern.test(text))?.[0];
  const found: SurfaceFact[] = [];
  if (framework !== undefined) {
    let prefix = '';
    const pathOfMethod = new Map<number, string>();
    const annotations = nodesOfKinds(root, annotationKinds(root));
    for (const node of annotations) {
      const name = annotationName(node);
      const isOfClass = !isOfFunction(node);
      if (isOfClass && PREFIXES.test(name))
        prefix = firstLiteral(node.namedChildren().slice(-1)) ?? prefix;
      if (!isOfClass && name === 'Path') {
        pathOfMethod.set(
          node.parent()?.id() ?? 0,
          firstLiteral(node.namedChildren().slice(-1)) ?? '',
        );
      }
    }
    for (const node of annotations) {
      const name = annotationName(node);
      const isOfClass = !isOfFunction(node);
      const verb = ROUTES.get(name);
      const kind = OTHERS.get(name);
      const label = firstLiteral(node.namedChildren().slice(-1));
      const line = lineOf(node);
      if (verb !== undefined && !isOfClass) {
        const path = joinPath(prefix, label ?? pathOfMethod.get(node.parent()?.id() ?? 0) ?? '');
        found.push({ kind: 'route', line, name: `${verb} ${path}`, framework, confidence: 1 });
      } else if (kind !== undefined) {
        found.push({ kind, line, name: label ?? name, framework, confidence: 0.9 });
      }
    }
  }
  const main = MAIN.exec(text);
  if (main !== null) found.push(...mainFunction(root));
  return found;
};

const FRAMEWORKS: readonly (readonly [string, RegExp])[] = [
  ['spring', /\borg\.springframework\./],
  ['jax-rs', /\b(?:javax|jakarta)\.(?:ws\.rs|jms|websocket)\b/],
  ['micronaut', /\bio\.micronaut\./],
  ['quarkus', /\bio\.quarkus\.|\borg\.eclipse\.microprofile\./],
];
const MAIN = /\bstatic\s+void\s+main\s*\(|^\s*(?:suspend\s+)?fun\s+main\s*\(/m;

/** Java tells annotations without arguments apart; Kotlin's grammar does not know that kind. */
const annotationKinds = (root: SyntaxNode): readonly string[] =>
  root.kind() === 'program' ? ['annotation', 'marker_annotation'] : ['annotation'];

const annotationName = (node: SyntaxNode): string =>
  /^@(?:\w+:)?\s*(?:\w+\.)*(\w+)/.exec(node.text())?.[1] ?? '';

/** What is on no function is on a class; Kotlin's grammar does not always see the class behind it. */
const isOfFunction = (node: SyntaxNode): boolean => {
  const parent = node.parent();
  const holder = parent?.kind() === 'modifiers' ? parent.parent() : parent;
  return /method|function/.test(String(holder?.kind() ?? ''));
};

const mainFunction = (root: SyntaxNode): readonly SurfaceFact[] => {
  const kinds = root.kind() === 'program' ? ['method_declaration'] : ['function_declaration'];
  const main = nodesOfKinds(root, kinds).find((node) => MAIN.test(node.text().slice(0, 500)));
  return main === undefined
    ? []
    : [{ kind: 'command', line: lineOf(main), name: 'main', framework: 'jvm', confidence: 0.9 }];
};
