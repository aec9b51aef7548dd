import { child, children, constantText, memberName, textField, unwrapped } from './ast.ts';
import { nameOf, type Node } from '../../pipeline/imports/ecmascript-program.ts';
import { ALL_KINDS, type SinkKind } from './sink-kind.ts';

/** What is known of an expression where a condition holds: sinks that its value can do no harm in. */
export type Fact = {
  readonly about: Node;
  readonly clean: ReadonlySet<SinkKind>;
  /** It is a key of this object: that says nothing of one that comes from there itself. */
  readonly keyOf?: Node | undefined;
};

const PATH: ReadonlySet<SinkKind> = new Set<SinkKind>(['path-traversal']);
const PROTOTYPE: ReadonlySet<SinkKind> = new Set<SinkKind>(['prototype-pollution']);
/** One of some values that are listed can do nothing, but be a key that all objects have. */
const LISTED: ReadonlySet<SinkKind> = new Set(
  [...ALL_KINDS].filter((kind) => kind !== 'prototype-pollution'),
);

/**
 * What a condition says of the expressions in it, where it holds or where it does not: type checks, lists of
 * what is allowed, patterns that a text matches as a whole, and the checks that paths and keys need.
 */
export const factsOf = (condition: Node, holds: boolean): readonly Fact[] => {
  const node = unwrapped(condition);
  switch (node.type) {
    case 'LogicalExpression': {
      const isAnd = textField(node, 'operator') === '&&';
      const [left, right] = [child(node, 'left'), child(node, 'right')];
      if (left === undefined || right === undefined) return [];
      const [one, other] = [factsOf(left, holds), factsOf(right, holds)];
      // Where `a && b` fails either may have failed; of `a || b`, both.
      return isAnd === holds ? [...one, ...other] : inBoth(one, other);
    }
    case 'UnaryExpression': {
      const argument = child(node, 'argument');
      const isNot = textField(node, 'operator') === '!';
      if (argument === undefined) return [];
      if (isNot) return factsOf(argument, !holds);
      // `~a.indexOf(b)` is true where it is found.
      return textField(node, 'operator') === '~' ? foundFacts(argument, holds) : [];
    }
    case 'BinaryExpression':
      return comparisonFacts(node, holds);
    case 'CallExpression':
      return callFacts(node, holds);
    default:
      return [];
  }
};

/** What holds whichever of two conditions does. */
const inBoth = (one: readonly Fact[], other: readonly Fact[]): readonly Fact[] =>
  one.flatMap(({ about, clean }) => {
    const name = chainOf(about);
    const same = other.find((fact) => name !== undefined && chainOf(fact.about) === name);
    if (same === undefined) return [];
    return [{ about, clean: new Set([...clean].filter((kind) => same.clean.has(kind))) }];
  });

/** `a.b.c` as it is written; undefined for anything that is no chain of names. */
const chainOf = (node: Node): string | undefined => {
  const plain = unwrapped(node);
  if (plain.type === 'Identifier') return nameOf(plain);
  if (plain.type !== 'MemberExpression') return undefined;
  const object = child(plain, 'object');
  const outer = object && chainOf(object);
  const name = memberName(plain);
  return outer === undefined || name === undefined ? undefined : `${outer}.${name}`;
};

const comparisonFacts = (node: Node, holds: boolean): readonly Fact[] => {
  const operator = textField(node, 'operator') ?? '';
  const left = unwrappedChild(node, 'left');
  const right = unwrappedChild(node, 'right');
  if (left === undefined || right === undefined) return [];
  if (operator === 'in') return holds ? [{ about: left, clean: LISTED, keyOf: right }] : [];
  const isEqual = operator === '===' || operator === '==';
  const isDifferent = operator === '!==' || operator === '!=';
  if (isEqual || isDifferent) {
    const same = isEqual === holds;
    return [...equalFacts(left, right, same), ...equalFacts(right, left, same)];
  }
  const number = numberOf(right);
  if (number === undefined || !isIndexOf(left)) return [];
  if ((operator === '>' && number === -1) || (operator === '>=' && number === 0)) {
    return foundFacts(left, holds);
  }
  if (operator === '<' && number === 0) return foundFacts(left, !holds);
  return [];
};

