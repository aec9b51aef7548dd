import { nameOf, type Node } from '../../pipeline/imports/ecmascript-program.ts';
import { child, children, keyName, memberName, unwrapped } from './ast.ts';
import type { Evaluation } from './evaluation.ts';
import { isAround } from './functions.ts';
import { keyOf } from './known-facts.ts';
import { memberOf, memberTaints } from './members.ts';
import { reportAssignment, reportKeyAssignment } from './report.ts';
import { lookUp, type Scope } from './scope.ts';
import {
  joinInto,
  joinShape,
  mapTaints,
  newValue,
  nextStep,
  NOTHING,
  type Fn,
  type Value,
} from './value.ts';

/** Gives a value to all names in a pattern, or to what is assigned to. */
export const bind = (
  run: Evaluation,
  pattern: Node | undefined,
  value: Value,
  scope: Scope,
): void => {
  if (pattern === undefined) return;
  const { lineOf, evaluate, frame, memory } = run;
  switch (pattern.type) {
    case 'Identifier': {
      const variable = lookUp(scope, nameOf(pattern) ?? '');
      if (variable !== undefined) memory.grow(variable.value, named(run, value, pattern));
      return;
    }
    case 'ObjectPattern':
      for (const property of children(pattern, 'properties')) {
        if (property === undefined) continue;
        if (property.type === 'RestElement') bind(run, child(property, 'argument'), value, scope);
        else {
          const name = keyName(property);
          const line = lineOf(property.start);
          const member =
            name === undefined ? memberTaints(value, name, line) : memberOf(value, name, line);
          bind(run, child(property, 'value'), member, scope);
        }
      }
      return;
    case 'ArrayPattern':
      for (const [index, element] of children(pattern, 'elements').entries()) {
        if (element === undefined) continue;
        if (element.type === 'RestElement') bind(run, child(element, 'argument'), value, scope);
        else bind(run, element, memberOf(value, String(index), lineOf(element.start)), scope);
      }
      return;
    case 'AssignmentPattern': {
      const fallback = child(pattern, 'right');
      bind(run, child(pattern, 'left'), value, scope);
      if (fallback !== undefined) {
        bind(run, child(pattern, 'left'), evaluate(fallback, scope), scope);
      }
      return;
    }
    case 'TSParameterProperty': {
      const parameter = child(pattern, 'parameter');
      bind(run, parameter, value, scope);
      const target = parameter?.type === 'AssignmentPattern' ? child(parameter, 'left') : parameter;
      for (const thing of frame.self.things) memory.setField(thing, nameOf(target), value);
      return;
    }
    default:
      assign(run, pattern, value, scope);
  }
};

/** Names on the way are what makes it readable. */
const named = ({ lineOf }: Evaluation, value: Value, node: Node): Value => {
  if (value.taints.size === 0) return value;
  const line = lineOf(node.start);
  const name = nameOf(node) ?? '';
  const renamed = newValue();
  joinShape(renamed, value);
  joinInto(
    renamed,
    mapTaints(value, (taint) =>
      taint.origin.line === line && taint.steps === undefined
        ? taint
        : { ...taint, steps: nextStep(taint.steps, line, `is in \`${name}\``) },
    ),
  );
  return renamed;
};

const assign = (run: Evaluation, target: Node, value: Value, scope: Scope): void => {
  const plain = unwrapped(target);
  if (plain !== target) {
    bind(run, plain, value, scope);
    return;
  }
  const object = child(target, 'object');
  const property = child(target, 'property');
  if (target.type !== 'MemberExpression' || object === undefined) return;
  const { memory, lineOf, flow } = run;
  const name = memberName(target);
  const owner = run.evaluate(object, scope);
  if (isModuleExports(object, name)) memory.grow(flow.exported, value);
  if (name !== undefined) {
    const line = lineOf(property?.start ?? target.start);
    reportAssignment(flow.findings, { name, value, line });
  } else {
    const key = property === undefined ? NOTHING : run.evaluate(property, scope);
    if (!isOwnName(run, object, property, scope)) {
      const line = lineOf(target.start);
      reportKeyAssignment(flow.findings, { owner, key: givenKeys(run, key), value, line });
    }
  }
  for (const thing of owner.things) memory.setField(thing, name, value);
  for (const fn of owner.functions) memory.setField(fn.thing, name, value);
};

export const isModuleExports = (object: Node, name: string | undefined): boolean =>
  name === 'exports' && nameOf(unwrapped(object)) === 'module';

/** A name of the very object that is written to, by a loop over its names: none that it only inherits. */
const isOwnName = (
  { namesOf }: Evaluation,
  object: Node,
  property: Node | undefined,
  scope: Scope,
): boolean => {
  const variable = lookUp(scope, nameOf(property) ?? '');
  const over = variable && namesOf.get(variable.id);
  return over !== undefined && over === keyOf(object, scope);
};

/** Keys that come with what this call is given: what an object was made with names its own members. */
const givenKeys = (run: Evaluation, key: Value): Value =>
  mapTaints(key, (taint) => {
    const fn = taint.origin.of?.fn;
    return fn === undefined || !isConstructor(fn) || isAround(run, fn) ? taint : undefined;
  });

/** Something beside itself stands on what it makes. */
const isConstructor = ({ instance }: Fn): boolean => instance.fields.size > 1;
