import { parseSync, type EcmaScriptModule, type ParserOptions } from 'oxc-parser';
import { emptyFacts, type FileFacts, type ImportFact } from '../file-facts.ts';
import { createLineFinder } from '../line-finder.ts';
import { readEcmascriptSignals } from '../signals/ecmascript.ts';
import { definitionsInProgram } from './ecmascript-definitions.ts';
import { importsInProgram, type FoundImport } from './ecmascript-program.ts';

/**
 * Parses one file. A `.js` file may be a module, a CommonJS script or hold JSX, and nothing in the
 * tree that says which is believed: it has an error only if every reading has one.
 *
 * The parser's module record is cheap, its whole tree is several times dearer, so the tree is asked
 * only where the record cannot answer: for `import x = require()`, for types written
 * `import('…')`, and for definitions.
 *
 * @param given.path decides between JavaScript, TypeScript and JSX; only its extension counts.
 */
export const readEcmascript = (given: {
  readonly path: string;
  readonly text: string;
  readonly withDefinitions: boolean;
}): FileFacts => {
  const { path, text } = given;
  const calls = requireCalls(text);
  const disguised = calls.size === 0 ? text : disguise(text, calls);
  const options = readingsOf(path);
  const parsed =
    firstWhole(options, disguised) ?? (calls.size === 0 ? undefined : firstWhole(options, text));
  if (parsed === undefined) return broken(text, options);

  const lineOf = createLineFinder(text);
  const needsProgram = parsed.text !== disguised || hasHiddenImports(path, text, parsed.result);
  const hasDefinitions = given.withDefinitions || isLong(text);
  const found = [
    ...recordImports(text, parsed.result.module, calls),
    ...references(parsed.result),
    ...(needsProgram
      ? importsInProgram(parsed.result.program, parsed.result.module.hasModuleSyntax)
      : []),
  ];
  return {
    ...emptyFacts('ecmascript'),
    imports: importFacts(found, lineOf),
    ...(hasDefinitions && {
      definitions: [...definitionsInProgram(parsed.result.program, lineOf)],
    }),
    // Who asks for definitions has asked for the other facts before.
    ...(!given.withDefinitions && {
      signals: readEcmascriptSignals({
        text,
        module: parsed.result.module,
        program: () => parsed.result.program,
        hasTree: needsProgram,
        lineOf,
      }),
    }),
  };
};

/** The whole tree of a file, read as `readEcmascript` reads it; undefined when no reading of it is whole. */
export const programOf = (path: string, text: string): unknown =>
  firstWhole(readingsOf(path), text)?.result.program;

/** Such a file will be cut or outlined when it is reviewed, so it is not parsed twice. */
const isLong = (text: string): boolean => text.length >= LONG && text.length <= LONG_MAX;

const LONG = 80_000;
/** A whole tree takes some hundred times the memory of its text. */
const LONG_MAX = 1_000_000;

type Parsed = ReturnType<typeof parseSync>;

const importFacts = (
  found: readonly FoundImport[],
  lineOf: (offset: number) => number,
): ImportFact[] =>
  found
    .toSorted((left, right) => left.start - right.start)
    .filter(({ start }, index, all) => start !== all[index - 1]?.start)
    .map(({ start, ...fact }) => ({ ...fact, line: lineOf(start) }));

const firstWhole = (
  readings: readonly ParserOptions[],
  text: string,
): { readonly result: Parsed; readonly text: string } | undefined => {
  for (const options of readings) {
    const result = parseSync('file', text, options);
    if (!result.errors.some(isError)) return { result, text };
  }
  return undefined;
};

const isError = (error: { readonly severity: string }): boolean => error.severity === 'Error';

/** What can be told of a file that does not parse: the record up to the error, and the errors. */
const broken = (text: string, readings: readonly ParserOptions[]): FileFacts => {
  const [first] = readings;
  const result = parseSync('file', text, first);
  const lineOf = createLineFinder(text);
  const isFlow = FLOW.test(text.slice(0, 1000));
  return {
    ...emptyFacts('ecmascript'),
    imports: importFacts(recordImports(text, result.module, new Map()), lineOf),
    syntaxErrors: isFlow
      ? []
      : result.errors.filter(isError).map((error) => ({
          line: lineOf(offsetOf(text, error.labels[0]?.start ?? 0)),
          message: error.message,
        })),
  };
};

