import type { Node } from '../../pipeline/imports/ecmascript-program.ts';
import { child, children, textField, unwrapped } from './ast.ts';
import type { SinkCall } from './sinks/sink.ts';
import { moduleApi } from './module-names.ts';
import { sourceAt } from './sources.ts';
import { ALL_KINDS, type SinkKind } from './sink-kind.ts';
import {
  cleaned,
  composed,
  mapTaints,
  newValue,
  NOTHING,
  joinInto,
  union,
  valueOf,
  type Value,
} from './value.ts';

/** What functions of the platform and of well-known packages make of what they are given. */

const PATH: ReadonlySet<SinkKind> = new Set<SinkKind>(['path-traversal']);
const AS_JSON: ReadonlySet<SinkKind> = new Set<SinkKind>(['code-injection', 'xss']);
const ENCODED: ReadonlySet<SinkKind> = new Set<SinkKind>([
  'command-injection',
  'path-traversal',
  'xss',
  'sql-injection',
]);
/** What an escape of any kind is for; a path is none the safer for it. */
const ESCAPED: ReadonlySet<SinkKind> = new Set(
  [...ALL_KINDS].filter((kind) => kind !== 'path-traversal' && kind !== 'prototype-pollution'),
);

export const libraryResult = (api: string, call: SinkCall): Value => {
  const { given, texts } = call;
  const [first = NOTHING] = given;
  const all = (): Value => union(...given);
  if (SAFE_RESULT.test(api)) return NOTHING;
  if (PASSES.test(api)) return all();
  switch (api) {
    case 'require': {
      const specifier = texts[0];
      return specifier === undefined ? NOTHING : valueOf({ api: moduleApi(specifier) });
    }
    case 'path.basename':
    case 'path.extname':
      return cleaned(first, PATH);
    case 'path.join':
    case 'path.resolve':
    case 'path.normalize':
    case 'path.format': {
      const joined = composed(all());
      // Joined to the root of all, `..` leads nowhere.
      const isRooted = api !== 'path.format' && texts[0] === '/' && given.length > 1;
      return isRooted ? cleaned(joined, PATH) : joined;
    }
    case 'URL':
    case 'url.URL':
      return cleaned(composed(first), PATH);
    case 'JSON.stringify':
      return cleaned(composed(first), AS_JSON);
    case 'decodeURIComponent':
    case 'decodeURI':
    case 'unescape':
    case 'querystring.unescape':
      return mapTaints(first, (taint) => ({
        ...taint,
        clean: new Set([...taint.clean].filter((kind) => !ENCODED.has(kind))),
      }));
    case 'encodeURIComponent':
    case 'escape':
      return cleaned(composed(first), ENCODED);
    case 'RegExp': {
      const source = texts[0];
      const flags = texts[1] ?? '';
      if (source === undefined) return first.patterns.size > 0 ? first : NOTHING;
      return valueOf({ pattern: { source, flags, line: call.line } });
    }
    case 'Object.create':
    case 'Object.assign':
    case 'Object.freeze':
    case 'Object.seal':
    case 'Promise.resolve':
    case 'Promise.all':
    case 'Array.from':
    case 'Array.of':
    case 'String':
    case 'Buffer.from':
    case 'JSON.parse':
    case 'Object.fromEntries':
      return all();
    case 'Object.keys':
    case 'Object.entries':
    case 'Object.values':
    case 'Object.getOwnPropertyNames':
    case 'Reflect.ownKeys':
      return keysOf(first);
    case 'request.get':
    case 'request.header':
    case 'request.param': {
      const taint = sourceAt('request', 'headers', call.line);
      return taint === undefined ? NOTHING : valueOf({ taint });
    }
  }
  if (SANITIZERS.test(api)) return cleaned(composed(all()), ALL_KINDS);
  const byName = sanitizedByName(call);
  if (byName !== undefined) return byName;
  return union(
    valueOf({ api: api.length < 120 ? `${api}()` : undefined }),
    composed(union(call.self, ...given)),
  );
};

/** Values of an object of ours are its fields; of data, more data. */
const keysOf = (value: Value): Value => {
  const keys = newValue();
  joinInto(keys, composed(value));
  for (const thing of value.things) keys.things.add(thing);
  return keys;
};

const SAFE_RESULT =
  /^(?:parseInt|parseFloat|Number(?:\.\w+)?|Boolean|Math\.\w+|Date(?:\.\w+)?|isNaN|isFinite|Symbol(?:\.\w+)?|BigInt|fs\.\w+|child_process\.\w+|os\.\w+|process\.(?:cwd|exit|on|nextTick|hrtime|uptime)|crypto\.\w+|setTimeout|setInterval|Object\.(?:is|defineProperty|getPrototypeOf|prototype\.hasOwnProperty)|Array\.isArray|console\.\w+)$/;
const PASSES =
  /(?:^|\.)(?:bind|proxy|promisify|promisifyAll|denodeify|thenify|thenifyAll|pify|callbackify|debounce|throttle|once|memoize|curry|partial)$|^(?:pify|thenify|universalify\.\w+|util\.deprecate)$/;
/** What it does with functions that it is given is known: nothing that matters. */
export const isKnownLibrary = (api: string): boolean =>
  SAFE_RESULT.test(api) ||
  /^(?:process|require|https?|http2|net|tls|dgram|stream|events|zlib|readline|os|child_process|fs|path|url|promise:|request|response|context|window|document|module)\b/.test(
    api,
  );

const SANITIZERS =
  /^(?:shell-escape|shellescape|shell-quote\.quote|shlex\.quote|any-shell-escape|puka|validator\.(?:escape|whitelist)|dompurify\.sanitize|isomorphic-dompurify\.sanitize|sanitize-html|xss|sqlstring\.(?:escape|escapeId|format)|mysql2?\.(?:escape|escapeId|format)|pg-format|he\.(?:encode|escape)|escape-html|lodash\.escape|underscore\.escape|sanitize-filename|escape-string-regexp|jsesc|serialize-javascript|path-is-inside|resolve-path)$/;

