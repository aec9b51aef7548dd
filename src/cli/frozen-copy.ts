import { join } from 'node:path';
import type { AuditId } from '../domain/ids.ts';
import type { Inventory } from '../pipeline/inventory.ts';
import { freezeTree, openFrozenTree, type FrozenCopy } from '../platform/frozen-tree.ts';
import type { SourceTree } from '../platform/source-tree.ts';
import { frozenBase, type Place } from './locate.ts';

/** Where the copy of an audit's files lies. */
export const frozenFolder = async (place: Place, audit: AuditId): Promise<string> =>
  join(await frozenBase(place.root), audit, 'tree');

/** The copy of an audit's files: as it is there, or made again when the cache was cleaned. */
export const frozenCopy = async (
  place: Place,
  audit: AuditId,
  inventory: Inventory,
  source: SourceTree,
): Promise<FrozenCopy & { readonly folder: string }> => {
  const folder = await frozenFolder(place, audit);
  const copy =
    (await openFrozenTree(folder, inventory.inputDigest)) ??
    (await freezeTree({ source, inventory, folder }));
  return { ...copy, folder };
};
