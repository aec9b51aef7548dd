import { setImmediate as nextTurn } from 'node:timers/promises';
import pLimit from 'p-limit';
import { compareText } from '../std/canonical-json.ts';
import { extractContent, textOf } from '../pipeline/content.ts';
import { includedFiles, type Disposition } from '../pipeline/disposition.ts';
import { deriveInventory, type Inventory, type InventoryFile } from '../pipeline/inventory.ts';
import {
  createLanguageTable,
  isModuleLanguage,
  UNKNOWN_LANGUAGE,
  type LanguageTable,
} from '../pipeline/language.ts';
import { extractModule, type ModuleFacts } from '../pipeline/modules.ts';
import { digestOfBytes } from '../platform/bytes-digest.ts';
import type { Drift } from '../platform/frozen-tree.ts';
import type { SourceEntry, SourceTree } from '../platform/source-tree.ts';

/** Files read at the same time. More gains nothing: the disk's queue is full. */
const READS_AT_ONCE = 16;

/** Small files are read and parsed at once; after so many of them, signals and timers get a turn. */
const FILES_A_TURN = 32;

/** Reads every file of the tree once and seals what it is. Unreadable files are told as such. */
export const takeInventory = async (source: SourceTree): Promise<Inventory> => {
  const [listing, languages] = await Promise.all([source.list(), createLanguageTable()]);
  const limit = pLimit(READS_AT_ONCE);
  const files = await limit.map(listing.entries, async (entry, index) => {
    if (index % FILES_A_TURN === 0) await nextTurn();
    return inspect(source, languages, entry);
  });
  return deriveInventory(files, listing);
};

/**
 * Parses the included files that a parser of ours knows. Their bytes must still be those of the
 * inventory: what is not is reported and has no facts.
 */
export const readModules = async (
  source: Pick<SourceTree, 'read'>,
  inventory: Inventory,
  disposition: Disposition,
): Promise<{
  readonly modules: ReadonlyMap<string, ModuleFacts>;
  readonly drifted: readonly Drift[];
}> => {
  const limit = pLimit(READS_AT_ONCE);
  const drifted: Drift[] = [];
  const candidates = includedFiles(inventory, disposition).filter(({ language }) =>
    isModuleLanguage(language),
  );
  const read = await limit.map(candidates, async (file, index) => {
    if (index % FILES_A_TURN === 0) await nextTurn();
    const bytes = await source.read(file.path).catch(() => undefined);
    const drift = driftOf(file, bytes);
    if (drift !== undefined) drifted.push(drift);
    return bytes === undefined || drift !== undefined
      ? undefined
      : ([file.path, extractModule(file.path, textOf(bytes))] as const);
  });
  return {
    modules: new Map(read.filter((entry) => entry !== undefined)),
    drifted: drifted.toSorted((left, right) => compareText(left.path, right.path)),
  };
};

const driftOf = (file: InventoryFile, bytes: Uint8Array | undefined): Drift | undefined => {
  if (file.digest === undefined) return undefined;
  if (bytes === undefined) return { path: file.path, expected: file.digest };
  const found = digestOfBytes(bytes);
  return found === file.digest ? undefined : { path: file.path, expected: file.digest, found };
};

const inspect = async (
  source: SourceTree,
  languages: LanguageTable,
  entry: SourceEntry,
): Promise<InventoryFile> => {
  const { path, kind, tracked } = entry;
  const known = {
    path,
    kind,
    tracked,
    ...(entry.target === undefined ? {} : { target: entry.target }),
  };
  if (kind !== 'file') return { ...known, ...NO_CONTENT };
  const read = await source.read(path).then(
    (bytes) => ({ bytes }),
    (error: unknown) => ({ code: codeOf(error) }),
  );
  if ('code' in read) return { ...known, ...NO_CONTENT, unreadable: read.code };
  const { head, ...content } = extractContent(read.bytes);
  return {
    ...known,
    ...content,
    marks: [...content.marks],
    language: content.encoding === 'text' ? languages.languageOf(path, head) : UNKNOWN_LANGUAGE,
    digest: digestOfBytes(read.bytes),
  };
};

const NO_CONTENT = {
  size: 0,
  lines: 0,
  encoding: 'none',
  language: UNKNOWN_LANGUAGE,
  marks: [],
} as const satisfies Partial<InventoryFile>;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : String(error);
