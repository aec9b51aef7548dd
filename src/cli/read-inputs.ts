import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import type { InputKind } from '../domain/events.ts';
import { packetId, type PacketId } from '../domain/ids.ts';
import { UsageError } from '../domain/usage-error.ts';
import { readNamedFile } from '../platform/read-regular-file.ts';
import { compareText } from '../std/canonical-json.ts';
import { readJson } from '../std/json-bytes.ts';
import { messageOf } from '../std/message-of.ts';
import { printable } from '../std/printable.ts';

/** A file that somebody hands in, read whole. */
export type InputFile = {
  /** As it was named. */
  readonly path: string;
  readonly kind: InputKind;
  readonly bytes: Uint8Array;
  /** The packet whose assigned place it lies in: `<packet>/answer.json` or `<packet>.json`. */
  readonly packet?: PacketId;
};

/** What the audit calls it: its name without folders (L6). */
export const inputName = (path: string): string => printable(basename(path), 200);

/** A file that is not handed in, and why. It stays where it is. */
export type LeftFile = {
  readonly path: string;
  readonly why: 'unexpected' | 'unreadable' | 'refused';
  readonly message: string;
};

export type ReadInputs = {
  readonly files: readonly InputFile[];
  readonly left: readonly LeftFile[];
};

/** What one file may have at most; more is no answer that anybody could have written. */
export const BYTES_MAX = 50_000_000;

/**
 * Reads answers from files and folders. Of a folder: its `*.json` in the order of their names, and
 * `answer.json` of its sub-folders, as hand-offs lie. One bad file does not stop the others.
 *
 * Of several files that answer one packet, the one in the packet's assigned place is read, and the
 * others are left alone (T07).
 *
 * @throws {UsageError} when nothing that was named can be read, or a folder holds no answers.
 */
export const readAnswers = async (paths: readonly string[]): Promise<ReadInputs> => {
  const files: InputFile[] = [];
  const left: LeftFile[] = [];
  const take = async (path: string, isNamed = false): Promise<void> => {
    try {
      files.push(await readInput(path, 'answers', isNamed));
    } catch (error) {
      left.push({ path, why: 'unreadable', message: messageOf(error) });
    }
  };
  for (const path of paths) {
    if (!(await isFolder(path))) await take(path, true);
    else for (const name of await answersIn(path)) await take(join(path, name));
  }
  const [first] = left;
  if (files.length === 0 && first !== undefined && paths.includes(first.path)) {
    throw new UsageError(
      `${first.path} cannot be read: ${first.message}`,
      'Name a file or a folder.',
    );
  }
  return leaveUnexpected(files, left);
};

export const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true;

/**
 * Reads one file that is handed in. A link is followed where a person has named it, and refused where
 * it was only found: a worker could have put it there.
 *
 * @throws Node's error, or one that says that it is a link, or too large.
 */
export const readInput = async (
  path: string,
  kind: InputKind,
  isNamed: boolean,
  bytesMax = BYTES_MAX,
): Promise<InputFile> => {
  const isLink = (await lstat(path)).isSymbolicLink();
  if (isLink && !isNamed) throw new Error('It is a link; name the file itself.');
  const bytes = await readNamedFile(path, bytesMax);
  const packet = assignedPacket(path);
  return { path, kind, bytes, ...(packet !== undefined && { packet }) };
};

const assignedPacket = (path: string): PacketId | undefined => {
  const name = basename(path);
  const place = name === 'answer.json' ? basename(dirname(resolve(path))) : name.slice(0, -5);
  return packetId.safeParse(place).data;
};

/** What lies beside answers and is none. */
const NO_ANSWER = /(\.schema|^packet)\.json$/i;

const answersIn = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new UsageError(
      `${folder} cannot be read: ${messageOf(error)}`,
      'Name a file or a folder.',
    );
  });
  const direct = entries
    .filter((entry) => !entry.isDirectory() && /\.json$/i.test(entry.name))
    .map(({ name }) => name)
    .filter((name) => !NO_ANSWER.test(name));
  const handOffs: string[] = [];
  for (const entry of entries.filter((inner) => inner.isDirectory())) {
    const inner = join(entry.name, 'answer.json');
    if ((await stat(join(folder, inner)).catch(() => undefined))?.isFile() === true) {
      handOffs.push(inner);
    }
  }
  const names = [...direct, ...handOffs].toSorted(compareText);
  if (names.length > 0) return names;
  throw new UsageError(
    `${folder} holds no answers.`,
    'Answers are files that end in .json, or <packet>/answer.json.',
  );
};

const namesPacket = z.looseObject({ packet: packetId });

/** Those in assigned places come first: what they say stands, whatever an array says beside them. */
const leaveUnexpected = (files: readonly InputFile[], left: readonly LeftFile[]): ReadInputs => {
  const assigned = new Map<PacketId, InputFile>();
  for (const file of files) {
    const rival = file.packet && assigned.get(file.packet);
    // `<packet>/answer.json` is the place of a hand-off; `<packet>.json` is as good without one.
    if (file.packet !== undefined && (rival === undefined || !isAnswerFile(rival))) {
      assigned.set(file.packet, file);
    }
  }
  const taken: InputFile[] = [];
  const unexpected: LeftFile[] = [];
  for (const file of files) {
    const named = file.packet ?? packetNamedIn(file);
    const rival = named === undefined ? undefined : assigned.get(named);
    if (rival === undefined || rival === file) taken.push(file);
    else {
      const message = `Packet ${named} has its answer in the assigned place, ${rival.path}; this one was left alone.`;
      unexpected.push({ path: file.path, why: 'unexpected', message });
    }
  }
  const isElsewhere = (file: InputFile): number => (file.packet === undefined ? 1 : 0);
  return {
    files: taken.toSorted((one, other) => isElsewhere(one) - isElsewhere(other)),
    left: [...left, ...unexpected],
  };
};

const isAnswerFile = ({ path }: InputFile): boolean => basename(path) === 'answer.json';

const packetNamedIn = ({ bytes }: InputFile): PacketId | undefined => {
  const read = readJson(bytes);
  return read.kind === 'read' ? namesPacket.safeParse(read.value).data?.packet : undefined;
};
