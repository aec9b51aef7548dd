import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../domain/usage-error.ts';
import { AUDITS_FOLDER, type AuditFiles } from '../engine/audit-files.ts';

/** What an audit's folder holds; each a folder of ours, or not there. */
const INNER = ['events', 'blobs', 'writers', 'attempts', 'report', 'hand-offs'];

/**
 * Refuses folders below a state directory that are links: what is written or cleaned there would lie
 * somewhere else. Whoever can write to the state, a worker or an archive, could have put one there.
 *
 * @param more further folders that are about to be written.
 * @throws {UsageError} naming the link.
 */
export const refuseLinkedFolders = async (
  stateDirectory: string,
  files: Pick<AuditFiles, 'directory'>,
  more: readonly string[] = [],
): Promise<void> => {
  const folder = await linkedFolder(stateDirectory, files, more);
  if (folder === undefined) return;
  throw new UsageError(
    `${folder} is a link; casefile keeps its own folders itself and follows none.`,
    'Remove the link. Nothing was read or written through it.',
  );
};

/** The first folder of an audit that is a link. */
export const linkedFolder = async (
  stateDirectory: string,
  { directory }: Pick<AuditFiles, 'directory'>,
  more: readonly string[] = [],
): Promise<string | undefined> => {
  const folders = [
    join(stateDirectory, AUDITS_FOLDER),
    directory,
    ...INNER.map((name) => join(directory, name)),
    ...more,
  ];
  for (const folder of folders) {
    const found = await lstat(folder).catch(() => undefined);
    if (found?.isSymbolicLink() === true) return folder;
  }
  return undefined;
};
