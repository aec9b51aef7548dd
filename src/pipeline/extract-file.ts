import { readC, readCpp } from './imports/c.ts';
import { readComponent } from './imports/component.ts';
import { readCsharp } from './imports/csharp.ts';
import { readEcmascript } from './imports/ecmascript.ts';
import { readGo } from './imports/go.ts';
import { readJava, readKotlin } from './imports/jvm.ts';
import { commentsNestTooDeep, nestsTooDeep } from './imports/nesting.ts';
import { readPhp } from './imports/php.ts';
import { readPython } from './imports/python.ts';
import { readRuby } from './imports/ruby.ts';
import { readRust } from './imports/rust.ts';
import { emptyFacts, type DefinitionFact, type FileFacts } from './file-facts.ts';
import { isManifest, readManifest } from './manifests.ts';
import { readPackageFacts } from './shape/package-facts.ts';
import { readTreeSignals } from './signals/tree-signals.ts';
import { parseTree, type Grammar, type SyntaxNode } from './syntax-tree.ts';

/** A file to be read: only the extension of its path counts, apart from manifests. */
export type SourceText = {
  readonly path: string;
  /** Linguist's name. */
  readonly language: string;
  readonly text: string;
};

/**
 * The facts of one file, from its content alone. Undefined for what no parser here reads: other
 * languages, texts that are too large or nest too deep, grammars that are not built for this machine. Never throws,
 * whatever the bytes are.
 */
export const extractFile = async (file: SourceText): Promise<FileFacts | undefined> => {
  if (isManifest(file.path)) {
    const packageFacts = readPackageFacts(file.path, file.text);
    return {
      ...emptyFacts('manifest'),
      manifest: readManifest(file.path, file.text),
      ...(packageFacts !== undefined && { packageFacts }),
    };
  }
  return readAs(file, false);
};

/**
 * What a file defines. Facts of JavaScript and TypeScript files leave it out: their whole tree costs
 * five times what their imports do, and only files that must be cut are asked. Undefined for what no
 * parser here reads, or cannot.
 */
export const extractDefinitions = async (
  file: SourceText,
): Promise<readonly DefinitionFact[] | undefined> => (await readAs(file, true))?.definitions;

/** Whether `extractFile` would look at the file at all. */
export const isExtracted = (path: string, language: string): boolean =>
  isManifest(path) || SCRIPTS.has(language) || COMPONENTS.has(language) || TREES.has(language);

/** A tree takes some hundred times the memory of its text, so larger texts have none. */
const TREE_LENGTH_MAX = 1_000_000;
/** The largest script that people keep by hand has three million; one of forty is more than the parser can hand over. */
const SCRIPT_LENGTH_MAX = 4_000_000;

type TreeReader = readonly [grammar: Grammar, read: (root: SyntaxNode, text: string) => FileFacts];

const SCRIPTS: ReadonlySet<string> = new Set(['JavaScript', 'TypeScript', 'TSX']);
const COMPONENTS: ReadonlySet<string> = new Set(['Vue', 'Svelte']);
const TREES: ReadonlyMap<string, TreeReader> = new Map<string, TreeReader>([
  ['C', ['c', readC]],
  ['C++', ['cpp', readCpp]],
  ['C#', ['csharp', readCsharp]],
  ['Go', ['go', readGo]],
  ['Java', ['java', readJava]],
  ['Kotlin', ['kotlin', readKotlin]],
  ['PHP', ['php', readPhp]],
  ['Python', ['python', readPython]],
  ['Ruby', ['ruby', readRuby]],
  ['Rust', ['rust', readRust]],
]);

const readAs = async (
  { path, language, text }: SourceText,
  withDefinitions: boolean,
): Promise<FileFacts | undefined> => {
  const isScript = SCRIPTS.has(language) || COMPONENTS.has(language);
  if (isScript && (text.length > SCRIPT_LENGTH_MAX || nestsTooDeep(text))) return undefined;
  if (SCRIPTS.has(language)) return readEcmascript({ path, text, withDefinitions });
  if (COMPONENTS.has(language)) return readComponent({ text, withDefinitions });
  const reader = TREES.get(language);
  if (reader === undefined || text.length > TREE_LENGTH_MAX) return undefined;
  if (commentsNestTooDeep(text)) return undefined;
  const [grammar, read] = reader;
  const root = await parseTree(grammar, text);
  if (root === undefined) return undefined;
  return { ...read(root, text), signals: readTreeSignals(grammar, root, text) };
};