const equalFacts = (value: Node, other: Node, same: boolean): readonly Fact[] => {
  const text = constantText(other);
  if (value.type === 'UnaryExpression' && textField(value, 'operator') === 'typeof') {
    const about = child(value, 'argument');
    return same && about !== undefined && text !== undefined && HARMLESS_TYPES.has(text)
      ? [{ about, clean: ALL_KINDS }]
      : [];
  }
  const number = numberOf(other);
  if (isIndexOf(value) && number !== undefined) {
    if (number === -1) return foundFacts(value, !same);
    // `a.indexOf(root) === 0`: it begins with it.
    if (number === 0 && same) return beginsFacts(value);
    return [];
  }
  if (text !== undefined && PROTOTYPE_KEYS.has(text)) {
    return [{ about: value, clean: same ? NO_KINDS : PROTOTYPE }];
  }
  const isLiteral = text !== undefined || number !== undefined;
  return same && isLiteral ? [{ about: value, clean: ALL_KINDS }] : [];
};

const NO_KINDS: ReadonlySet<SinkKind> = new Set();
const HARMLESS_TYPES: ReadonlySet<string> = new Set([
  'number',
  'boolean',
  'undefined',
  'function',
  'bigint',
  'symbol',
]);
const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const callFacts = (node: Node, holds: boolean): readonly Fact[] => {
  const callee = unwrappedChild(node, 'callee');
  const [first] = children(node, 'arguments');
  if (callee === undefined) return [];
  const name = callee.type === 'MemberExpression' ? memberName(callee) : nameOf(callee);
  const object = callee.type === 'MemberExpression' ? child(callee, 'object') : undefined;
  if (name === undefined) return [];
  switch (name) {
    case 'test':
      return first === undefined || object === undefined
        ? []
        : patternFacts(unwrapped(object), first, holds);
    case 'match':
      return first === undefined || object === undefined
        ? []
        : patternFacts(unwrapped(first), object, holds);
    case 'includes':
    case 'has':
    case 'contains':
      return foundFacts(node, holds);
    case 'startsWith':
      return holds ? beginsFacts(node) : [];
    case 'hasOwnProperty':
    case 'hasOwn':
    case 'call': {
      const about = children(node, 'arguments').at(-1);
      const isOwn = name !== 'call' || sourceName(object).endsWith('hasOwnProperty');
      const of = name === 'hasOwnProperty' ? object : first;
      return holds && isOwn && about !== undefined ? [{ about, clean: LISTED, keyOf: of }] : [];
    }
    case 'isInteger':
    case 'isSafeInteger':
    case 'isFinite':
      return holds && first !== undefined ? [{ about: first, clean: ALL_KINDS }] : [];
    case 'isNaN':
      return !holds && first !== undefined ? [{ about: first, clean: ALL_KINDS }] : [];
    default:
      return namedCheckFacts(name, children(node, 'arguments'), holds);
  }
};

/** A function that says by its name that it checks: trusted, since its body may be anywhere. */
const namedCheckFacts = (
  name: string,
  given: readonly (Node | undefined)[],
  holds: boolean,
): readonly Fact[] => {
  const about = given[0];
  if (about === undefined) return [];
  if (PROTOTYPE_CHECK.test(name)) {
    const isBadWord = BAD.test(name);
    return isBadWord === holds
      ? []
      : given.flatMap((one) => (one ? [{ about: one, clean: PROTOTYPE }] : []));
  }
  if (CHECK.test(name)) return holds ? [{ about, clean: ALL_KINDS }] : [];
  return BAD_CHECK.test(name) && !holds ? [{ about, clean: ALL_KINDS }] : [];
};

const CHECK =
  /valid|allowed|whitelist|permitted|(?:^|_)is\w*format|(?:^|_)is_?(?:safe|inside|within|digits?|numeric|integer|number|ip|url|email|uuid|alpha)|inside(?:root|dir|path)|within/i;
const BAD_CHECK = /invalid|malicious|unsafe|traversal|outside|dangerous|forbidden|blocked/i;
const PROTOTYPE_CHECK =
  /^(?:blocked|forbidden|unsafe|dangerous|disallowed|denied|blacklist(?:ed)?)(?:_?(?:keys|props|properties|names))?$|proto|pollut|unsafekey|safekey|dangerouskey|blockedkey|forbiddenkey|validkey/i;
const BAD = /proto|pollut|unsafe|danger|block|forbid/i;

/**
 * That one text is found in another or in a list. What is in a list of ours is harmless; what holds `..` is
 * not, and what holds none of it stays where it is put.
 */
