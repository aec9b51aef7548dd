import { compareText } from '../std/canonical-json.ts';
import { sha256Hex } from '../std/digest.ts';
import { folderOf } from './tree-paths.ts';

export type Unit = { readonly id: string; readonly files: string[] };

/** More files than this are no piece that anybody has in mind at once. */
export const UNIT_FILES_MAX = 200;
/** Folders below a component that make units of their own. */
const UNIT_DEPTH = 2;

/**
 * Cuts files into units. A unit is a folder of a component, down to two levels, with all that lies
 * deeper. Only where such a folder holds more than `UNIT_FILES_MAX` files are its own folders units, and
 * so on; a flat folder of that size is cut by the first word of its files' names, and a word that
 * too many share by a digest of the name.
 *
 * An id is the folder (`.` for the root), with the word or the digest's number behind a `#`. So adding a
 * file moves no other file to another unit, as long as no folder passes the bound by it. Near-linear.
 *
 * @param components folders of packages, `''` for the root; in any order.
 * @returns sorted by id, files by path.
 */
export const cutIntoUnits = (paths: readonly string[], components: ReadonlySet<string>): Unit[] => {
  const below = new Map<string, number>();
  const direct = new Map<string, number>();
  for (const path of paths) {
    const folder = folderOf(path);
    direct.set(folder, (direct.get(folder) ?? 0) + 1);
    for (let at: string | undefined = folder; at !== undefined; at = outerOf(at)) {
      below.set(at, (below.get(at) ?? 0) + 1);
    }
  }
  const words = new Map<string, number>();
  for (const path of paths) {
    if ((direct.get(folderOf(path)) ?? 0) <= UNIT_FILES_MAX) continue;
    const key = wordKey(path);
    words.set(key, (words.get(key) ?? 0) + 1);
  }
  const folderUnits = new Map<string, string>();
  const units = new Map<string, string[]>();
  for (const path of paths) {
    const folder = folderOf(path);
    let unit = folderUnits.get(folder);
    if (unit === undefined) {
      unit = unitFolder(folder, components, below);
      folderUnits.set(folder, unit);
    }
    const isFlat = unit === folder && (direct.get(folder) ?? 0) > UNIT_FILES_MAX;
    const id = isFlat ? flatUnit(path, words.get(wordKey(path)) ?? 0) : unit || '.';
    const files = units.get(id);
    if (files === undefined) units.set(id, [path]);
    else files.push(path);
  }
  return [...units]
    .map(([id, files]) => ({ id, files: files.toSorted(compareText) }))
    .toSorted((left, right) => compareText(left.id, right.id));
};

const outerOf = (folder: string): string | undefined =>
  folder === '' ? undefined : folderOf(folder);

const unitFolder = (
  folder: string,
  components: ReadonlySet<string>,
  below: ReadonlyMap<string, number>,
): string => {
  const parts = folder === '' ? [] : folder.split('/');
  const upTo = (depth: number): string => parts.slice(0, depth).join('/');
  let depth = parts.length;
  while (depth > 0 && !components.has(upTo(depth))) depth -= 1;
  let end = Math.min(depth + UNIT_DEPTH, parts.length);
  while (end < parts.length && (below.get(upTo(end)) ?? 0) > UNIT_FILES_MAX) end += 1;
  return upTo(end);
};

/** `lib/userStore.js` → `lib#user`. */
const wordKey = (path: string): string => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const word = /^[^\p{L}\p{N}]*(\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|\p{L}+)/u.exec(name)?.[1];
  return `${folderOf(path) || '.'}#${(word ?? '').toLowerCase()}`;
};

const flatUnit = (path: string, sharing: number): string => {
  const key = wordKey(path);
  if (sharing <= UNIT_FILES_MAX) return key;
  // A power of four, so that growing does not cut anew each time.
  let digits = 1;
  while (sharing / 4 ** digits > UNIT_FILES_MAX / 2) digits += 1;
  const number = parseInt(sha256Hex(path).slice(0, 8), 16) % 4 ** digits;
  return `${key}#${number}`;
};
