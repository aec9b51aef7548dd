import { nameOf, type Node } from '../../pipeline/imports/ecmascript-program.ts';
import { child, children, isFunction } from './ast.ts';
import type { Evaluation } from './evaluation.ts';
import { boundNames, hoistedNames, type Scope } from './scope.ts';
import { parameterValue } from './sources.ts';
import { joinInto, newValue, NOTHING, valueOf, type Fn, type Value } from './value.ts';

/** So many of what is given without a name are told apart. */
const ARGUMENTS = 4;
/** So many objects may be `this` of one function. */
const SELVES_MAX = 8;

/**
 * The function that a node makes: one for all times that it runs. Its body is evaluated in each pass. Of a
 * class that has no constructor, the class is its own.
 */
export const fnOf = (
  run: Evaluation,
  node: Node,
  scope: Scope,
  name = nameOf(child(node, 'id')) ?? '',
): Fn => {
  const { functions, bodies, memory, facts, lineOf } = run;
  const known = functions.get(node);
  if (known !== undefined) {
    const body = bodies.get(known);
    if (body !== undefined) body.known = facts.now();
    return known;
  }
  const instance = memory.thingOf(node, 'instance');
  const fn: Fn = {
    id: functions.size,
    node,
    name,
    line: lineOf(node.start),
    thing: memory.thingOf(node, 'function'),
    instance,
    self: new Set(),
    parameters: [],
    returned: newValue(),
    sinks: new Map(),
  };
  functions.set(node, fn);
  memory.fieldOf(fn.thing, 'prototype').things.add(instance);
  memory.fieldOf(instance, 'constructor').functions.add(fn);
  fillParameters(run, fn);
  if (node['generator'] === true && (run.isKoa || hasNext(node))) fn.self.add(run.contextThing);
  const inner = run.scopes.of(node, scope, (add) => {
    for (const parameter of children(node, 'params')) boundNames(parameter, add);
    const body = child(node, 'body');
    if (body !== undefined) hoistedNames(body, add);
    const own = child(node, 'id');
    if (node.type === 'FunctionExpression' && own !== undefined) boundNames(own, add);
  });
  bodies.set(fn, { scope: inner, known: facts.now(), outer: run.frame });
  memory.noteChange();
  return fn;
};

const fillParameters = ({ isKoa, lineOf, text }: Evaluation, fn: Fn): void => {
  const { node, parameters } = fn;
  const add = (parameter: Node | undefined): void => {
    const value = newValue();
    joinInto(value, parameterValue({ fn, index: parameters.length, parameter, isKoa, lineOf }));
    parameters.push(value);
  };
  for (const parameter of children(node, 'params')) add(parameter);
  if (!usesArguments(node, text)) return;
  const unnamed = { type: 'Argument', start: node.start, end: node.start };
  while (parameters.length < ARGUMENTS) add(unnamed);
};

/** Functions that a source says `arguments` in, but for arrows, which have none of their own. */
const usesArguments = (node: Node, text: string): boolean =>
  isFunction(node) &&
  node.type !== 'ArrowFunctionExpression' &&
  text.slice(node.start, node.end).includes('arguments');

const hasNext = (node: Node): boolean =>
  children(node, 'params').some((one) => one !== undefined && nameOf(one) === 'next');

/** What `arguments` is within a function. */
export const argumentsOf = ({ memory }: Evaluation, fn: Fn): Value => {
  const thing = memory.thingOf(fn.node, 'arguments');
  for (const [index, value] of fn.parameters.entries()) {
    memory.setField(thing, String(index), value);
  }
  const last = fn.parameters.at(-1);
  if (last !== undefined) memory.grow(thing.rest, last);
  return valueOf({ thing });
};

/** What `this` may be within a function. */
export const selfOf = (fn: Fn): Value => {
  const self = newValue();
  for (const thing of fn.self) self.things.add(thing);
  self.things.add(fn.instance);
  return self;
};

/** A call: what parameters may be grows; the data in them stays the parameters' own. */
export const enter = (
  { memory }: Evaluation,
  fn: Fn,
  given: readonly Value[],
  self: Value = NOTHING,
): void => {
  for (const [index, value] of given.entries()) {
    const parameter = fn.parameters[index];
    if (parameter !== undefined) memory.grow(parameter, { ...value, taints: NOTHING.taints });
  }
  for (const thing of self.things) {
    if (fn.self.size < SELVES_MAX) fn.self.add(thing);
  }
};

/** Whether a function is the one that runs, or stands around it. */
export const isAround = ({ frame, bodies }: Evaluation, fn: Fn): boolean => {
  for (let at = frame.fn; at !== undefined; at = bodies.get(at)?.outer.fn) {
    if (at === fn) return true;
  }
  return false;
};
