import { compareText } from '../../src/std/canonical-json.ts';
import type { Disk, DiskFile } from '../../src/platform/disk.ts';
import { createSeededRandom } from './seeded-random.ts';
import {
  afterPowerCut,
  change,
  copyContent,
  drawMood,
  dropSome,
  emptyContent,
  settle,
} from './simulated-content.ts';
import type { Content } from './simulated-content.ts';

/**
 * A disk in memory that can lose everything the real one may lose.
 *
 * Each operation has an ordinal from 1. From the ordinal `crashAt` on nothing happens any more and
 * every operation rejects with SimulatedCrash, so a test lets its process run into it, drops it, and
 * goes on with the disk that `crash` gives:
 *
 *   kill    the process is gone, the machine lives: reads show what they showed, and what was not
 *           synced is still not durable
 *   power   of each file, ranges that were not synced are each kept, lost or garbled; the length is
 *           anything between; of each directory, changes that were not synced are each kept or lost
 *
 * No timers: the whole engine runs over it thousands of times.
 */
export type SimulatedDisk = Disk & {
  /** What was asked of it, in order; the ordinal is the index + 1. */
  readonly operations: () => readonly Operation[];
  /** A new disk with one possible content after the end of the process or of the power. */
  readonly crash: (
    end: { readonly kind: 'kill' } | { readonly kind: 'power'; readonly seed: number },
    options?: SimulatedDiskOptions,
  ) => SimulatedDisk;
  /** Bytes of a file as reads show them, without an operation. */
  readonly peek: (path: string) => Uint8Array | undefined;
  /** Puts durable bytes into a file that exists or not, without an operation: damage for tests. */
  readonly poke: (path: string, bytes: Uint8Array) => void;
  /** Paths of all files, sorted. */
  readonly files: () => readonly string[];
};

export type Operation = {
  readonly ordinal: number;
  readonly kind: OperationKind;
  readonly path: string;
  /** Whether it can change the disk: stopping just before the others is the same as stopping later. */
  readonly changes: boolean;
};

export type OperationKind =
  | 'create'
  | 'open'
  | 'write'
  | 'size'
  | 'truncate'
  | 'datasync'
  | 'close'
  | 'readFile'
  | 'list'
  | 'mkdir'
  | 'link'
  | 'rename'
  | 'remove'
  | 'syncDirectory'
  | 'sizeOf';

export type SimulatedDiskOptions = {
  /** Chance of partial writes and failed syncs. */
  readonly seed?: number;
  readonly crashAt?: number;
  /** The error that an operation fails with, if any. */
  readonly fault?: (operation: Operation) => 'EIO' | 'ENOSPC' | undefined;
};

/** The process has ended here. Nothing may catch it to go on. */
export class SimulatedCrash extends Error {
  override readonly name = 'SimulatedCrash';
}

type FileNode = { readonly kind: 'file'; readonly content: Content };
type Entries = Map<string, Node>;
type EntryChange = { readonly name: string; readonly node: Node | undefined };
type DirectoryNode = {
  readonly kind: 'directory';
  readonly shown: Entries;
  readonly durable: Entries;
  /** Changes that were not synced; those of one group happen together or not at all. */
  readonly changes: (readonly EntryChange[])[];
};
type Node = FileNode | DirectoryNode;

const READING = new Set<OperationKind>(['open', 'size', 'close', 'readFile', 'list', 'sizeOf']);

/** A sync takes a few turns, so that other work happens beside it, as in life. */
const SYNC_TURNS = 4;

export const createSimulatedDisk = (options: SimulatedDiskOptions = {}): SimulatedDisk =>
  diskOver(emptyDirectory(), options);

