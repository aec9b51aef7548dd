import type { FileFacts, ImportFact, LanguageFamily } from './file-facts.ts';
import { createCResolver } from './resolve/c.ts';
import { createCsharpResolver } from './resolve/csharp.ts';
import { createEcmascriptResolver } from './resolve/ecmascript.ts';
import { createGoResolver } from './resolve/go.ts';
import { createJvmResolver } from './resolve/jvm.ts';
import { createPhpResolver } from './resolve/php.ts';
import { createPythonResolver } from './resolve/python.ts';
import {
  ELSEWHERE,
  type NameUse,
  type Resolution,
  type ResolveNames,
  type Resolve,
  type TreeIndex,
} from './resolve/resolution.ts';
import { createRubyResolver } from './resolve/ruby.ts';
import { createRustResolver } from './resolve/rust.ts';

export type ModuleResolver = {
  readonly resolve: (from: string, family: LanguageFamily, fact: ImportFact) => Resolution;
  /** Names that a file uses without importing them, in languages that allow it. */
  readonly resolveNames: (from: string, facts: FileFacts) => readonly NameUse[];
};

/**
 * Resolves imports of all languages over the files of one tree. The index of a language is made when
 * the first file in it asks.
 */
export const createModuleResolver = (index: TreeIndex): ModuleResolver => {
  const made = new Map<LanguageFamily, FamilyResolver>();
  const resolverOf = (family: LanguageFamily): FamilyResolver => {
    const known = made.get(family);
    if (known !== undefined) return known;
    const resolver = MAKERS[family](index);
    made.set(family, resolver);
    return resolver;
  };
  return {
    resolve: (from, family, fact) => resolverOf(family).resolve(from, fact),
    resolveNames: (from, facts) => resolverOf(facts.family).resolveNames?.(from, facts) ?? [],
  };
};

type FamilyResolver = {
  readonly resolve: Resolve;
  readonly resolveNames?: ResolveNames;
};

const MAKERS: Readonly<Record<LanguageFamily, (index: TreeIndex) => FamilyResolver>> = {
  ecmascript: (index) => ({ resolve: createEcmascriptResolver(index) }),
  python: (index) => ({ resolve: createPythonResolver(index) }),
  go: createGoResolver,
  jvm: createJvmResolver,
  dotnet: createCsharpResolver,
  rust: (index) => ({ resolve: createRustResolver(index) }),
  ruby: (index) => ({ resolve: createRubyResolver(index) }),
  php: createPhpResolver,
  c: (index) => ({ resolve: createCResolver(index) }),
  manifest: () => ({ resolve: () => ELSEWHERE }),
};
