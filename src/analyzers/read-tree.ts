import { setImmediate as nextTurn } from 'node:timers/promises';
import { compareText } from '../std/canonical-json.ts';
import { textOf } from '../pipeline/content.ts';
import { includedFiles, type Disposition } from '../pipeline/disposition.ts';
import { isExtracted } from '../pipeline/extract-file.ts';
import type { FileFacts } from '../pipeline/file-facts.ts';
import type { Inventory, InventoryFile } from '../pipeline/inventory.ts';
import { isManifest } from '../pipeline/manifests.ts';
import { digestOfBytes } from '../platform/bytes-digest.ts';
import { NO_CACHE, type ContentCache } from '../platform/content-cache.ts';
import type { Drift } from '../platform/frozen-tree.ts';
import type { SourceTree } from '../platform/source-tree.ts';
import { createKeptFacts } from './kept-facts.ts';

/** Small files are read and parsed at once; after so many of them, signals and timers get a turn. */
const FILES_A_TURN = 32;

/**
 * Parses the files that a parser of ours knows: the included ones, and manifests that say where
 * imports lead, included or not. Their bytes must still be those of the inventory: what is not is
 * reported and has no facts.
 *
 * @param cache of facts of the same contents; it changes nothing but the time that this takes.
 */
export const readModules = async (
  source: Pick<SourceTree, 'read'>,
  inventory: Inventory,
  disposition: Disposition,
  cache: ContentCache = NO_CACHE,
): Promise<{
  readonly modules: ReadonlyMap<string, FileFacts>;
  readonly drifted: readonly Drift[];
}> => {
  const kept = createKeptFacts(cache);
  const drifted: Drift[] = [];
  const modules = new Map<string, FileFacts>();
  for (const [index, file] of readable(inventory, disposition).entries()) {
    if (index % FILES_A_TURN === 0) await nextTurn();
    const { path, language } = file;
    const bytes = await source.read(path).catch(() => undefined);
    const drift = driftOf(file, bytes);
    if (drift !== undefined) drifted.push(drift);
    if (bytes === undefined || drift !== undefined || file.digest === undefined) continue;
    const { digest } = file;
    const facts = await kept.facts({ path, language, digest, text: () => textOf(bytes) });
    if (facts !== undefined) modules.set(path, facts);
  }
  await cache.save();
  return {
    modules,
    drifted: drifted.toSorted((left, right) => compareText(left.path, right.path)),
  };
};

const readable = (inventory: Inventory, disposition: Disposition): readonly InventoryFile[] => {
  const included = new Set(includedFiles(inventory, disposition).map(({ path }) => path));
  const steering = new Set(
    disposition.files
      .filter(({ path, status }) => status === 'excluded' && isManifest(path))
      .map(({ path }) => path),
  );
  return inventory.files.filter(
    ({ path, language, digest }) =>
      digest !== undefined &&
      ((included.has(path) && isExtracted(path, language)) || steering.has(path)),
  );
};

const driftOf = (file: InventoryFile, bytes: Uint8Array | undefined): Drift | undefined => {
  if (file.digest === undefined) return undefined;
  if (bytes === undefined) return { path: file.path, expected: file.digest };
  const found = digestOfBytes(bytes);
  return found === file.digest ? undefined : { path: file.path, expected: file.digest, found };
};