const diskOver = (root: DirectoryNode, options: SimulatedDiskOptions): SimulatedDisk => {
  const random = createSeededRandom(options.seed ?? 0);
  const log: Operation[] = [];
  let isDead = false;

  const operate = async <T>(
    kind: OperationKind,
    path: string,
    effect: () => T,
    failing?: () => void,
  ): Promise<T> => {
    if (isDead || log.length + 1 >= (options.crashAt ?? Infinity)) {
      isDead = true;
      throw new SimulatedCrash(`The process has ended at operation ${log.length + 1}.`);
    }
    const operation = { ordinal: log.length + 1, kind, path, changes: !READING.has(kind) };
    log.push(operation);
    for (let turn = kind === 'datasync' ? SYNC_TURNS : 1; turn > 0; turn -= 1) {
      await Promise.resolve();
      if (isDead) throw new SimulatedCrash('The process has ended during an operation.');
    }
    const code = options.fault?.(operation);
    if (code === undefined) return effect();
    failing?.();
    throw failure(code, kind, path);
  };

  const handleOf = (path: string, { content }: FileNode): DiskFile => ({
    write: (bytes, position) => {
      const copy = Uint8Array.from(bytes);
      const write = (part: Uint8Array): void =>
        change(content, { kind: 'write', position, bytes: part });
      return operate(
        'write',
        path,
        () => write(copy),
        () => write(copy.subarray(0, random.below(copy.length + 1))),
      );
    },
    size: () => operate('size', path, () => content.shown.length),
    truncate: (length) =>
      operate('truncate', path, () => change(content, { kind: 'truncate', length })),
    datasync: () => {
      // What is written while the sync runs is not part of it.
      const count = content.changes.length;
      return operate(
        'datasync',
        path,
        () => settle(content, count),
        () => dropSome(content, count, random),
      );
    },
    close: () => operate('close', path, () => undefined),
  });

  const disk: Disk = {
    open: (path, mode) =>
      mode !== 'create'
        ? operate('open', path, () => handleOf(path, fileAt(root, path)))
        : operate('create', path, () => {
            const node: FileNode = { kind: 'file', content: emptyContent() };
            addEntry(root, path, node);
            return handleOf(path, node);
          }),
    readFile: (path) =>
      operate('readFile', path, () => Buffer.from(fileAt(root, path).content.shown)),
    list: (directory) =>
      operate('list', directory, () =>
        [...directoryAt(root, directory).shown.keys()].toSorted(compareText),
      ),
    makeDirectory: async (directory) => {
      const steps = partsOf(directory);
      let deepest = steps.length;
      const pathOf = (depth: number): string => `/${steps.slice(0, depth).join('/')}`;
      while (find(root, pathOf(deepest)) === undefined) deepest -= 1;
      directoryAt(root, pathOf(deepest));
      if (deepest > 0) await disk.syncDirectory(pathOf(deepest - 1));
      for (let depth = deepest + 1; depth <= steps.length; depth += 1) {
        await operate('mkdir', pathOf(depth), () => {
          if (find(root, pathOf(depth)) === undefined)
            addEntry(root, pathOf(depth), emptyDirectory());
        });
        await disk.syncDirectory(pathOf(depth - 1));
      }
    },
    link: (existing, added) =>
      operate('link', added, () => addEntry(root, added, fileAt(root, existing))),
    rename: (from, to) =>
      operate('rename', to, () => {
        const [source, oldName] = parentOf(root, from);
        const [target, newName] = parentOf(root, to);
        const node = source.shown.get(oldName);
        if (node === undefined) throw failure('ENOENT', 'rename', from);
        if (source === target) {
          changeEntries(source, [
            { name: oldName, node: undefined },
            { name: newName, node },
          ]);
        } else {
          changeEntries(target, [{ name: newName, node }]);
          changeEntries(source, [{ name: oldName, node: undefined }]);
        }
      }),
    remove: (path) =>
      operate('remove', path, () => {
        fileAt(root, path);
        const [directory, name] = parentOf(root, path);
        changeEntries(directory, [{ name, node: undefined }]);
      }),
    syncDirectory: (path) =>
      operate('syncDirectory', path, () => {
        const directory = directoryAt(root, path);
        for (const group of directory.changes.splice(0)) apply(directory.durable, group);
      }),
    sizeOf: (path) =>
      operate('sizeOf', path, () => {
        const node = find(root, path);
        return node?.kind === 'file' ? node.content.shown.length : node && 0;
      }),
  };

  return {
    ...disk,
    operations: () => log,
    crash: (end, next = {}) => {
      isDead = true;
      const after = end.kind === 'kill' ? killed() : powerCut(end.seed);
      return diskOver(after(root), next);
    },
    peek: (path) => {
      const node = find(root, path);
      return node?.kind === 'file' ? node.content.shown.slice() : undefined;
    },
    poke: (path, bytes) => {
      const [directory, name] = parentOf(root, path);
      const content = { shown: bytes.slice(), durable: bytes.slice(), changes: [] };
      const node: FileNode = { kind: 'file', content };
      directory.shown.set(name, node);
      directory.durable.set(name, node);
    },
    files: () => filesUnder(root, ''),
  };
};

