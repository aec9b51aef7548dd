import { nameOf, type Node } from '../../pipeline/imports/ecmascript-program.ts';
import { child, children } from './ast.ts';
import {
  newValue,
  NOTHING,
  valueOf,
  type Fn,
  type SourceKind,
  type Taint,
  type Value,
} from './value.ts';

/** Where data from outside comes in: parameters, requests, arguments, environment, network. */

const REQUEST = /^_?(?:req|request|httprequest|incoming(?:message)?)$/i;
const RESPONSE = /^_?(?:res|resp|response|reply|httpresponse|serverresponse)$/i;
const CONTEXT = /^(?:ctx|context)$/;
/** Given for what is to happen next: no data. */
const CALLBACK =
  /^_?(?:cb|callback|next|done|fn|func|resolve|reject|err|error|iterator|iteratee|self|\$)$/i;

/** What a parameter holds when its function begins. */
export const parameterValue = (given: {
  readonly fn: Fn;
  readonly index: number;
  readonly parameter: Node | undefined;
  readonly isKoa: boolean;
  readonly lineOf: (offset: number) => number;
}): Value => {
  const { fn, index, parameter, isKoa, lineOf } = given;
  if (parameter === undefined) return NOTHING;
  const name = parameterName(parameter);
  const all = children(fn.node, 'params').map((one) =>
    one === undefined ? '' : parameterName(one),
  );
  // A function of its own that writes an answer; a callback may call anything `res`.
  const hasResponse =
    all.some((one) => RESPONSE.test(one)) &&
    (fn.name !== '' || all.some((one) => REQUEST.test(one)));
  if (REQUEST.test(name) && (hasResponse || /^_?req$/i.test(name))) {
    return valueOf({ api: 'request' });
  }
  if (RESPONSE.test(name)) return valueOf({ api: 'response' });
  if (CONTEXT.test(name) && isKoa) return valueOf({ api: 'context' });
  if (CALLBACK.test(name) || isHarmlessType(parameter)) return newValue();
  const shown = name === '' ? `parameter ${index + 1}` : `\`${name}\``;
  const of = fn.name === '' ? '' : ` of \`${fn.name}\``;
  return valueOf({
    taint: {
      origin: {
        id: `p${fn.id}.${index}`,
        // Whoever answers a request works on what came with it.
        kind: hasResponse ? 'request' : 'parameter',
        of: { fn, index, fields: '' },
        line: lineOf(parameter.start),
        says: `${shown}, a parameter${of}`,
      },
      clean: new Set(),
      isWhole: true,
      steps: undefined,
    },
  });
};

const parameterName = (parameter: Node): string => {
  switch (parameter.type) {
    case 'AssignmentPattern':
      return parameterName(child(parameter, 'left') ?? parameter);
    case 'RestElement':
      return parameterName(child(parameter, 'argument') ?? parameter);
    case 'TSParameterProperty':
      return parameterName(child(parameter, 'parameter') ?? parameter);
    default:
      return nameOf(parameter) ?? '';
  }
};

const isHarmlessType = (parameter: Node): boolean => {
  const target = parameter.type === 'AssignmentPattern' ? child(parameter, 'left') : parameter;
  const annotation = target && child(target, 'typeAnnotation');
  const type = annotation && child(annotation, 'typeAnnotation');
  return type !== undefined && HARMLESS_TYPES.has(type.type);
};

const HARMLESS_TYPES: ReadonlySet<string> = new Set([
  'TSNumberKeyword',
  'TSBooleanKeyword',
  'TSBigIntKeyword',
  'TSFunctionType',
  'TSVoidKeyword',
]);

/** Members of a request that whoever sends it chooses. */
const REQUEST_DATA: ReadonlySet<string> = new Set([
  ...['url', 'originalUrl', 'query', 'params', 'body', 'rawBody', 'headers', 'rawHeaders'],
  ...['cookies', 'path', 'pathname', 'files', 'file', 'uri', 'href', 'search', 'querystring'],
  ...['hostname', 'host', 'payload', 'header', 'param', 'get', 'fields', 'filename'],
]);
const CONTEXT_DATA: ReadonlySet<string> = new Set([
  ...['url', 'originalUrl', 'query', 'params', 'body', 'headers', 'header', 'path', 'href'],
  ...['querystring', 'search', 'cookies', 'host', 'hostname'],
]);
const LOCATION_DATA: ReadonlySet<string> = new Set(['search', 'hash', 'href', 'pathname']);

/** The data that a member of an API is, if it is any. */
export const sourceAt = (api: string, name: string, line: number): Taint | undefined => {
  const source = (kind: SourceKind, says: string): Taint => ({
    origin: { id: `${kind}:${says}`, kind, line, says },
    clean: new Set(),
    isWhole: true,
    steps: undefined,
  });
  switch (api) {
    case 'request':
      return REQUEST_DATA.has(name) ? source('request', `\`${name}\` of a request`) : undefined;
    case 'context':
    case 'context.req':
    case 'context.request':
      // The context's own `body` is the answer.
      return CONTEXT_DATA.has(name) && !(api === 'context' && name === 'body')
        ? source('request', `\`${name}\` of a request`)
        : undefined;
    case 'process':
      return name === 'argv' ? source('argv', '`process.argv`') : undefined;
    case 'process.env':
      return source('environment', `environment variable \`${name}\``);
    case 'location':
    case 'window.location':
    case 'document.location':
      return LOCATION_DATA.has(name) ? source('request', `\`location.${name}\``) : undefined;
    default:
      return undefined;
  }
};

/** What comes over the network in pieces. */
export const networkData = (line: number, says: string): Value =>
  valueOf({
    taint: {
      origin: { id: `network:${line}`, kind: 'network', line, says },
      clean: new Set(),
      isWhole: true,
      steps: undefined,
    },
  });