const foundFacts = (call: Node, found: boolean): readonly Fact[] => {
  const callee = unwrappedChild(call, 'callee');
  const object = callee && unwrappedChild(callee, 'object');
  const first = children(call, 'arguments')[0];
  if (object === undefined || first === undefined) return [];
  const text = constantText(first);
  if (text !== undefined) {
    if (found) return [];
    if (text.includes('..')) return [{ about: object, clean: PATH }];
    return PROTOTYPE_KEYS.has(text) ? [{ about: object, clean: PROTOTYPE }] : [];
  }
  if (isListOfKeys(object)) return found ? [] : [{ about: first, clean: PROTOTYPE }];
  return found ? [{ about: first, clean: LISTED }] : [];
};

/** `['__proto__', 'constructor']`, or a name that says so. */
const isListOfKeys = (node: Node): boolean => {
  if (node.type === 'ArrayExpression') {
    return children(node, 'elements').some((one) => PROTOTYPE_KEYS.has(constantText(one) ?? ''));
  }
  return PROTOTYPE_CHECK.test(sourceName(node));
};

const beginsFacts = (call: Node): readonly Fact[] => {
  const callee = unwrappedChild(call, 'callee');
  const about = callee && child(callee, 'object');
  const text = constantText(children(call, 'arguments')[0]);
  // That it begins with a slash says nothing of where it leads.
  return about === undefined || (text !== undefined && text.length < 3)
    ? []
    : [{ about, clean: PATH }];
};

const patternFacts = (pattern: Node, about: Node, matches: boolean): readonly Fact[] => {
  const regex = pattern['regex'];
  const source =
    typeof regex === 'object' && regex !== null && 'pattern' in regex ? String(regex.pattern) : '';
  if (source === '') return [];
  if (!matches) {
    if (/\\\.\\\.|\\\.\{2|\[\.\]\{2/.test(source)) return [{ about, clean: PATH }];
    if (/__proto__|^\^_{1,2}(?!\w)/.test(source)) return [{ about, clean: PROTOTYPE }];
    // It holds none of what a shell takes for more than text.
    return /\[[^\]]*[;&|`$][^\]]*\]/.test(source) && !source.startsWith('[^')
      ? [{ about, clean: SHELL }]
      : [];
  }
  const isWhole = source.startsWith('^') && source.endsWith('$');
  return isWhole && !/\.[*+]|\[\^|\\[SDW]/.test(source) ? [{ about, clean: ALL_KINDS }] : [];
};

const SHELL: ReadonlySet<SinkKind> = new Set<SinkKind>(['command-injection']);

const isIndexOf = (node: Node): boolean => {
  const callee = node.type === 'CallExpression' ? unwrappedChild(node, 'callee') : undefined;
  const name = callee?.type === 'MemberExpression' ? memberName(callee) : undefined;
  return name === 'indexOf' || name === 'search' || name === 'lastIndexOf';
};

const numberOf = (node: Node): number | undefined => {
  if (node.type === 'Literal') {
    const value = node['value'];
    return typeof value === 'number' ? value : undefined;
  }
  if (node.type !== 'UnaryExpression' || textField(node, 'operator') !== '-') return undefined;
  const inner = unwrappedChild(node, 'argument');
  const number = inner === undefined ? undefined : numberOf(inner);
  return number === undefined ? undefined : -number;
};

const unwrappedChild = (node: Node, field: string): Node | undefined => {
  const found = child(node, field);
  return found === undefined ? undefined : unwrapped(found);
};

/** The last name in `a.b.c`. */
const sourceName = (node: Node | undefined): string => {
  if (node === undefined) return '';
  const plain = unwrapped(node);
  return (plain.type === 'MemberExpression' ? memberName(plain) : nameOf(plain)) ?? '';
};

const ENDS: ReadonlySet<string> = new Set([
  'ReturnStatement',
  'ThrowStatement',
  'ContinueStatement',
  'BreakStatement',
]);

/** Whether nothing behind a statement runs once it has run. */
export const alwaysEnds = (statement: Node | undefined): boolean => {
  if (statement === undefined) return false;
  if (ENDS.has(statement.type)) return true;
  if (statement.type === 'BlockStatement') {
    const body = children(statement, 'body');
    return alwaysEnds(body.at(-1)) || body.some((one) => one !== undefined && ENDS.has(one.type));
  }
  if (statement.type === 'IfStatement') {
    return alwaysEnds(child(statement, 'consequent')) && alwaysEnds(child(statement, 'alternate'));
  }
  const expression = child(statement, 'expression');
  return expression?.type === 'CallExpression' && isExit(child(expression, 'callee'));
};

const isExit = (callee: Node | undefined): boolean =>
  callee?.type === 'MemberExpression' &&
  memberName(callee) === 'exit' &&
  sourceName(child(callee, 'object')) === 'process';
