import { nameOf, type Node } from '../../pipeline/imports/ecmascript-program.ts';
import { assert } from '../../std/assert.ts';
import {
  child,
  children,
  constantText,
  isFunction,
  keyName,
  memberName,
  textField,
  unwrapped,
} from './ast.ts';
import { alwaysEnds, factsOf } from './conditions.ts';
import { callResult } from './calls.ts';
import type { Flow } from './flow.ts';
import type { SinkCall } from './sinks/sink.ts';
import { memberApi, moduleApi } from './module-names.ts';
import { memberOf, memberTaints } from './members.ts';
import { reportAssignment, reportKeyAssignment, type Findings } from './report.ts';
import {
  blockNames,
  boundNames,
  createScopes,
  declaredNames,
  hoistedNames,
  lookUp,
  type Scope,
} from './scope.ts';
import type { SinkKind } from './sink-kind.ts';
import { parameterValue } from './sources.ts';
import {
  cleaned,
  composed,
  joinInto,
  mapTaints,
  newValue,
  nextStep,
  NOTHING,
  union,
  valueOf,
  type Fn,
  type Thing,
  type Value,
} from './value.ts';

/** What is known at a place, the newest first: kinds of sinks that an expression can do no harm in. */
type Known = {
  readonly key: string;
  readonly clean: ReadonlySet<SinkKind>;
  readonly before: Known | undefined;
  readonly length: number;
};

/** Deeper expressions are not followed: generated code nests without end. */
const DEPTH_MAX = 400;
const FACTS_MAX = 60;

