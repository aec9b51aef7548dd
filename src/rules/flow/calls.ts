import type { Node } from '../../pipeline/imports/ecmascript-program.ts';
import { child, memberName, unwrapped } from './ast.ts';
import type { Flow } from './flow.ts';
import { isKnownLibrary, libraryResult, methodResult } from './library.ts';
import { fieldsOf, memberOf } from './members.ts';
import { joinSteps, reportCall, sinkTaint } from './report.ts';
import type { SinkCall } from './sinks/sink.ts';
import { networkData } from './sources.ts';
import {
  addTaint,
  composed,
  elementsOf,
  joinShape,
  newValue,
  nextStep,
  NOTHING,
  union,
  valueOf,
  type Fn,
  type Value,
} from './value.ts';

/** What a call gives, after every rule has looked at it. */
export const callResult = (flow: Flow, call: SinkCall): Value => {
  const again = redirected(call);
  if (again !== undefined) return callResult(flow, again);
  reportCall(flow.findings, call);
  const { callee, given, self } = call;
  const results: Value[] = [];
  for (const api of callee.apis) results.push(apiResult(flow, api, call));
  for (const fn of callee.functions) results.push(ownResult(flow, fn, call));
  givesToCallbacks(flow, call);
  if (callee.apis.size + callee.functions.size > 0) return union(...results);
  return methodResult(call) ?? composed(union(self, ...given));
};

/**
 * `f.call(this, a)` and `f.apply(this, [a])` are `f(a)`; `[].slice.call(a)` is `a.slice()`, whatever has the
 * method.
 */
const redirected = (call: SinkCall): SinkCall | undefined => {
  const { name, self, isMember, given, texts, nodes, line } = call;
  if (!isMember || (name !== 'call' && name !== 'apply')) return undefined;
  const method = methodIn(call);
  const isKnown = self.functions.size + self.apis.size > 0 && !method?.isBorrowed;
  if (!isKnown && method === undefined) return undefined;
  const list = given[1] ?? NOTHING;
  const again =
    name === 'call'
      ? { given: given.slice(1), texts: texts.slice(1), nodes: nodes.slice(1) }
      : { given: spread(list, line), texts: [], nodes: [] };
  return {
    ...call,
    ...again,
    name: method?.name,
    isMember: !isKnown,
    callee: isKnown ? self : NOTHING,
    self: given[0] ?? NOTHING,
  };
};

const spread = (list: Value, line: number): readonly Value[] =>
  Array.from({ length: 4 }, (_, index) => memberOf(list, String(index), line));

/** The method that is called on something else: `slice` in `Array.prototype.slice.call`. */
const methodIn = ({
  node,
  self,
}: SinkCall): { readonly name: string; readonly isBorrowed: boolean } | undefined => {
  const callee = child(node, 'callee');
  const object = callee && child(unwrapped(callee), 'object');
  const plain = object && unwrapped(object);
  const name = plain?.type === 'MemberExpression' ? memberName(plain) : undefined;
  if (name === undefined) return undefined;
  const isBorrowed = [...self.apis].some((api) =>
    /^(?:Array|String|Object)\.prototype\./.test(api),
  );
  return { name, isBorrowed };
};

const apiResult = (flow: Flow, api: string, call: SinkCall): Value => {
  const { given, line, name } = call;
  if (call.isMember && name === 'bind' && api.endsWith('.bind')) return call.self;
  if (api.startsWith('promise:')) {
    flow.settle(api, given[0] ?? NOTHING);
    return NOTHING;
  }
  if (api === 'Promise' && call.isNew) return flow.promise(call.node, given[0] ?? NOTHING);
  if (api.startsWith('file:')) {
    flow.findings.callOut({ api, name: name ?? '', line, given });
    return union(
      valueOf({ api: api.length < 200 ? `${api}()` : api }),
      composed(union(...given)),
      ...given.map(shapeOf),
    );
  }
  return libraryResult(api, call);
};

/** A function of the file: what it returns for what it is given, and the sinks that this reaches. */
const ownResult = (flow: Flow, fn: Fn, call: SinkCall): Value => {
  const { given, line, isNew } = call;
  const { findings } = flow;
  findings.called.add(fn);
  flow.enter(
    fn,
    given,
    isNew ? valueOf({ thing: fn.instance }) : call.isMember ? call.self : NOTHING,
  );
  const name = fn.name === '' ? (call.name ?? 'function') : fn.name;
  findings.callOwn({ fn, name, line, given });
  const members = new Map<string, Value>();
  const memberGiven = (index: number, fields: string): Value => {
    const value = given[index];
    if (value === undefined || value === NOTHING) return NOTHING;
    const key = `${index}${fields}`;
    const known = members.get(key) ?? fieldsOf(value, fields, line);
    members.set(key, known);
    return known;
  };
  for (const sink of [...fn.sinks.values()]) {
    const value = memberGiven(sink.index, sink.fields);
    if (value.taints.size === 0) continue;
    if (!findings.spend(value.taints.size)) break;
    for (const taint of value.taints.values()) {
      const { kind, says } = sink;
      // What was put together here and is only passed on there has its fault here.
      const isHere = kind === 'command-injection' && sink.isWhole && !taint.isWhole;
      const reached = sinkTaint(taint, sink, line, name);
      findings.reach({ taint: reached, kind, line: isHere ? line : sink.line, says });
    }
  }
  const returned = returnedFor(fn, memberGiven, line, name);
  return isNew ? union(instancesOf(fn), returned) : returned;
};

