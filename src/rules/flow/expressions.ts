import { nameOf, type Node } from '../../pipeline/imports/ecmascript-program.ts';
import { bind, isModuleExports } from './assign.ts';
import { child, children, constantText, memberName, textField, unwrapped } from './ast.ts';
import { callResult } from './calls.ts';
import type { Evaluation } from './evaluation.ts';
import { argumentsOf, fnOf } from './functions.ts';
import { keyOf } from './known-facts.ts';
import { memberOf, memberTaints } from './members.ts';
import { moduleApi } from './module-names.ts';
import { arrayOf, classOf, objectOf } from './objects.ts';
import { reportAssignment } from './report.ts';
import { lookUp, type Scope } from './scope.ts';
import type { SinkKind } from './sink-kind.ts';
import type { SinkCall } from './sinks/sink.ts';
import {
  cleaned,
  composed,
  elementsOf,
  joinInto,
  newValue,
  NOTHING,
  union,
  valueOf,
  type Value,
} from './value.ts';

/** @param name what the value is given to: functions without a name of their own are called so. */
export const expression = (
  run: Evaluation,
  node: Node,
  scope: Scope,
  name: string | undefined,
): Value => {
  const { evaluate, evaluateChild, facts } = run;
  switch (node.type) {
    case 'Identifier':
      return identifier(run, node, scope);
    case 'ThisExpression':
      return thisOf(run);
    case 'Super':
      return superOf(run);
    case 'Literal':
      return literal(run, node);
    case 'TemplateLiteral':
      return template(run, node, scope);
    case 'TaggedTemplateExpression':
      return tagged(run, node, scope);
    case 'BinaryExpression':
      return binary(run, node, scope);
    case 'LogicalExpression':
      return logical(run, node, scope);
    case 'ConditionalExpression': {
      const test = child(node, 'test');
      evaluateChild(node, 'test', scope);
      return union(
        facts.within(test, true, scope, () => evaluateChild(node, 'consequent', scope)),
        facts.within(test, false, scope, () => evaluateChild(node, 'alternate', scope)),
      );
    }
    case 'AssignmentExpression':
      return assignment(run, node, scope);
    case 'SequenceExpression':
      return children(node, 'expressions').reduce<Value>(
        (_, one) => (one === undefined ? NOTHING : evaluate(one, scope)),
        NOTHING,
      );
    case 'MemberExpression':
      return member(run, node, scope);
    case 'CallExpression':
    case 'NewExpression':
      return call(run, node, scope);
    case 'ImportExpression': {
      const specifier = constantText(child(node, 'source'));
      return specifier === undefined
        ? evaluateChild(node, 'source', scope)
        : valueOf({ api: moduleApi(specifier) });
    }
    case 'AwaitExpression':
    case 'YieldExpression':
    case 'SpreadElement':
      return evaluateChild(node, 'argument', scope);
    case 'UnaryExpression':
    case 'UpdateExpression':
      evaluateChild(node, 'argument', scope);
      return NOTHING;
    case 'ObjectExpression':
      return objectOf(run, node, scope);
    case 'ArrayExpression':
      return arrayOf(run, node, scope);
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return valueOf({ fn: fnOf(run, node, scope, nameOf(child(node, 'id')) ?? name) });
    case 'ClassExpression':
    case 'ClassDeclaration':
      return classOf(run, node, scope);
    case 'JSXElement':
    case 'JSXFragment':
      return jsx(run, node, scope);
    case 'JSXExpressionContainer':
      return evaluateChild(node, 'expression', scope);
    default:
      return NOTHING;
  }
};

const thisOf = ({ frame, contextThing }: Evaluation): Value =>
  frame.self.things.has(contextThing) ? union(frame.self, valueOf({ api: 'context' })) : frame.self;

/** The class that is extended; its methods, where one of them is asked for. */
const superOf = ({ frame, bodies, parents }: Evaluation): Value => {
  let fn = frame.fn;
  while (fn?.node.type === 'ArrowFunctionExpression') fn = bodies.get(fn)?.outer.fn;
  return (fn && parents.get(fn)) ?? NOTHING;
};