export const createFlow = (given: {
  readonly program: Node;
  readonly text: string;
  readonly lineOf: (offset: number) => number;
  readonly findings: Findings;
}): Flow => {
  const { program, text, lineOf, findings } = given;
  const scopes = createScopes();
  const things = new Map<string, Thing>();
  const functions = new Map<Node, Fn>();
  /** Bodies to evaluate in each pass, with where they stand. */
  const bodies = new Map<Fn, { readonly scope: Scope; known: Known | undefined; outer: Frame }>();
  const promises = new Map<string, Value>();
  /** Variables that loop over the names of an object, and which. */
  const namesOf = new Map<number, string>();
  const exported = newValue();
  let hasChanged = false;
  let known: Known | undefined;
  let depth = 0;

  type Frame = { readonly fn: Fn | undefined; readonly self: Value };
  let frame: Frame = { fn: undefined, self: NOTHING };

  const grow = (target: Value, value: Value): void => {
    if (target !== NOTHING && joinInto(target, value)) hasChanged = true;
  };

  const newThing = (node: Node, part = ''): Thing => {
    const key = `${node.start}:${node.end}:${node.type}:${part}`;
    const made = things.get(key);
    if (made !== undefined) return made;
    const thing: Thing = { id: things.size, fields: new Map(), rest: newValue() };
    things.set(key, thing);
    return thing;
  };

  const fieldOf = (thing: Thing, name: string): Value => {
    const field = thing.fields.get(name);
    if (field !== undefined) return field;
    if (thing.fields.size >= FIELDS_MAX) return thing.rest;
    const made = newValue();
    thing.fields.set(name, made);
    return made;
  };

  const setField = (thing: Thing, name: string | undefined, value: Value): void => {
    grow(name === undefined ? thing.rest : fieldOf(thing, name), value);
    for (const fn of value.functions) fn.self.add(thing);
  };

  // ---- what is known of expressions -------------------------------------------------------------

  const keyOf = (node: Node, scope: Scope): string | undefined => {
    const plain = unwrapped(node);
    if (plain.type === 'Identifier') {
      const variable = lookUp(scope, nameOf(plain) ?? '');
      return variable === undefined ? nameOf(plain) : `${variable.id}`;
    }
    if (plain.type === 'ThisExpression') return 'this';
    if (plain.type !== 'MemberExpression') return undefined;
    const object = child(plain, 'object');
    const name = memberName(plain);
    const outer = object && keyOf(object, scope);
    return outer === undefined || name === undefined ? undefined : `${outer}.${name}`;
  };

  const learn = (condition: Node | undefined, holds: boolean, scope: Scope): void => {
    if (condition === undefined) return;
    for (const { about, clean } of factsOf(condition, holds)) {
      // `a.toLowerCase()` and `String(a)` are checked for `a`.
      const key = keyOf(checked(about), scope);
      if (key === undefined || clean.size === 0 || (known?.length ?? 0) >= FACTS_MAX) continue;
      known = { key, clean, before: known, length: (known?.length ?? 0) + 1 };
    }
  };

  const withFacts = <Result>(
    condition: Node | undefined,
    holds: boolean,
    scope: Scope,
    work: () => Result,
  ): Result => {
    const before = known;
    learn(condition, holds, scope);
    const result = work();
    known = before;
    return result;
  };

  const checkedValue = (key: string | undefined, value: Value): Value => {
    if (key === undefined || value.taints.size === 0) return value;
    let result = value;
    for (let at = known; at !== undefined; at = at.before) {
      if (at.key === key) result = cleaned(result, at.clean);
    }
    return result;
  };

  // ---- functions ----------------------------------------------------------------------------------

  const fnOf = (node: Node, scope: Scope, name = nameOf(child(node, 'id')) ?? ''): Fn => {
    const made = functions.get(node);
    if (made !== undefined) {
      const body = bodies.get(made);
      if (body !== undefined) body.known = known;
      return made;
    }
    const instance = newThing(node, 'instance');
    const fn: Fn = {
      id: functions.size,
      node,
      name,
      line: lineOf(node.start),
      thing: newThing(node, 'function'),
      instance,
      self: new Set(),
      parameters: [],
      returned: newValue(),
      sinks: new Map(),
    };
    functions.set(node, fn);
    fieldOf(fn.thing, 'prototype').things.add(instance);
    fieldOf(instance, 'constructor').functions.add(fn);
    for (const [index, parameter] of children(node, 'params').entries()) {
      const value = newValue();
      joinInto(value, parameterValue({ fn, index, parameter, isKoa, lineOf }));
      fn.parameters.push(value);
    }
    if (usesArguments(node)) {
      for (let index = fn.parameters.length; index < ARGUMENTS; index += 1) {
        const value = newValue();
        joinInto(value, parameterValue({ fn, index, parameter: unnamed(node), isKoa, lineOf }));
        fn.parameters.push(value);
      }
    }
    if (node['generator'] === true && (isKoa || hasNext(node))) fn.self.add(contextThing);
    const inner = scopes.of(node, scope, (add) => {
      for (const parameter of children(node, 'params')) boundNames(parameter, add);
      const body = child(node, 'body');
      if (body !== undefined) hoistedNames(body, add);
      const own = child(node, 'id');
      if (node.type === 'FunctionExpression' && own !== undefined) boundNames(own, add);
    });
    bodies.set(fn, { scope: inner, known, outer: frame });
    hasChanged = true;
    return fn;
  };

  const evaluateBody = (fn: Fn): void => {
    const body = bodies.get(fn);
    const node = fn.node;
    const block = child(node, 'body');
    if (body === undefined || block === undefined) return;
    const before = { known, frame };
    known = body.known;
    const isArrow = node.type === 'ArrowFunctionExpression';
    frame = { fn, self: isArrow ? body.outer.self : selfOf(fn) };
    const { scope } = body;
    const own = child(node, 'id');
    if (node.type === 'FunctionExpression' && own !== undefined) {
      bind(own, valueOf({ fn }), scope);
    }
    for (const [index, parameter] of children(node, 'params').entries()) {
      if (parameter === undefined) continue;
      const value = fn.parameters[index] ?? NOTHING;
      bind(
        parameter.type === 'RestElement' ? child(parameter, 'argument') : parameter,
        value,
        scope,
      );
    }
    if (block.type === 'BlockStatement') statements(children(block, 'body'), block, scope);
    else grow(fn.returned, evaluate(block, scope));
    ({ known, frame } = before);
  };

  const selfOf = (fn: Fn): Value => {
    const self = newValue();
    for (const thing of fn.self.size === 0 ? [fn.instance] : fn.self) self.things.add(thing);
    self.things.add(fn.instance);
    return self;
  };

  const enter: Flow['enter'] = (fn, values, self = NOTHING) => {
    for (const [index, value] of values.entries()) {
      const parameter = fn.parameters[index];
      if (parameter === undefined) continue;
      grow(parameter, { ...value, taints: NOTHING.taints });
    }
    for (const thing of self.things) {
      if (fn.self.size < 8) fn.self.add(thing);
    }
  };

  // ---- patterns and assignments -----------------------------------------------------------------

  const bind = (pattern: Node | undefined, value: Value, scope: Scope): void => {
    if (pattern === undefined) return;
    switch (pattern.type) {
      case 'Identifier': {
        const variable = lookUp(scope, nameOf(pattern) ?? '');
        if (variable !== undefined) grow(variable.value, named(value, pattern));
        return;
      }
      case 'ObjectPattern':
        for (const property of children(pattern, 'properties')) {
          if (property === undefined) continue;
          if (property.type === 'RestElement') bind(child(property, 'argument'), value, scope);
          else {
            const name = keyName(property);
            const member =
              name === undefined
                ? memberTaints(value, undefined, lineOf(property.start))
                : memberOf(value, name, lineOf(property.start));
            bind(child(property, 'value'), member, scope);
          }
        }
        return;
      case 'ArrayPattern':
        for (const [index, element] of children(pattern, 'elements').entries()) {
          if (element === undefined) continue;
          const isRest = element.type === 'RestElement';
          bind(
            isRest ? child(element, 'argument') : element,
            isRest ? value : memberOf(value, String(index), lineOf(element.start)),
            scope,
          );
        }
        return;
      case 'AssignmentPattern': {
        const fallback = child(pattern, 'right');
        bind(child(pattern, 'left'), value, scope);
        if (fallback !== undefined) bind(child(pattern, 'left'), evaluate(fallback, scope), scope);
        return;
      }
      case 'TSParameterProperty': {
        const parameter = child(pattern, 'parameter');
        bind(parameter, value, scope);
        const target =
          parameter?.type === 'AssignmentPattern' ? child(parameter, 'left') : parameter;
        const name = nameOf(target);
        for (const thing of frame.self.things) setField(thing, name, value);
        return;
      }
      default:
        assign(pattern, value, scope);
    }
  };

  /** Names on the way are what makes it readable. */
  const named = (value: Value, node: Node): Value => {
    if (value.taints.size === 0) return value;
    const line = lineOf(node.start);
    const name = nameOf(node) ?? '';
    const renamed = newValue();
    joinInto(renamed, { ...value, taints: NOTHING.taints });
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

  const assign = (target: Node, value: Value, scope: Scope): void => {
    const plain = unwrapped(target);
    if (plain.type === 'Identifier') {
      const name = nameOf(plain) ?? '';
      const variable = lookUp(scope, name);
      if (name === 'exports') grow(exported, value);
      if (variable !== undefined) grow(variable.value, named(value, plain));
      return;
    }
    if (plain.type !== 'MemberExpression') {
      if (plain.type.endsWith('Pattern')) bind(plain, value, scope);
      return;
    }
    const object = child(plain, 'object');
    const property = child(plain, 'property');
    if (object === undefined) return;
    const name = memberName(plain);
    const owner = evaluate(object, scope);
    if (isExportsOf(object, name)) grow(exported, value);
    const key = name === undefined && property !== undefined ? evaluate(property, scope) : NOTHING;
    if (name === undefined && !isOwnName(object, property, scope)) {
      reportKeyAssignment(findings, {
        owner,
        key: ownKeys(key),
        value,
        line: lineOf(target.start),
      });
    } else if (name !== undefined) {
      reportAssignment(findings, {
        name,
        value,
        line: lineOf(property?.start ?? plain.start),
      });
    }
    for (const thing of owner.things) setField(thing, name, value);
    for (const fn of owner.functions) setField(fn.thing, name, value);
  };

  /** A name of the very object that is written to, by a loop over its names: none that it only inherits. */
  const isOwnName = (object: Node, property: Node | undefined, scope: Scope): boolean => {
    const variable = lookUp(scope, nameOf(property) ?? '');
    const over = variable && namesOf.get(variable.id);
    return over !== undefined && over === keyOf(object, scope);
  };

  /** Keys that come with what this call is given: what an object was made with names its own members. */
  const ownKeys = (key: Value): Value =>
    mapTaints(key, (taint) =>
      taint.origin.of === undefined ||
      !isConstructor(taint.origin.of.fn) ||
      isAround(taint.origin.of.fn)
        ? taint
        : undefined,
    );

  /** Something beside itself stands on what it makes. */
  const isConstructor = ({ instance }: Fn): boolean => instance.fields.size > 1;

  /** Whether a function is the one that runs, or stands around it. */
  const isAround = (fn: Fn): boolean => {
    for (let at = frame.fn; at !== undefined; at = bodies.get(at)?.outer.fn) {
      if (at === fn) return true;
    }
    return false;
  };

  const isExportsOf = (object: Node, name: string | undefined): boolean =>
    name === 'exports' && nameOf(unwrapped(object)) === 'module';

  // ---- statements -----------------------------------------------------------------------------------

  const statements = (list: readonly (Node | undefined)[], opens: Node, outer: Scope): void => {
    const scope = scopes.of(opens, outer, (add) => blockNames(list, add));
    const before = known;
    // Functions are there before their block begins.
    for (const statement of list) {
      const plain = statement === undefined ? undefined : declarationIn(statement);
      if (plain?.type === 'FunctionDeclaration') {
        bind(child(plain, 'id'), valueOf({ fn: fnOf(plain, scope) }), scope);
      }
    }
    for (const one of list) if (one !== undefined) statement(one, scope);
    known = before;
  };

  const statement = (node: Node, scope: Scope): void => {
    switch (node.type) {
      case 'ExpressionStatement':
        evaluateChild(node, 'expression', scope);
        return;
      case 'VariableDeclaration':
        for (const one of children(node, 'declarations')) {
          const init = one && child(one, 'init');
          if (one === undefined || init === undefined) continue;
          bind(child(one, 'id'), evaluate(init, scope, nameOf(child(one, 'id'))), scope);
        }
        return;
      case 'ReturnStatement':
        if (frame.fn !== undefined) grow(frame.fn.returned, evaluateChild(node, 'argument', scope));
        return;
      case 'ThrowStatement':
        evaluateChild(node, 'argument', scope);
        return;
      case 'IfStatement':
        ifStatement(node, scope);
        return;
      case 'BlockStatement':
      case 'StaticBlock':
        statements(children(node, 'body'), node, scope);
        return;
      case 'ForStatement': {
        const inner = scopes.of(node, scope, (add) => {
          const init = child(node, 'init');
          if (init?.type === 'VariableDeclaration') declaredNames(init, add);
        });
        const init = child(node, 'init');
        if (init?.type === 'VariableDeclaration') statement(init, inner);
        else if (init !== undefined) evaluate(init, inner);
        evaluateChild(node, 'test', inner);
        withFacts(child(node, 'test'), true, inner, () => {
          block(child(node, 'body'), inner);
          evaluateChild(node, 'update', inner);
        });
        return;
      }
      case 'ForInStatement':
      case 'ForOfStatement':
        forEach(node, scope);
        return;
      case 'WhileStatement':
      case 'DoWhileStatement':
        evaluateChild(node, 'test', scope);
        withFacts(child(node, 'test'), true, scope, () => block(child(node, 'body'), scope));
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
      case 'SwitchStatement': {
        evaluateChild(node, 'discriminant', scope);
        const cases = children(node, 'cases');
        const inner = scopes.of(node, scope, (add) => {
          for (const one of cases)
            if (one !== undefined) blockNames(children(one, 'consequent'), add);
        });
        const before = known;
        for (const one of cases) {
          if (one === undefined) continue;
          for (const each of children(one, 'consequent')) {
            if (each !== undefined) statement(each, inner);
          }
          known = before;
        }
        return;
      }
      case 'LabeledStatement':
      case 'WithStatement':
        evaluateChild(node, 'object', scope);
        block(child(node, 'body'), scope);
        return;
      case 'FunctionDeclaration':
        bind(child(node, 'id'), valueOf({ fn: fnOf(node, scope) }), scope);
        return;
      case 'ClassDeclaration':
        bind(child(node, 'id'), evaluate(node, scope), scope);
        return;
      case 'ImportDeclaration':
        importDeclaration(node, scope);
        return;
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration':
      case 'ExportAllDeclaration':
      case 'TSExportAssignment':
        exportDeclaration(node, scope);
        return;
      case 'TSImportEqualsDeclaration': {
        const reference = child(node, 'moduleReference');
        const specifier = reference && constantText(child(reference, 'expression'));
        if (specifier !== undefined) {
          bind(child(node, 'id'), valueOf({ api: moduleApi(specifier) }), scope);
        }
        return;
      }
    }
  };

  const block = (node: Node | undefined, scope: Scope): void => {
    if (node !== undefined) deeper(() => statement(node, scope), undefined);
  };

  const deeper = <Result>(work: () => Result, tooDeep: Result): Result => {
    if (depth >= DEPTH_MAX) return tooDeep;
    depth += 1;
    const result = work();
    depth -= 1;
    return result;
  };

  const ifStatement = (node: Node, scope: Scope): void => {
    const test = child(node, 'test');
    const consequent = child(node, 'consequent');
    const alternate = child(node, 'alternate');
    if (test !== undefined) evaluate(test, scope);
    withFacts(test, true, scope, () => block(consequent, scope));
    withFacts(test, false, scope, () => block(alternate, scope));
    // What follows runs only where the branch that ends was not taken.
    if (alwaysEnds(consequent)) learn(test, false, scope);
    if (alternate !== undefined && alwaysEnds(alternate)) learn(test, true, scope);
  };

  const forEach = (node: Node, scope: Scope): void => {
    const left = child(node, 'left');
    const inner = scopes.of(node, scope, (add) => {
      if (left?.type === 'VariableDeclaration') declaredNames(left, add);
    });
    const over = evaluateChild(node, 'right', scope);
    const line = lineOf(node.start);
    const key =
      node.type === 'ForInStatement' ? keyOf(child(node, 'right') ?? node, scope) : undefined;
    const item =
      node.type === 'ForInStatement'
        ? composed(over)
        : union(memberTaints(over, undefined, line), elementsOf(over));
    const target =
      left?.type === 'VariableDeclaration'
        ? child(children(left, 'declarations')[0] ?? left, 'id')
        : left;
    bind(target, item, inner);
    const variable = lookUp(inner, nameOf(target) ?? '');
    if (variable !== undefined && key !== undefined) namesOf.set(variable.id, key);
    block(child(node, 'body'), inner);
  };

  const elementsOf = (value: Value): Value =>
    union(...[...value.things].flatMap((thing) => [thing.rest, ...thing.fields.values()]));

  const importDeclaration = (node: Node, scope: Scope): void => {
    const specifier = constantText(child(node, 'source'));
    if (specifier === undefined || node['importKind'] === 'type') return;
    const api = moduleApi(specifier);
    for (const one of children(node, 'specifiers')) {
      if (one === undefined) continue;
      const imported = child(one, 'imported');
      const name =
        one.type === 'ImportDefaultSpecifier'
          ? 'default'
          : imported && (nameOf(imported) ?? constantText(imported));
      const member = name === undefined ? api : memberApi(api, name);
      bind(child(one, 'local'), valueOf({ api: member }), scope);
    }
  };

  const exportsThing = newThing(program, 'exports');

  const exportDeclaration = (node: Node, scope: Scope): void => {
    const declaration = child(node, 'declaration') ?? child(node, 'expression');
    const specifier = constantText(child(node, 'source'));
    if (node.type === 'ExportDefaultDeclaration' || node.type === 'TSExportAssignment') {
      if (declaration === undefined) return;
      const value = isDeclared(declaration)
        ? (statement(declaration, scope), valueOfDeclared(declaration, scope))
        : evaluate(declaration, scope);
      if (node.type === 'TSExportAssignment') grow(exported, value);
      else setField(exportsThing, 'default', value);
      return;
    }
    if (node.type === 'ExportAllDeclaration') {
      if (specifier !== undefined) grow(exported, valueOf({ api: moduleApi(specifier) }));
      return;
    }
    if (declaration !== undefined) {
      statement(declaration, scope);
      const names: string[] = [];
      blockNames([declaration], (name) => names.push(name));
      for (const name of names) {
        setField(exportsThing, name, lookUp(scope, name)?.value ?? NOTHING);
      }
    }
    for (const one of children(node, 'specifiers')) {
      if (one === undefined) continue;
      const local = nameOf(child(one, 'local')) ?? '';
      const name = nameOf(child(one, 'exported')) ?? constantText(child(one, 'exported'));
      const value =
        specifier === undefined
          ? (lookUp(scope, local)?.value ?? NOTHING)
          : valueOf({ api: memberApi(moduleApi(specifier), local) });
      if (name !== undefined) setField(exportsThing, name, value);
    }
  };

  const isDeclared = (node: Node): boolean =>
    (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') &&
    child(node, 'id') !== undefined;

  const valueOfDeclared = (node: Node, scope: Scope): Value =>
    lookUp(scope, nameOf(child(node, 'id')) ?? '')?.value ?? NOTHING;

  // ---- expressions ----------------------------------------------------------------------------------

  const evaluateChild = (node: Node, field: string, scope: Scope): Value => {
    const inner = child(node, field);
    return inner === undefined ? NOTHING : evaluate(inner, scope);
  };

  const evaluate = (given: Node, scope: Scope, name?: string): Value =>
    deeper(() => expression(unwrapped(given), scope, name), NOTHING);

  const expression = (node: Node, scope: Scope, name: string | undefined): Value => {
    const line = lineOf(node.start);
    switch (node.type) {
      case 'Identifier':
        return identifier(node, scope);
      case 'ThisExpression':
        return frame.self.things.has(contextThing)
          ? union(frame.self, valueOf({ api: 'context' }))
          : frame.self;
      case 'Literal':
        return literal(node, line);
      case 'TemplateLiteral': {
        const parts = children(node, 'expressions').map((one) =>
          one === undefined ? NOTHING : evaluate(one, scope),
        );
        const isBare = parts.length === 1 && children(node, 'quasis').every(isEmptyPiece);
        const hasText = !children(node, 'quasis').every(isEmptyPiece);
        return isBare ? (parts[0] ?? NOTHING) : withText(composed(union(...parts)), hasText);
      }
      case 'TaggedTemplateExpression':
        return tagged(node, scope);
      case 'BinaryExpression':
        return binary(node, scope);
      case 'LogicalExpression': {
        const left = child(node, 'left');
        const operator = textField(node, 'operator');
        const first = left === undefined ? NOTHING : evaluate(left, scope);
        const second = withFacts(
          operator === '??' ? undefined : left,
          operator === '&&',
          scope,
          () => evaluateChild(node, 'right', scope),
        );
        return operator === '&&' ? second : union(first, second);
      }
      case 'ConditionalExpression': {
        const test = child(node, 'test');
        if (test !== undefined) evaluate(test, scope);
        return union(
          withFacts(test, true, scope, () => evaluateChild(node, 'consequent', scope)),
          withFacts(test, false, scope, () => evaluateChild(node, 'alternate', scope)),
        );
      }
      case 'AssignmentExpression': {
        const left = child(node, 'left');
        const operator = textField(node, 'operator') ?? '=';
        const name = left?.type === 'MemberExpression' ? memberName(left) : nameOf(left);
        let value = evaluate(child(node, 'right') ?? node, scope, name);
        if (operator === '+=') value = composed(value);
        else if (ARITHMETIC.test(operator)) value = NOTHING;
        if (left !== undefined) bind(left, value, scope);
        return value;
      }
      case 'SequenceExpression':
        return children(node, 'expressions').reduce<Value>(
          (_, one) => (one === undefined ? NOTHING : evaluate(one, scope)),
          NOTHING,
        );
      case 'MemberExpression':
        return member(node, scope);
      case 'CallExpression':
      case 'NewExpression':
        return call(node, scope);
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
        return object(node, scope);
      case 'ArrayExpression': {
        const thing = newThing(node);
        for (const [index, one] of children(node, 'elements').entries()) {
          if (one === undefined) continue;
          const value = evaluate(one, scope);
          if (one.type === 'SpreadElement') {
            grow(thing.rest, union(elementsOf(value), memberTaints(value, undefined, line)));
          } else setField(thing, index < ELEMENTS_MAX ? String(index) : undefined, value);
        }
        return valueOf({ thing });
      }
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return valueOf({ fn: fnOf(node, scope, nameOf(child(node, 'id')) ?? name) });
      case 'ClassExpression':
      case 'ClassDeclaration':
        return classOf(node, scope);
      case 'JSXElement':
      case 'JSXFragment':
        return jsx(node, scope);
      case 'JSXExpressionContainer':
        return evaluateChild(node, 'expression', scope);
      default:
        return NOTHING;
    }
  };

  const identifier = (node: Node, scope: Scope): Value => {
    const name = nameOf(node) ?? '';
    const variable = lookUp(scope, name);
    if (variable !== undefined) return checkedValue(`${variable.id}`, variable.value);
    if (name === 'exports') return valueOf({ thing: exportsThing });
    if (name === 'arguments' && frame.fn !== undefined) return argumentsOf(frame.fn);
    return GLOBALS.has(name) ? valueOf({ api: name }) : NOTHING;
  };

  const argumentsOf = (fn: Fn): Value => {
    const thing = newThing(fn.node, 'arguments');
    for (const [index, value] of fn.parameters.entries()) setField(thing, String(index), value);
    const last = fn.parameters.at(-1);
    if (last !== undefined) grow(thing.rest, last);
    return valueOf({ thing });
  };

  /** Functions that a source says `arguments` in, but for arrows, which have none of their own. */
  const usesArguments = (node: Node): boolean =>
    node.type !== 'ArrowFunctionExpression' &&
    text.slice(node.start, node.end).includes('arguments');

  const unnamed = (node: Node): Node => ({ type: 'Argument', start: node.start, end: node.start });

  const literal = (node: Node, line: number): Value => {
    const regex = node['regex'];
    if (typeof regex !== 'object' || regex === null || !('pattern' in regex)) return NOTHING;
    const flags = 'flags' in regex ? String(regex.flags) : '';
    return valueOf({ pattern: patternOf(String(regex.pattern), flags, line) });
  };

  const patterns = new Map<string, ReturnType<typeof makePattern>>();
  const makePattern = (source: string, flags: string, line: number) => ({ source, flags, line });
  const patternOf = (source: string, flags: string, line: number) => {
    const key = `${line}/${source}/${flags}`;
    const made = patterns.get(key) ?? makePattern(source, flags, line);
    patterns.set(key, made);
    return made;
  };

  const binary = (node: Node, scope: Scope): Value => {
    // Long sums lean to the left: followed in a loop.
    const parts: Value[] = [];
    let texts = 0;
    let at: Node | undefined = node;
    while (at?.type === 'BinaryExpression' && textField(at, 'operator') === '+') {
      const right = child(at, 'right');
      if ((constantText(right) ?? '') !== '') texts += 1;
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
    return withText(composed(union(...parts)), texts > 0);
  };

  /** @param evaluated what it is a member of, where that was evaluated already: once, however long a chain is. */
  const member = (node: Node, scope: Scope, evaluated?: Value): Value => {
    const target = child(node, 'object');
    if (target === undefined) return NOTHING;
    const line = lineOf(child(node, 'property')?.start ?? node.start);
    const name = memberName(node);
    const plain = unwrapped(target);
    const owner = evaluated ?? evaluate(plain, scope);
    if (name === 'exports' && nameOf(plain) === 'module') {
      return union(valueOf({ thing: exportsThing }), exported);
    }
    let value: Value;
    if (name === undefined) {
      const key = evaluateChild(node, 'property', scope);
      value = union(memberTaints(owner, undefined, line), elementsOf(owner));
      if (key.taints.size > 0 && !isIndex(node)) value = deep(value, key);
    } else {
      value = memberOf(owner, name, line);
      if (owner.isDeep) value = deep(value, NOTHING);
    }
    return checkedValue(keyOf(node, scope), value);
  };

  /** A value that a key of the data led to; cleaned keys lead nowhere. */
  const deep = (value: Value, key: Value): Value => {
    const taints = [...key.taints.values()];
    if (taints.length > 0 && taints.every(({ clean }) => clean.has('prototype-pollution')))
      return value;
    if (value.isDeep) return value;
    const reached = newValue();
    joinInto(reached, value);
    reached.isDeep = true;
    return reached;
  };

  /** What counts is no key that came with the data, whatever it is summed up from. */
  const isIndex = (node: Node): boolean =>
    /^(?:i|j|k|n|idx|index|len|length|pos|offset)$/i.test(nameOf(child(node, 'property')) ?? '');

  const object = (node: Node, scope: Scope): Value => {
    const thing = newThing(node);
    for (const property of children(node, 'properties')) {
      if (property === undefined) continue;
      if (property.type === 'SpreadElement') {
        const spread = evaluateChild(property, 'argument', scope);
        grow(thing.rest, memberTaints(spread, undefined, lineOf(property.start)));
        for (const other of spread.things) {
          for (const [name, value] of other.fields) setField(thing, name, value);
          grow(thing.rest, other.rest);
        }
        continue;
      }
      const name = keyName(property);
      const value = child(property, 'value');
      if (value === undefined) continue;
      if (name === undefined) evaluateChild(property, 'key', scope);
      const made = evaluate(value, scope, name);
      if (property['kind'] === 'get') {
        for (const fn of made.functions) {
          fn.self.add(thing);
          setField(thing, name, fn.returned);
        }
      } else setField(thing, name, made);
    }
    return valueOf({ thing });
  };

  const classOf = (node: Node, scope: Scope): Value => {
    const body = child(node, 'body');
    const parent = evaluateChild(node, 'superClass', scope);
    const members = body === undefined ? [] : children(body, 'body');
    const constructor = members.find((one) => one?.['kind'] === 'constructor');
    const code = constructor && child(constructor, 'value');
    const fn = fnOf(code ?? emptyConstructor(node), scope, nameOf(child(node, 'id')) ?? '');
    fn.self.add(fn.instance);
    for (const base of parent.functions) {
      for (const [name, value] of base.instance.fields) {
        if (name !== 'constructor') setField(fn.instance, name, value);
      }
    }
    const before = frame;
    for (const one of members) {
      if (one === undefined || one === constructor) continue;
      const target = one['static'] === true ? fn.thing : fn.instance;
      const value = child(one, 'value');
      if (one.type === 'StaticBlock') {
        statement(one, scope);
        continue;
      }
      if (value === undefined) continue;
      const isField = !isFunction(value);
      if (isField) frame = { fn: undefined, self: valueOf({ thing: target }) };
      const made = evaluate(value, scope, keyName(one));
      frame = before;
      if (one['kind'] === 'get') {
        for (const getter of made.functions) {
          getter.self.add(target);
          setField(target, keyName(one), getter.returned);
        }
      } else setField(target, keyName(one), made);
    }
    return valueOf({ fn });
  };

  const empties = new Map<Node, Node>();
  const emptyConstructor = (node: Node): Node => {
    const made = empties.get(node) ?? {
      type: 'FunctionExpression',
      start: node.start,
      end: node.start,
      params: [],
    };
    empties.set(node, made);
    return made;
  };

  const tagged = (node: Node, scope: Scope): Value => {
    const quasi = child(node, 'quasi');
    const parts = (quasi === undefined ? [] : children(quasi, 'expressions')).map((one) =>
      one === undefined ? NOTHING : evaluate(one, scope),
    );
    const tag = child(node, 'tag');
    if (tag !== undefined) evaluate(tag, scope);
    // A tag is there to put values in safely: `sql`, `html`, `$`.
    return mapTaints(union(...parts), () => undefined);
  };

  const jsx = (node: Node, scope: Scope): Value => {
    const opening = child(node, 'openingElement');
    for (const attribute of opening === undefined ? [] : children(opening, 'attributes')) {
      if (attribute === undefined) continue;
      const name = nameOf(child(attribute, 'name'));
      const container = child(attribute, 'value');
      const value = container === undefined ? NOTHING : evaluate(container, scope);
      if (name === 'dangerouslySetInnerHTML') {
        const line = lineOf(attribute.start);
        reportAssignment(findings, {
          name,
          value: memberOf(value, '__html', line),
          line,
        });
      }
    }
    for (const one of children(node, 'children')) if (one !== undefined) evaluate(one, scope);
    return NOTHING;
  };

  const call = (node: Node, scope: Scope): Value => {
    const callee = child(node, 'callee');
    if (callee === undefined) return NOTHING;
    const plain = unwrapped(callee);
    const isMember = plain.type === 'MemberExpression';
    const target = isMember ? child(plain, 'object') : undefined;
    const self = target === undefined ? NOTHING : evaluate(target, scope);
    const name = isMember ? memberName(plain) : nameOf(plain);
    const property = isMember ? child(plain, 'property') : undefined;
    const line = lineOf(property?.start ?? plain.start);
    const isSuper = plain.type === 'Super';
    const values: Value[] = [];
    const nodes = children(node, 'arguments');
    for (const argument of nodes) {
      values.push(argument === undefined ? NOTHING : evaluate(argument, scope));
    }
    const made: SinkCall = {
      node,
      name,
      line,
      isNew: node.type === 'NewExpression',
      callee: isSuper ? NOTHING : isMember ? member(plain, scope, self) : evaluate(plain, scope),
      isMember,
      self,
      given: values,
      texts: nodes.map(constantText),
      nodes,
    };
    return callResult(flow, made);
  };

  const contextThing = newThing(program, 'context');
  const isKoa = /\bkoa\b/i.test(text);
  const root = scopes.of(program, undefined, (add) => {
    hoistedNames(program, add);
    blockNames(children(program, 'body'), add);
  });

  const flow: Flow = {
    lineOf,
    findings,
    get functions() {
      return [...functions.values()];
    },
    exported,
    pass: () => {
      hasChanged = false;
      exported.things.add(exportsThing);
      known = undefined;
      frame = { fn: undefined, self: valueOf({ thing: exportsThing }) };
      for (const one of children(program, 'body')) {
        const plain = one === undefined ? undefined : declarationIn(one);
        if (plain?.type === 'FunctionDeclaration') {
          bind(child(plain, 'id'), valueOf({ fn: fnOf(plain, root) }), root);
        }
      }
      for (const one of children(program, 'body')) if (one !== undefined) statement(one, root);
      // Functions that are found meanwhile come at the end of the same pass.
      for (const fn of bodies.keys()) evaluateBody(fn);
      assert(depth === 0, 'the evaluation comes out where it went in');
      return hasChanged || findings.takeChange();
    },
    grow,
    enter,
    newThing,
    promise: (node, executor) => {
      const { id, rest } = newThing(node, 'promise');
      const api = `promise:${id}`;
      promises.set(api, rest);
      for (const fn of executor.functions) {
        const [resolve] = fn.parameters;
        if (resolve !== undefined && resolve !== NOTHING) grow(resolve, valueOf({ api }));
      }
      return rest;
    },
    settle: (api, value) => grow(promises.get(api) ?? NOTHING, value),
    isKoa,
  };
  return flow;
};

/** So many of what is given without a name are told apart. */
const ARGUMENTS = 4;

const hasNext = (node: Node): boolean =>
  children(node, 'params').some((one) => one !== undefined && nameOf(one) === 'next');

/** With text of ours around it no key is one of those that all objects have. */
const withText = (value: Value, hasText: boolean): Value =>
  hasText ? cleaned(value, AS_KEY) : value;
const AS_KEY: ReadonlySet<SinkKind> = new Set<SinkKind>(['prototype-pollution']);

const FIELDS_MAX = 300;
const ELEMENTS_MAX = 40;

const ARITHMETIC = /^(?:-|\*|\/|%|\*\*|<<|>>|>>>|&|\||\^)=$/;

const GLOBALS: ReadonlySet<string> = new Set([
  ...['process', 'require', 'eval', 'Function', 'setTimeout', 'setInterval', 'setImmediate'],
  ...['document', 'window', 'location', 'JSON', 'Object', 'Array', 'String', 'Number', 'Promise'],
  ...['Reflect', 'URL', 'RegExp', 'parseInt', 'parseFloat', 'Boolean', 'Math', 'Date', 'Buffer'],
  ...['decodeURIComponent', 'decodeURI', 'unescape', 'encodeURIComponent', 'escape', 'global'],
  ...['globalThis', 'Set', 'Map', 'Symbol', 'BigInt', 'module', 'isNaN', 'Deno', 'Bun', 'fetch'],
]);

const isEmptyPiece = (piece: Node | undefined): boolean => {
  const value = piece?.['value'];
  return typeof value === 'object' && value !== null && 'raw' in value && value.raw === '';
};

const declarationIn = (statement: Node): Node =>
  statement.type.startsWith('Export') ? (child(statement, 'declaration') ?? statement) : statement;

/** What a check is about: `String(a).trim()` is about `a`. */
const checked = (node: Node): Node => {
  let at = unwrapped(node);
  for (let steps = 0; steps < 5 && at.type === 'CallExpression'; steps += 1) {
    const callee = child(at, 'callee');
    const plain = callee && unwrapped(callee);
    const object = plain?.type === 'MemberExpression' ? child(plain, 'object') : undefined;
    const next =
      object !== undefined && TEXT_METHODS.test(memberName(plain ?? at) ?? '')
        ? object
        : children(at, 'arguments')[0];
    if (next === undefined) return at;
    at = unwrapped(next);
  }
  return at;
};

const TEXT_METHODS = /^(?:toString|trim|toLowerCase|toUpperCase|slice|substr|substring|normalize)$/;
