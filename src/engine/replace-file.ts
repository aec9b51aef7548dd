import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import type { Disk } from '../platform/disk.ts';
import { linkUnlessThere, writeNewFile } from '../platform/new-file.ts';

/**
 * Writes a file of which a reader sees the old bytes or the new ones, whole (R44): written aside,
 * synced, renamed over. What is there already and has these bytes is left alone.
 *
 * What a killed process left aside has a name of its own and is in nobody's way. Two processes that
 * write a view of the same log write the same bytes, so it does not matter who renames last.
 *
 * @param path absolute; its folder is there.
 */
export const replaceFile = async (disk: Disk, path: string, text: string): Promise<void> => {
  const bytes = Buffer.from(text);
  const present = await disk.readFile(path).catch(() => undefined);
  if (present !== undefined && bytes.equals(present)) return;
  const draft = await writeDraft(disk, path, bytes);
  await disk.rename(draft, path).catch(async (error: unknown) => {
    // Somebody swept up what was left aside; the same bytes are there, then.
    const written = await disk.readFile(path).catch(() => undefined);
    if (written !== undefined && bytes.equals(written)) return;
    await disk.remove(draft).catch(() => undefined);
    throw error;
  });
  await disk.syncDirectory(dirname(path));
};

/** A whole, synced file beside `path`, under a name that nobody else has. @returns the name. */
export const writeDraft = async (disk: Disk, path: string, bytes: Uint8Array): Promise<string> => {
  const draft = `${path}.${randomUUID()}.new`;
  await writeNewFile(disk, draft, bytes);
  return draft;
};

/**
 * Makes a file that is seen whole or not at all, whoever is killed on the way.
 *
 * @returns false when something had the name already; then that stays.
 */
export const createFile = async (disk: Disk, path: string, bytes: Uint8Array): Promise<boolean> => {
  const draft = await writeDraft(disk, path, bytes);
  try {
    return await linkUnlessThere(disk, draft, path);
  } finally {
    await disk.remove(draft);
  }
};

/** Whether a name is one that `writeDraft` gave to a draft of one of these files. */
export const isDraftOf = (name: string, files: readonly string[]): boolean =>
  files.some((file) => name.startsWith(`${file}.`) && DRAFT_END.test(name.slice(file.length)));

const DRAFT_END = /^\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.new$/;