type Survivor = <T extends Node>(node: T) => T;

/** A copy with everything that was not durable still not durable. */
const killed = (): Survivor =>
  copying(
    (node) => copyContent(node.content),
    (node, survivor) => {
      const entry = ({ name, node: child }: EntryChange): EntryChange => ({
        name,
        node: child && survivor(child),
      });
      const copy = (entries: Entries): Entries =>
        new Map([...entries].map(([name, child]) => [name, survivor(child)]));
      return {
        shown: copy(node.shown),
        durable: copy(node.durable),
        changes: node.changes.map((group) => group.map(entry)),
      };
    },
  );

const powerCut = (seed: number): Survivor => {
  const random = createSeededRandom(seed);
  const mood = drawMood(random);
  return copying(
    (node) => afterPowerCut(node.content, mood, random),
    (node, survivor) => {
      const entries = new Map(node.durable);
      for (const group of node.changes) {
        if (mood === 'keep' || (mood === 'mix' && random.oneIn(2))) apply(entries, group);
      }
      const left: Entries = new Map([...entries].map(([name, child]) => [name, survivor(child)]));
      return { shown: left, durable: new Map(left), changes: [] };
    },
  );
};

/** Copies a tree once a node, so that two names of one file stay two names of one file. */
const copying = (
  fileCopy: (node: FileNode) => Content,
  directoryCopy: (node: DirectoryNode, survivor: Survivor) => Omit<DirectoryNode, 'kind'>,
): Survivor => {
  const copies = new Map<Node, Node>();
  const survivor = <T extends Node>(node: T): T => {
    const known = copies.get(node);
    if (known !== undefined) return known as T;
    const copy: Node =
      node.kind === 'file'
        ? { kind: 'file', content: fileCopy(node) }
        : { kind: 'directory', ...directoryCopy(node, survivor) };
    copies.set(node, copy);
    return copy as T;
  };
  return survivor;
};

const emptyDirectory = (): DirectoryNode => ({
  kind: 'directory',
  shown: new Map(),
  durable: new Map(),
  changes: [],
});

const apply = (entries: Entries, group: readonly EntryChange[]): void => {
  for (const { name, node } of group) {
    if (node === undefined) entries.delete(name);
    else entries.set(name, node);
  }
};

const changeEntries = (directory: DirectoryNode, group: readonly EntryChange[]): void => {
  apply(directory.shown, group);
  directory.changes.push(group);
};

const addEntry = (root: DirectoryNode, path: string, node: Node): void => {
  const [directory, name] = parentOf(root, path);
  if (directory.shown.has(name)) throw failure('EEXIST', 'create', path);
  changeEntries(directory, [{ name, node }]);
};

const partsOf = (path: string): readonly string[] => path.split('/').filter((part) => part !== '');

const find = (root: DirectoryNode, path: string): Node | undefined => {
  let node: Node | undefined = root;
  for (const part of partsOf(path)) {
    if (node?.kind !== 'directory') return undefined;
    node = node.shown.get(part);
  }
  return node;
};

const fileAt = (root: DirectoryNode, path: string): FileNode => {
  const node = find(root, path);
  if (node === undefined) throw failure('ENOENT', 'open', path);
  if (node.kind === 'directory') throw failure('EISDIR', 'open', path);
  return node;
};

const directoryAt = (root: DirectoryNode, path: string): DirectoryNode => {
  const node = find(root, path);
  if (node === undefined) throw failure('ENOENT', 'open', path);
  if (node.kind === 'file') throw failure('ENOTDIR', 'open', path);
  return node;
};

const parentOf = (root: DirectoryNode, path: string): readonly [DirectoryNode, string] => {
  const cut = path.lastIndexOf('/');
  return [directoryAt(root, path.slice(0, cut)), path.slice(cut + 1)];
};

const filesUnder = (directory: DirectoryNode, path: string): readonly string[] =>
  [...directory.shown.entries()]
    .flatMap(([name, node]) =>
      node.kind === 'file' ? [`${path}/${name}`] : filesUnder(node, `${path}/${name}`),
    )
    .toSorted(compareText);

const failure = (code: string, operation: string, path: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${code}: ${operation} '${path}'`), { code });
