import { nameOf, type Node } from '../../pipeline/imports/ecmascript-program.ts';
import { child, children } from './ast.ts';
import { bind } from './assign.ts';
import { alwaysEnds } from './conditions.ts';
import type { Evaluation } from './evaluation.ts';
import { fnOf } from './functions.ts';
import { keyOf } from './known-facts.ts';
import { memberTaints } from './members.ts';
import { exportDeclaration, importDeclaration, importEquals } from './module-statements.ts';
import {
  blockNames,
  boundNames,
  declarationIn,
  declaredNames,
  lookUp,
  type Scope,
} from './scope.ts';
import { composed, elementsOf, union, valueOf } from './value.ts';

type List = readonly (Node | undefined)[];

/** Statements of one scope, one after the other. Functions are there before the first of them. */
export const inOrder = (run: Evaluation, list: List, scope: Scope): void => {
  for (const one of list) {
    const plain = one && declarationIn(one);
    if (plain?.type === 'FunctionDeclaration') statement(run, plain, scope);
  }
  for (const one of list) if (one !== undefined) statement(run, one, scope);
};

/** A block with a scope of its own; what is learned in it is forgotten behind it. */
export const blockOf = (run: Evaluation, list: List, opens: Node, outer: Scope): void => {
  const scope = run.scopes.of(opens, outer, (add) => blockNames(list, add));
  const before = run.facts.now();
  inOrder(run, list, scope);
  run.facts.goBackTo(before);
};

export const statement = (run: Evaluation, node: Node, scope: Scope): void => {
  const { evaluate, evaluateChild, block, facts, memory, frame, scopes } = run;
  switch (node.type) {
    case 'ExpressionStatement':
      evaluateChild(node, 'expression', scope);
      return;
    case 'VariableDeclaration':
      for (const one of children(node, 'declarations')) {
        const init = one && child(one, 'init');
        if (one === undefined || init === undefined) continue;
        bind(run, child(one, 'id'), evaluate(init, scope, nameOf(child(one, 'id'))), scope);
      }
      return;
    case 'ReturnStatement':
      if (frame.fn !== undefined) {
        memory.grow(frame.fn.returned, evaluateChild(node, 'argument', scope));
      }
      return;
    case 'ThrowStatement':
      evaluateChild(node, 'argument', scope);
      return;
    case 'IfStatement':
      ifStatement(run, node, scope);
      return;
    case 'BlockStatement':
    case 'StaticBlock':
      blockOf(run, children(node, 'body'), node, scope);
      return;
    case 'ForStatement':
      forStatement(run, node, scope);
      return;
    case 'ForInStatement':
    case 'ForOfStatement':
      forEach(run, node, scope);
      return;
    case 'WhileStatement':
    case 'DoWhileStatement':
      evaluateChild(node, 'test', scope);
      facts.within(child(node, 'test'), true, scope, () => block(child(node, 'body'), scope));
      return;
    case 'TryStatement':
      block(child(node, 'block'), scope);
      block(child(node, 'handler'), scope);
      block(child(node, 'finalizer'), scope);
      return;
    case 'CatchClause': {
      const inner = scopes.of(node, scope, (add) => boundNames(child(node, 'param'), add));
      block(child(node, 'body'), inner);
      return;
    }
    case 'SwitchStatement':
      switchStatement(run, node, scope);
      return;
    case 'LabeledStatement':
    case 'WithStatement':
      evaluateChild(node, 'object', scope);
      block(child(node, 'body'), scope);
      return;
    case 'FunctionDeclaration':
      bind(run, child(node, 'id'), valueOf({ fn: fnOf(run, node, scope) }), scope);
      return;
    case 'ClassDeclaration':
      bind(run, child(node, 'id'), evaluate(node, scope), scope);
      return;
    case 'ImportDeclaration':
      importDeclaration(run, node, scope);
      return;
    case 'TSImportEqualsDeclaration':
      importEquals(run, node, scope);
      return;
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
    case 'ExportAllDeclaration':
    case 'TSExportAssignment':
      exportDeclaration(run, node, scope);
      return;
  }
};

const ifStatement = (run: Evaluation, node: Node, scope: Scope): void => {
  const { evaluateChild, facts, block } = run;
  const test = child(node, 'test');
  const consequent = child(node, 'consequent');
  const alternate = child(node, 'alternate');
  evaluateChild(node, 'test', scope);
  facts.within(test, true, scope, () => block(consequent, scope));
  facts.within(test, false, scope, () => block(alternate, scope));
  // What follows runs only where the branch that ends was not taken.
  if (alwaysEnds(consequent)) facts.learn(test, false, scope);
  if (alternate !== undefined && alwaysEnds(alternate)) facts.learn(test, true, scope);
};

const forStatement = (run: Evaluation, node: Node, scope: Scope): void => {
  const { evaluate, evaluateChild, facts, block } = run;
  const init = child(node, 'init');
  const isDeclaration = init?.type === 'VariableDeclaration';
  const inner = run.scopes.of(node, scope, (add) => {
    if (isDeclaration) declaredNames(init, add);
  });
  if (isDeclaration) statement(run, init, inner);
  else if (init !== undefined) evaluate(init, inner);
  evaluateChild(node, 'test', inner);
  facts.within(child(node, 'test'), true, inner, () => {
    block(child(node, 'body'), inner);
    evaluateChild(node, 'update', inner);
  });
};

/** `for … in` and `for … of`. */
const forEach = (run: Evaluation, node: Node, scope: Scope): void => {
  const isOverNames = node.type === 'ForInStatement';
  const left = child(node, 'left');
  const isDeclaration = left?.type === 'VariableDeclaration';
  const inner = run.scopes.of(node, scope, (add) => {
    if (isDeclaration) declaredNames(left, add);
  });
  const over = run.evaluateChild(node, 'right', scope);
  const item = isOverNames
    ? composed(over)
    : union(memberTaints(over, undefined, run.lineOf(node.start)), elementsOf(over));
  const target = isDeclaration ? child(children(left, 'declarations')[0] ?? left, 'id') : left;
  bind(run, target, item, inner);
  const variable = lookUp(inner, nameOf(target) ?? '');
  const key = isOverNames ? keyOf(child(node, 'right') ?? node, scope) : undefined;
  if (variable !== undefined && key !== undefined) run.namesOf.set(variable.id, key);
  run.block(child(node, 'body'), inner);
};

const switchStatement = (run: Evaluation, node: Node, scope: Scope): void => {
  run.evaluateChild(node, 'discriminant', scope);
  const cases = children(node, 'cases').flatMap((one) => one ?? []);
  const inner = run.scopes.of(node, scope, (add) => {
    for (const one of cases) blockNames(children(one, 'consequent'), add);
  });
  const before = run.facts.now();
  for (const one of cases) {
    for (const each of children(one, 'consequent')) {
      if (each !== undefined) statement(run, each, inner);
    }
    run.facts.goBackTo(before);
  }
};