const identifier = (run: Evaluation, node: Node, scope: Scope): Value => {
  const name = nameOf(node) ?? '';
  const variable = lookUp(scope, name);
  if (variable !== undefined) return run.facts.checked(`${variable.id}`, variable.value);
  if (name === 'exports') return valueOf({ thing: run.exportsThing });
  if (name === 'arguments' && run.frame.fn !== undefined) return argumentsOf(run, run.frame.fn);
  return GLOBALS.has(name) ? valueOf({ api: name }) : NOTHING;
};

const GLOBALS: ReadonlySet<string> = new Set([
  ...['process', 'require', 'eval', 'Function', 'setTimeout', 'setInterval', 'setImmediate'],
  ...['document', 'window', 'location', 'JSON', 'Object', 'Array', 'String', 'Number', 'Promise'],
  ...['Reflect', 'URL', 'RegExp', 'parseInt', 'parseFloat', 'Boolean', 'Math', 'Date', 'Buffer'],
  ...['decodeURIComponent', 'decodeURI', 'unescape', 'encodeURIComponent', 'escape', 'global'],
  ...['globalThis', 'Set', 'Map', 'Symbol', 'BigInt', 'module', 'isNaN', 'Deno', 'Bun', 'fetch'],
]);

const literal = ({ patterns, lineOf }: Evaluation, node: Node): Value => {
  const known = patterns.get(node);
  if (known !== undefined) return valueOf({ pattern: known });
  const regex = node['regex'];
  if (typeof regex !== 'object' || regex === null || !('pattern' in regex)) return NOTHING;
  const flags = 'flags' in regex ? String(regex.flags) : '';
  const pattern = { source: String(regex.pattern), flags, line: lineOf(node.start) };
  patterns.set(node, pattern);
  return valueOf({ pattern });
};

const template = ({ evaluate }: Evaluation, node: Node, scope: Scope): Value => {
  const parts = children(node, 'expressions').map((one) =>
    one === undefined ? NOTHING : evaluate(one, scope),
  );
  const hasText = !children(node, 'quasis').every(isEmptyPiece);
  const [first] = parts;
  if (first !== undefined && parts.length === 1 && !hasText) return first;
  return withText(composed(union(...parts)), hasText);
};

const isEmptyPiece = (piece: Node | undefined): boolean => {
  const value = piece?.['value'];
  return typeof value === 'object' && value !== null && 'raw' in value && value.raw === '';
};

/** A tag is there to put values in safely: `sql`, `html`, `$`. */
const tagged = (run: Evaluation, node: Node, scope: Scope): Value => {
  run.evaluateChild(node, 'tag', scope);
  const quasi = child(node, 'quasi');
  for (const one of quasi === undefined ? [] : children(quasi, 'expressions')) {
    if (one !== undefined) run.evaluate(one, scope);
  }
  return NOTHING;
};

/** Sums, which may be texts. Long ones lean to the left: followed in a loop. */
const binary = ({ evaluate, evaluateChild }: Evaluation, node: Node, scope: Scope): Value => {
  const parts: Value[] = [];
  let hasText = false;
  let at: Node | undefined = node;
  while (at?.type === 'BinaryExpression' && textField(at, 'operator') === '+') {
    const right = child(at, 'right');
    if ((constantText(right) ?? '') !== '') hasText = true;
    parts.push(right === undefined ? NOTHING : evaluate(right, scope));
    const left: Node | undefined = child(at, 'left');
    at = left === undefined ? undefined : unwrapped(left);
  }
  if (parts.length === 0) {
    evaluateChild(node, 'left', scope);
    evaluateChild(node, 'right', scope);
    return NOTHING;
  }
  if (at !== undefined) parts.push(evaluate(at, scope));
  return withText(composed(union(...parts)), hasText);
};

/** With text of ours around it no key is one of those that all objects have. */
const withText = (value: Value, hasText: boolean): Value =>
  hasText ? cleaned(value, AS_KEY) : value;
const AS_KEY: ReadonlySet<SinkKind> = new Set<SinkKind>(['prototype-pollution']);

const logical = (run: Evaluation, node: Node, scope: Scope): Value => {
  const operator = textField(node, 'operator');
  const left = operator === '??' ? undefined : child(node, 'left');
  const first = run.evaluateChild(node, 'left', scope);
  const second = run.facts.within(left, operator === '&&', scope, () =>
    run.evaluateChild(node, 'right', scope),
  );
  return operator === '&&' ? second : union(first, second);
};

