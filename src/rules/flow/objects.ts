import { nameOf, type Node } from '../../pipeline/imports/ecmascript-program.ts';
import { child, children, isFunction, keyName } from './ast.ts';
import type { Evaluation } from './evaluation.ts';
import { instancesOf } from './calls.ts';
import { fnOf } from './functions.ts';
import { memberTaints } from './members.ts';
import type { Scope } from './scope.ts';
import { elementsOf, NOTHING, union, valueOf, type Fn, type Thing, type Value } from './value.ts';

/** So many elements of one list are told apart. */
const ELEMENTS_MAX = 40;

/** `[a, ...b]`. */
export const arrayOf = (run: Evaluation, node: Node, scope: Scope): Value => {
  const { memory, lineOf } = run;
  const thing = memory.thingOf(node);
  for (const [index, one] of children(node, 'elements').entries()) {
    if (one === undefined) continue;
    const value = run.evaluate(one, scope);
    if (one.type === 'SpreadElement') {
      const line = lineOf(node.start);
      memory.grow(thing.rest, union(elementsOf(value), memberTaints(value, undefined, line)));
    } else memory.setField(thing, index < ELEMENTS_MAX ? String(index) : undefined, value);
  }
  return valueOf({ thing });
};

/** `{ a, b: c, ...d, get e() {} }`. */
export const objectOf = (run: Evaluation, node: Node, scope: Scope): Value => {
  const thing = run.memory.thingOf(node);
  for (const property of children(node, 'properties')) {
    if (property === undefined) continue;
    if (property.type === 'SpreadElement') {
      spreadInto(run, thing, property, scope);
      continue;
    }
    const name = keyName(property);
    const value = child(property, 'value');
    if (value === undefined) continue;
    if (name === undefined) run.evaluateChild(property, 'key', scope);
    setMember(run, thing, property, run.evaluate(value, scope, name));
  }
  return valueOf({ thing });
};

const spreadInto = (run: Evaluation, thing: Thing, property: Node, scope: Scope): void => {
  const { memory, lineOf } = run;
  const spread = run.evaluateChild(property, 'argument', scope);
  memory.grow(thing.rest, memberTaints(spread, undefined, lineOf(property.start)));
  for (const other of spread.things) {
    for (const [name, value] of other.fields) memory.setField(thing, name, value);
    memory.grow(thing.rest, other.rest);
  }
};

/** A member with what it is; of a getter, with what it returns. */
const setMember = ({ memory }: Evaluation, thing: Thing, member: Node, value: Value): void => {
  const name = keyName(member);
  if (member['kind'] !== 'get') {
    memory.setField(thing, name, value);
    return;
  }
  for (const getter of value.functions) {
    getter.self.add(thing);
    memory.setField(thing, name, getter.returned);
  }
};

/** A class is its constructor; what its methods stand on is what `new` gives. */
export const classOf = (run: Evaluation, node: Node, scope: Scope): Value => {
  const { memory } = run;
  const body = child(node, 'body');
  const parent = run.evaluateChild(node, 'superClass', scope);
  const members = body === undefined ? [] : children(body, 'body');
  const constructor = members.find((one) => one?.['kind'] === 'constructor');
  const code = constructor && child(constructor, 'value');
  const name = nameOf(child(node, 'id')) ?? '';
  const fn = fnOf(run, code ?? node, scope, name);
  const above = union(parent, ...[...parent.functions].map(instancesOf));
  run.parents.set(fn, above);
  fn.self.add(fn.instance);
  for (const base of parent.functions) {
    for (const [field, value] of base.instance.fields) {
      if (field !== 'constructor') memory.setField(fn.instance, field, value);
    }
  }
  for (const one of members) {
    if (one === undefined || one === constructor) continue;
    const target = one['static'] === true ? fn.thing : fn.instance;
    if (one.type === 'StaticBlock') run.statement(one, scope);
    const value = memberValue(run, one, target, scope);
    for (const method of value.functions) if (isOwn(one, method)) run.parents.set(method, above);
    setMember(run, target, one, value);
  }
  // Without a constructor of its own it is made by the one that it extends.
  return code === undefined ? union(valueOf({ fn }), parent) : valueOf({ fn });
};

const isOwn = (member: Node, method: Fn): boolean => child(member, 'value') === method.node;

/** A method's function, or what a field holds: there `this` is what the field stands on. */
const memberValue = (run: Evaluation, member: Node, on: Thing, scope: Scope): Value => {
  const value = child(member, 'value');
  if (value === undefined) return NOTHING;
  const before = run.frame;
  if (!isFunction(value)) run.frame = { fn: undefined, self: valueOf({ thing: on }) };
  const made = run.evaluate(value, scope, keyName(member));
  run.frame = before;
  return made;
};
