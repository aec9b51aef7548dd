import { parseSync, type EcmaScriptModule, type ParserOptions } from 'oxc-parser';
import type { ImportKind } from './import-edge.ts';

/** What one JavaScript or TypeScript file says about itself, by its content and extension. */
export type ModuleFacts = {
  readonly imports: readonly ModuleImport[];
  /** None when at least one way to read the file is free of errors. */
  readonly syntaxErrors: readonly { readonly line: number; readonly message: string }[];
};

export type ModuleImport = {
  readonly specifier: string;
  readonly kind: ImportKind;
  readonly line: number;
};

/**
 * Parses one file. A `.js` file may be a module, a CommonJS script or hold JSX, and nothing in the
 * tree that says which is believed: it has an error only if every reading has one.
 *
 * @param path decides between JavaScript, TypeScript and JSX; only its extension counts.
 */
export const extractModule = (path: string, text: string): ModuleFacts => {
  const readings = readingsOf(path);
  let first: ReturnType<typeof parseSync> | undefined;
  for (const options of readings) {
    const parsed = parseSync('file', text, options);
    first ??= parsed;
    if (!parsed.errors.some(isError)) return factsOf(text, parsed, []);
  }
  if (first === undefined || FLOW.test(text.slice(0, 1000))) return factsOf(text, first, []);
  const lineOf = createLineFinder(text);
  return factsOf(
    text,
    first,
    first.errors.filter(isError).map((error) => ({
      line: lineOf(error.labels[0]?.start ?? 0),
      message: error.message,
    })),
  );
};

/** Flow's types are not JavaScript, and no reading of ours knows them. */
const FLOW = /@flow\b/;

const isError = (error: { readonly severity: string }): boolean => error.severity === 'Error';

const readingsOf = (path: string): readonly ParserOptions[] => {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  switch (extension) {
    case 'ts':
    case 'mts':
    case 'cts': {
      const lang = /\.d\.[cm]?ts$/i.test(path) ? 'dts' : 'ts';
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

const factsOf = (
  text: string,
  parsed: ReturnType<typeof parseSync> | undefined,
  syntaxErrors: ModuleFacts['syntaxErrors'],
): ModuleFacts => {
  if (parsed === undefined) return { imports: [], syntaxErrors };
  const lineOf = createLineFinder(text);
  const found = [...moduleImports(text, parsed.module), ...requires(text, parsed)];
  return {
    imports: found
      .toSorted((left, right) => left.start - right.start)
      .map(({ specifier, kind, start }) => ({ specifier, kind, line: lineOf(start) })),
    syntaxErrors,
  };
};

type FoundImport = Omit<ModuleImport, 'line'> & { readonly start: number };

const moduleImports = (text: string, module: EcmaScriptModule): readonly FoundImport[] => {
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
    if (specifier !== undefined) found.push({ specifier, kind: 'dynamic', start });
  }
  return found;
};

const REQUIRE = /(?<![\w$.])require\(\s*(?<literal>'[^'\n]*'|"[^"\n]*")\s*\)/g;

/**
 * The module record has no `require`. A call with a literal outside of comments is one; that one
 * in a string looks the same does no harm, since only what leads to a file becomes an edge.
 */
const requires = (text: string, parsed: ReturnType<typeof parseSync>): readonly FoundImport[] => {
  if (!text.includes('require(')) return [];
  const found: FoundImport[] = [];
  let next = 0;
  for (const match of text.matchAll(REQUIRE)) {
    const specifier = literalOf(match.groups?.['literal'] ?? '');
    if (specifier === undefined) continue;
    while ((parsed.comments[next]?.end ?? Infinity) <= match.index) next += 1;
    if ((parsed.comments[next]?.start ?? Infinity) <= match.index) continue;
    found.push({ specifier, kind: 'require', start: match.index });
  }
  return found;
};

const literalOf = (source: string): string | undefined =>
  /^(['"`])(?<text>[^\\$]*)\1$/.exec(source)?.groups?.['text'];

/** Lines of offsets, from 1. Built only when asked, since most files are asked little. */
const createLineFinder = (text: string): ((offset: number) => number) => {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= [0, ...[...text.matchAll(/\n/g)].map((match) => match.index + 1)];
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
};
