import type { Digest } from '../domain/ids.ts';
import { PIECE_BYTES } from '../pipeline/charset.ts';
import { createContentScan, textOf, type ContentFacts } from '../pipeline/content.ts';
import type { InventoryFile } from '../pipeline/inventory.ts';
import { UNKNOWN_LANGUAGE, type LanguageTable } from '../pipeline/language.ts';
import { isAboutTheTree, type InspectedFile } from '../pipeline/tree-rules.ts';
import { createBytesDigest } from '../platform/bytes-digest.ts';
import type { SourceEntry, SourceTree } from '../platform/source-tree.ts';

/** Reads an entry of the tree once, in bounded memory. What cannot be read is told as such. */
export const inspectFile = async (
  source: Pick<SourceTree, 'read' | 'scan'>,
  languages: LanguageTable,
  entry: SourceEntry,
): Promise<InspectedFile> => {
  const { path, kind, tracked, target, unreadable } = entry;
  const known = {
    path,
    kind,
    tracked,
    ...(target !== undefined && { target }),
    ...(unreadable !== undefined && { unreadable }),
  };
  if (kind !== 'file') return { file: { ...known, ...NO_CONTENT } };
  const read = await readContent(source, path).catch((error: unknown) => ({ code: codeOf(error) }));
  if ('code' in read) return { file: { ...known, ...NO_CONTENT, unreadable: read.code } };
  if (read.facts === undefined) return { file: { ...known, ...NO_CONTENT, size: read.size } };
  const { head, tail, ...content } = read.facts;
  const language =
    content.encoding === 'text' ? languages.languageOf(path, head, tail) : UNKNOWN_LANGUAGE;
  return {
    file: { ...known, ...content, marks: [...content.marks], language, digest: read.digest },
    ...(read.text !== undefined && { text: read.text }),
  };
};

/** Above this a file is not even read: a sparse file may claim more than any disk holds. */
const READ_BYTES_MAX = 1 << 30;

type Read =
  | { readonly facts: ContentFacts; readonly digest: Digest; readonly text?: string }
  | { readonly facts: undefined; readonly size: number };

const readContent = async (
  source: Pick<SourceTree, 'read' | 'scan'>,
  path: string,
): Promise<Read> => {
  const content = createContentScan();
  const digest = createBytesDigest();
  let text: string | undefined;
  const take = (piece: Uint8Array): void => {
    content.take(piece);
    digest.take(piece);
    // What needs more than one piece is nothing that a person keeps as rules.
    if (isAboutTheTree(path)) text = textOf(piece);
  };
  if (source.scan === undefined) {
    const bytes = await source.read(path);
    for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
      take(bytes.subarray(from, from + PIECE_BYTES));
    }
  } else {
    const limits = { pieceBytes: PIECE_BYTES, bytesMax: READ_BYTES_MAX };
    const { size, isTooLarge } = await source.scan(path, limits, take);
    if (isTooLarge) return { facts: undefined, size };
  }
  const facts = content.end();
  return {
    facts,
    digest: digest.end(),
    ...(text !== undefined && facts.size <= PIECE_BYTES && { text }),
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
