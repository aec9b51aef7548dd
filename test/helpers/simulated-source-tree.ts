import { compareText } from '../../src/std/canonical-json.ts';
import type { SourceEntry, SourceListing, SourceTree } from '../../src/platform/source-tree.ts';

/** Text or bytes of a file, an error code that reading it gives, or another kind of entry. */
export type SimulatedFile =
  | string
  | Uint8Array
  | { readonly unreadable: string }
  | { readonly link: string }
  | { readonly kind: 'submodule' | 'other' };

export type SimulatedSourceTree = SourceTree & {
  /** Somebody edits the tree; undefined takes the file away. */
  readonly change: (path: string, file: SimulatedFile | undefined) => void;
  /** Reads so far. */
  readonly reads: () => number;
};

/** A tree in memory: the sibling of the one on a disk. Listed in git's way, all files tracked. */
export const createSimulatedSourceTree = (
  files: Readonly<Record<string, SimulatedFile>>,
): SimulatedSourceTree => {
  const content = new Map(Object.entries(files));
  let reads = 0;
  return {
    name: 'simulated',
    list: async (): Promise<SourceListing> => ({
      entries: [...content]
        .filter(([path]) => path !== '.casefile' && !path.startsWith('.casefile/'))
        .map(([path, file]) => entryOf(path, file))
        .toSorted((left, right) => compareText(left.path, right.path)),
      inventory: 'git',
    }),
    read: async (path) => {
      reads += 1;
      const file = content.get(path);
      if (typeof file === 'string') return new TextEncoder().encode(file);
      if (file instanceof Uint8Array) return file;
      const code = file === undefined ? 'ENOENT' : 'unreadable' in file ? file.unreadable : 'ELOOP';
      throw Object.assign(new Error(`${code}: ${path}`), { code });
    },
    change: (path, file) => {
      if (file === undefined) content.delete(path);
      else content.set(path, file);
    },
    reads: () => reads,
  };
};

const entryOf = (path: string, file: SimulatedFile): SourceEntry => {
  if (typeof file === 'string' || file instanceof Uint8Array || 'unreadable' in file) {
    return { path, kind: 'file', tracked: true };
  }
  return 'link' in file
    ? { path, kind: 'link', tracked: true, target: file.link }
    : { path, kind: file.kind, tracked: true };
};