const ARITHMETIC = /^(?:-|\*|\/|%|\*\*|<<|>>|>>>|&|\||\^)=$/;

const assignment = (run: Evaluation, node: Node, scope: Scope): Value => {
  const left = child(node, 'left');
  const operator = textField(node, 'operator') ?? '=';
  const name = left?.type === 'MemberExpression' ? memberName(left) : nameOf(left);
  const right = child(node, 'right');
  let value = right === undefined ? NOTHING : run.evaluate(right, scope, name);
  if (operator === '+=') value = composed(value);
  else if (ARITHMETIC.test(operator)) value = NOTHING;
  bind(run, left, value, scope);
  return value;
};

/** @param evaluated what it is a member of, where that was evaluated already: once, however long a chain is. */
const member = (run: Evaluation, node: Node, scope: Scope, evaluated?: Value): Value => {
  const target = child(node, 'object');
  if (target === undefined) return NOTHING;
  const line = run.lineOf(child(node, 'property')?.start ?? node.start);
  const name = memberName(node);
  const owner = evaluated ?? run.evaluate(target, scope);
  if (isModuleExports(target, name)) {
    return union(valueOf({ thing: run.exportsThing }), run.flow.exported);
  }
  let value: Value;
  if (name === undefined) {
    const key = run.evaluateChild(node, 'property', scope);
    value = union(memberTaints(owner, undefined, line), elementsOf(owner));
    if (key.taints.size > 0 && !isIndex(run, node, scope)) value = deep(value, key);
  } else {
    value = memberOf(owner, name, line);
    if (owner.isDeep) value = deep(value, NOTHING);
  }
  return run.facts.checked(keyOf(node, scope), value);
};

/** A value that a key of the data led to; cleaned keys lead nowhere. */
const deep = (value: Value, key: Value): Value => {
  const taints = [...key.taints.values()];
  const isClean = taints.every(({ clean }) => clean.has('prototype-pollution'));
  if (value.isDeep || (taints.length > 0 && isClean)) return value;
  const reached = newValue();
  joinInto(reached, value);
  reached.isDeep = true;
  return reached;
};

/** What counts is no key that came with the data, whatever it is summed up from. */
const isIndex = ({ namesOf }: Evaluation, node: Node, scope: Scope): boolean => {
  const name = nameOf(child(node, 'property')) ?? '';
  if (!/^(?:i|j|n|idx|index|len|length|pos|offset)$/i.test(name)) return false;
  // A loop over names has a name in it, whatever its variable is called.
  const variable = lookUp(scope, name);
  return variable === undefined || !namesOf.has(variable.id);
};

const jsx = (run: Evaluation, node: Node, scope: Scope): Value => {
  const opening = child(node, 'openingElement');
  for (const attribute of opening === undefined ? [] : children(opening, 'attributes')) {
    if (attribute === undefined) continue;
    const name = nameOf(child(attribute, 'name'));
    const value = run.evaluateChild(attribute, 'value', scope);
    if (name !== 'dangerouslySetInnerHTML') continue;
    const line = run.lineOf(attribute.start);
    reportAssignment(run.flow.findings, { name, value: memberOf(value, '__html', line), line });
  }
  for (const one of children(node, 'children')) if (one !== undefined) run.evaluate(one, scope);
  return NOTHING;
};

const call = (run: Evaluation, node: Node, scope: Scope): Value => {
  const callee = child(node, 'callee');
  if (callee === undefined) return NOTHING;
  const plain = unwrapped(callee);
  const isMember = plain.type === 'MemberExpression';
  const self = isMember ? run.evaluateChild(plain, 'object', scope) : NOTHING;
  const property = isMember ? child(plain, 'property') : undefined;
  const nodes = children(node, 'arguments');
  const given = nodes.map((one) => (one === undefined ? NOTHING : run.evaluate(one, scope)));
  const made: SinkCall = {
    node,
    name: isMember ? memberName(plain) : nameOf(plain),
    line: run.lineOf(property?.start ?? plain.start),
    isNew: node.type === 'NewExpression',
    callee: isMember ? member(run, plain, scope, self) : run.evaluate(plain, scope),
    isMember,
    self,
    given,
    texts: nodes.map(constantText),
    nodes,
  };
  return callResult(run.flow, made);
};
