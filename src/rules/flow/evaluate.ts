import type { Node } from '../../pipeline/imports/ecmascript-program.ts';
import { assert } from '../../std/assert.ts';
import { bind } from './assign.ts';
import { child, children, unwrapped } from './ast.ts';
import type { Evaluation } from './evaluation.ts';
import { expression } from './expressions.ts';
import type { Flow } from './flow.ts';
import { enter, selfOf } from './functions.ts';
import { createKnownFacts } from './known-facts.ts';
import { createMemory } from './memory.ts';
import type { Findings } from './report.ts';
import { blockNames, createScopes, hoistedNames } from './scope.ts';
import { blockOf, inOrder, statement } from './statements.ts';
import { newValue, NOTHING, valueOf, type Fn, type Value } from './value.ts';

/** Deeper expressions are not followed: generated code nests without end. */
const DEPTH_MAX = 400;

export const createFlow = (given: {
  readonly program: Node;
  readonly text: string;
  readonly lineOf: (offset: number) => number;
  readonly findings: Findings;
}): Flow => {
  const { program, text, lineOf, findings } = given;
  const scopes = createScopes();
  const memory = createMemory();
  const promises = new Map<string, Value>();
  const exportsThing = memory.thingOf(program, 'exports');
  const root = scopes.of(program, undefined, (add) => {
    hoistedNames(program, add);
    blockNames(children(program, 'body'), add);
  });

  let depth = 0;
  const deeper = <Result>(work: () => Result, tooDeep: Result): Result => {
    if (depth >= DEPTH_MAX) return tooDeep;
    depth += 1;
    const result = work();
    depth -= 1;
    return result;
  };

  const flow: Flow = {
    findings,
    get functions() {
      return [...run.functions.values()];
    },
    exported: newValue(),
    pass: () => {
      flow.exported.things.add(exportsThing);
      run.facts.goBackTo(undefined);
      run.frame = { fn: undefined, self: valueOf({ thing: exportsThing }) };
      inOrder(run, children(program, 'body'), root);
      // Functions that are found meanwhile come at the end of the same pass.
      for (const fn of run.bodies.keys()) evaluateBody(run, fn);
      assert(depth === 0, 'the evaluation comes out where it went in');
      const hasFound = findings.takeChange();
      return memory.takeChange() || hasFound;
    },
    grow: memory.grow,
    enter: (fn, values, self) => {
      enter(run, fn, values, self);
    },
    promise: (node, executor) => {
      const { id, rest } = memory.thingOf(node, 'promise');
      const api = `promise:${id}`;
      promises.set(api, rest);
      for (const fn of executor.functions) {
        const [resolve] = fn.parameters;
        if (resolve !== undefined) memory.grow(resolve, valueOf({ api }));
      }
      return rest;
    },
    settle: (api, value) => {
      memory.grow(promises.get(api) ?? NOTHING, value);
    },
  };

  const namesOf = new Map<number, string>();
  const run: Evaluation = {
    text,
    lineOf,
    flow,
    scopes,
    memory,
    facts: createKnownFacts(namesOf),
    functions: new Map(),
    bodies: new Map(),
    parents: new Map(),
    patterns: new Map(),
    namesOf,
    exportsThing,
    contextThing: memory.thingOf(program, 'context'),
    isKoa: /\bkoa\b/i.test(text),
    frame: { fn: undefined, self: NOTHING },
    evaluate: (node, scope, name) =>
      deeper(() => expression(run, unwrapped(node), scope, name), NOTHING),
    evaluateChild: (node, field, scope) => {
      const inner = child(node, field);
      return inner === undefined ? NOTHING : run.evaluate(inner, scope);
    },
    statement: (node, scope) => {
      statement(run, node, scope);
    },
    block: (node, scope) => {
      if (node !== undefined) deeper(() => statement(run, node, scope), undefined);
    },
  };
  return flow;
};

const evaluateBody = (run: Evaluation, fn: Fn): void => {
  const { node } = fn;
  const body = run.bodies.get(fn);
  const code = child(node, 'body');
  if (body === undefined || code === undefined) return;
  const { scope, outer } = body;
  const before = { known: run.facts.now(), frame: run.frame };
  run.facts.goBackTo(body.known);
  const isArrow = node.type === 'ArrowFunctionExpression';
  run.frame = { fn, self: isArrow ? outer.self : selfOf(fn) };
  if (node.type === 'FunctionExpression') bind(run, child(node, 'id'), valueOf({ fn }), scope);
  for (const [index, parameter] of children(node, 'params').entries()) {
    const isRest = parameter?.type === 'RestElement';
    const pattern = isRest ? child(parameter, 'argument') : parameter;
    bind(run, pattern, fn.parameters[index] ?? NOTHING, scope);
  }
  if (code.type === 'BlockStatement') blockOf(run, children(code, 'body'), code, scope);
  else run.memory.grow(fn.returned, run.evaluate(code, scope));
  run.facts.goBackTo(before.known);
  run.frame = before.frame;
};