/** What `new` may give: what the constructor fills, and what stands as its prototype. */
export const instancesOf = (fn: Fn): Value => {
  const made = newValue();
  made.things.add(fn.instance);
  for (const thing of fn.thing.fields.get('prototype')?.things ?? []) made.things.add(thing);
  return made;
};

/** What is given to a function of another file may come back from it, or be called by it. */
const shapeOf = (value: Value): Value => {
  if (value.things.size + value.functions.size === 0) return NOTHING;
  const shape = newValue();
  for (const thing of value.things) shape.things.add(thing);
  for (const fn of value.functions) shape.functions.add(fn);
  return shape;
};

const returnedFor = (
  fn: Fn,
  memberGiven: (index: number, fields: string) => Value,
  line: number,
  name: string,
): Value => {
  if (fn.returned === NOTHING) return NOTHING;
  const result = newValue();
  joinShape(result, fn.returned);
  for (const taint of fn.returned.taints.values()) {
    const { of } = taint.origin;
    if (of?.fn !== fn) {
      addTaint(result, taint);
      continue;
    }
    const value = memberGiven(of.index, of.fields);
    for (const from of value.taints.values()) {
      addTaint(result, {
        origin: from.origin,
        clean: new Set([...from.clean, ...taint.clean]),
        isWhole: from.isWhole && taint.isWhole,
        steps: joinSteps(from.steps, nextStep(taint.steps, line, `comes out of \`${name}\``)),
      });
    }
  }
  return result;
};

const VERBS: ReadonlySet<string> = new Set([
  ...['get', 'post', 'put', 'patch', 'delete', 'del', 'all', 'use', 'head', 'options', 'route'],
]);
const ELEMENTS: ReadonlySet<string> = new Set([
  ...['forEach', 'map', 'filter', 'some', 'every', 'find', 'findIndex', 'flatMap', 'each'],
  ...['then', 'spread', 'tap', 'mapSeries', 'reduceRight', 'reduce'],
]);

/** What functions that are given to a call get from it. */
const givesToCallbacks = ({ grow }: Flow, call: SinkCall): void => {
  const { name = '', given, texts, self, line } = call;
  const give = (parameter: Value | undefined, value: Value): void => {
    if (parameter !== undefined) grow(parameter, value);
  };
  for (const [index, value] of given.entries()) {
    for (const fn of value.functions) {
      const [first, second] = fn.parameters;
      if (isServer(call) || (VERBS.has(name) && texts[0]?.startsWith('/') === true && index > 0)) {
        give(first, valueOf({ api: 'request' }));
        give(second, valueOf({ api: 'response' }));
      } else if (name === 'on' || name === 'once' || name === 'addListener') {
        if (texts[0] === 'request') {
          give(first, valueOf({ api: 'request' }));
          give(second, valueOf({ api: 'response' }));
        } else if (isNetworkEvent(call)) give(first, networkData(line, 'data from the network'));
      } else if (ELEMENTS.has(name)) {
        const item = union(memberOf(self, '', line), dataOf(self), elementsOf(self));
        give(name.startsWith('reduce') ? second : first, item);
        // What one round gives is what the next one gets.
        if (name.startsWith('reduce')) give(first, union(given[1] ?? NOTHING, fn.returned));
      } else if (EACH.test([...call.callee.apis][0] ?? '')) {
        const over = given[0] ?? NOTHING;
        give(first, union(dataOf(over), elementsOf(over)));
        give(second, dataOf(over));
      } else if (call.callee.apis.size > 0 && isUnknown(call)) {
        // Somebody else's function: it may call back with anything that it was given.
        const others = union(...given.filter((_, other) => other !== index).map(dataOf));
        for (const parameter of fn.parameters) give(parameter, composed(others));
      }
    }
  }
};

const isUnknown = ({ callee, name = '' }: SinkCall): boolean =>
  !/^(?:on|once|then|catch|callback|error)$/.test(name) &&
  [...callee.apis].every((api) => !isKnownLibrary(api));

/** `_.each(list, (value, key) => …)`. */
const EACH =
  /^(?:lodash|underscore|async)\.(?:each|forEach|map|forOwn|forIn|eachSeries|mapSeries)$|^for-(?:in|own)$/;

const dataOf = (value: Value): Value => {
  if (value.taints.size === 0) return NOTHING;
  const data = newValue();
  for (const taint of value.taints.values()) addTaint(data, taint);
  if (value.isDeep) data.isDeep = true;
  return data;
};

const isServer = ({ callee }: SinkCall): boolean =>
  [...callee.apis].some((api) =>
    /^(?:https?|http2|spdy)\.(?:createServer|createSecureServer|Server)$/.test(api),
  );

const isNetworkEvent = ({ texts, self, node }: SinkCall): boolean => {
  if (texts[0] !== 'data' && texts[0] !== 'message') return false;
  if (self.apis.has('request') || self.apis.has('response')) return true;
  const callee = child(node, 'callee');
  const object = callee && child(unwrapped(callee), 'object');
  const name = object === undefined ? '' : lastName(object);
  return /^(?:socket|sock|conn|connection|client|ws|websocket|remote|peer)$/i.test(name);
};

const lastName = (node: Node): string => {
  const plain = unwrapped(node);
  const property = plain.type === 'MemberExpression' ? child(plain, 'property') : plain;
  const name = property?.['name'];
  return typeof name === 'string' ? name : '';
};