const offsetOf = (text: string, start: number): number => Math.min(start, text.length);

/** Flow's types are not JavaScript, and no reading of ours knows them. */
const FLOW = /@flow\b/;

const readingsOf = (path: string): readonly ParserOptions[] => {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  switch (extension) {
    case 'ts':
    case 'mts':
    case 'cts': {
      const lang = /\.d\.(?:[\w-]+\.)?[cm]?ts$/i.test(path) ? 'dts' : 'ts';
      return [
        { lang, sourceType: 'module' },
        { lang, sourceType: 'commonjs' },
      ];
    }
    case 'tsx':
      return [{ lang: 'tsx', sourceType: 'module' }];
    case 'cjs':
      return [
        { lang: 'jsx', sourceType: 'commonjs' },
        { lang: 'jsx', sourceType: 'script' },
      ];
    default:
      return [
        { lang: 'jsx', sourceType: 'module' },
        { lang: 'jsx', sourceType: 'commonjs' },
        { lang: 'jsx', sourceType: 'script' },
      ];
  }
};

const REQUIRE = /(?<![\w$#])(?<!(?<!\.\.)\.)require(?:\s*\.\s*resolve)?(?=\s*\(\s*['"`])/g;

/** Offsets and lengths of what looks like a call of `require` with a literal. */
const requireCalls = (text: string): ReadonlyMap<number, number> => {
  if (!text.includes('require')) return new Map();
  return new Map([...text.matchAll(REQUIRE)].map((match) => [match.index, match[0].length]));
};

/**
 * The module record knows `import('x')` and not `require('x')`. Both are calls that may stand
 * wherever an expression may, and `import` is the shorter word: with one written in place of the
 * other, at the same offset and length, the parser itself says which of them are code and not text
 * in a string, a comment or a template.
 */
const disguise = (text: string, calls: ReadonlyMap<number, number>): string => {
  const parts: string[] = [];
  let at = 0;
  for (const [start, length] of calls) {
    parts.push(text.slice(at, start), 'import'.padEnd(length));
    at = start + length;
  }
  return parts.join('') + text.slice(at);
};

const recordImports = (
  text: string,
  module: EcmaScriptModule,
  calls: ReadonlyMap<number, number>,
): readonly FoundImport[] => {
  const found: FoundImport[] = [];
  for (const { start, moduleRequest, entries } of module.staticImports) {
    const isType = entries.length > 0 && entries.every((entry) => entry.isType);
    found.push({ specifier: moduleRequest.value, kind: isType ? 'type' : 'import', start });
  }
  for (const { start, entries } of module.staticExports) {
    const request = entries.find((entry) => entry.moduleRequest !== null)?.moduleRequest;
    if (request === undefined || request === null) continue;
    const isType = entries.every((entry) => entry.isType);
    found.push({ specifier: request.value, kind: isType ? 'type' : 'import', start });
  }
  for (const { start, moduleRequest } of module.dynamicImports) {
    const specifier = literalOf(text.slice(moduleRequest.start, moduleRequest.end));
    if (specifier === undefined) continue;
    found.push({ specifier, kind: calls.has(start) ? 'require' : 'dynamic', start });
  }
  return found;
};

const literalOf = (source: string): string | undefined =>
  /^(['"`])(?<text>[^\\$]*)\1$/.exec(source)?.groups?.['text'];

/** Forms that the record leaves out: types from `import('x')`, and what is declared of modules. */
const hasHiddenImports = (path: string, text: string, { module }: Parsed): boolean => {
  if (!/\.[cm]?tsx?$/i.test(path)) return false;
  if (/\bdeclare\s+module\s*['"]/.test(text)) return true;
  const written = [...text.matchAll(/\bimport\s*\(/g)].length;
  return written > module.dynamicImports.length;
};

/** `/// <reference path="x" />` at the top of a file. */
const references = ({ comments }: Parsed): readonly FoundImport[] => {
  const found: FoundImport[] = [];
  for (const { type, value, start } of comments) {
    if (type !== 'Line' || !value.startsWith('/')) continue;
    const path = /^\/\s*<reference\s+path\s*=\s*(['"])(.+?)\1/.exec(value)?.[2];
    if (path !== undefined) found.push({ specifier: path, kind: 'type', form: 'relative', start });
  }
  return found;
};