/** A function that says by its name what it does; its body may be anywhere. */
export const sanitizedByName = ({
  name = '',
  given,
  self,
  isMember,
}: SinkCall): Value | undefined => {
  if (!ESCAPES.test(name)) return undefined;
  const kinds = MAKES_SAFE.test(name) ? ALL_KINDS : ESCAPED;
  return cleaned(
    composed(union(...given, ...(isMember && given.length === 0 ? [self] : []))),
    kinds,
  );
};

const ESCAPES =
  /^_?(?:shell)?_?(?:escape|quote|sanitize|sanitise|purify|encode|htmlEntities|clean|strip|safe)(?!d)/i;
const MAKES_SAFE = /sanitiz|sanitis|clean|safe|purify|stripPath/i;

/** What a method of a text or a list gives. Undefined: nobody knows. */
export const methodResult = (call: SinkCall): Value | undefined => {
  const { name = '', self, given, isMember } = call;
  const byName = sanitizedByName(call);
  if (byName !== undefined) return byName;
  if (/^(?:to)?(?:int|integer|number|float)$|^parse(?:Int|Float)$/i.test(name)) return NOTHING;
  if (!isMember) return undefined;
  switch (name) {
    case 'toString':
    case 'trim':
    case 'toLowerCase':
    case 'toUpperCase':
    case 'valueOf':
    case 'slice':
    case 'reverse':
    case 'sort':
    case 'filter':
    case 'splice':
    case 'shift':
    case 'pop':
      // Of a list any element may stand anywhere afterwards.
      return self.things.size === 0 ? self : union(self, elements(self));
    case 'split':
    case 'substr':
    case 'substring':
    case 'at':
    case 'charAt':
    case 'normalize':
    case 'exec':
    case 'match':
    case 'catch':
    case 'finally':
      return name === 'exec' ? union(...given) : self;
    case 'push':
    case 'unshift':
    case 'add':
    case 'append':
    case 'set':
      for (const thing of self.things) for (const value of given) joinInto(thing.rest, value);
      return self;
    case 'join':
    case 'concat':
    case 'padStart':
    case 'padEnd':
    case 'repeat':
      return composed(
        union(self, elements(self), ...given.map((one) => union(one, elements(one)))),
      );
    case 'map':
    case 'flatMap':
    case 'then':
    case 'reduce':
      return union(
        ...given.flatMap(({ functions }) => [...functions].map(({ returned }) => returned)),
        name === 'then' ? self : NOTHING,
      );
    case 'replace':
    case 'replaceAll':
      return replaced(call);
    case 'indexOf':
    case 'lastIndexOf':
    case 'includes':
    case 'startsWith':
    case 'endsWith':
    case 'test':
    case 'search':
    case 'hasOwnProperty':
    case 'has':
    case 'charCodeAt':
    case 'codePointAt':
    case 'localeCompare':
    case 'every':
    case 'some':
    case 'forEach':
    case 'toFixed':
    case 'getTime':
      return NOTHING;
    default:
      return undefined;
  }
};

const elements = (value: Value): Value =>
  union(...[...value.things].flatMap((thing) => [thing.rest, ...thing.fields.values()]));

/** `text.replace(what, by)`: some replacements take away what could do harm. */
const replaced = ({ self, given, texts, nodes, node }: SinkCall): Value => {
  const by = given[1] ?? NOTHING;
  const made = composed(union(self, by, ...[...by.functions].map(({ returned }) => returned)));
  const pattern = [...(given[0]?.patterns ?? [])][0];
  const source = pattern?.source ?? texts[0] ?? '';
  const isAll = pattern?.flags.includes('g') === true;
  if (pattern === undefined) return made;
  // Everything but what is listed goes.
  if (/^\(?\[\^[^\]]*\]\+?\)?$/.test(source) && isAll) {
    const allowed = source.slice(source.indexOf('^') + 1);
    return /[./\\]{1}(?!w|d|s|-)/.test(allowed.replaceAll(/\\[wds-]/g, ''))
      ? cleaned(made, new Set(['command-injection', 'code-injection', 'sql-injection', 'xss']))
      : cleaned(made, ALL_KINDS);
  }
  if (/\\\.\\\.|\\\.\{2|\[\.\]\{2|\\\.\+/.test(source)) return cleaned(made, PATH);
  if (/\[[^\]]*[$`][^\]]*\]/.test(source) && isAll) {
    return cleaned(made, new Set(['command-injection', 'code-injection']));
  }
  if (/<|&/.test(source) && isAll) return cleaned(made, new Set(['xss']));
  if (/['"]/.test(source) && isAll && nodes.length > 1) {
    // A quote behind a backslash is none only when the data has no backslash of its own before it.
    const isHalf = texts[1]?.startsWith('\\') === true && !source.includes('\\\\');
    if (isHalf && !escapesBackslashes(node)) return made;
    return cleaned(made, new Set(['code-injection', 'sql-injection']));
  }
  return made;
};

/** Whether the text of a method call is the result of a replacement that escapes backslashes. */
const escapesBackslashes = (call: Node): boolean => {
  for (let at: Node | undefined = call, steps = 0; at !== undefined && steps < 10; steps += 1) {
    const callee = child(at, 'callee');
    const before = callee && child(unwrapped(callee), 'object');
    at = before && unwrapped(before);
    const [what] = at === undefined ? [] : children(at, 'arguments');
    if (what !== undefined && (textField(what, 'raw') ?? '').includes('\\\\')) return true;
  }
  return false;
};
