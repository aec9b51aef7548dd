import { lstat, realpath, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { auditId, type AuditId } from '../domain/ids.ts';
import { UsageError } from '../domain/usage-error.ts';
import { evolveCommit } from '../decider/evolve.ts';
import { initialState, type AuditState } from '../decider/state.ts';
import type { Commit, LogPosition } from '../domain/commit.ts';
import { AUDITS_FOLDER, auditFiles, type AuditFiles } from '../engine/audit-files.ts';
import type { Disk } from '../platform/disk.ts';
import { isTrackedByGit, STATE_FOLDER } from '../platform/git-source-tree.ts';
import { isWithin } from '../platform/is-within.ts';
import { refuseLinkedFolders } from './own-folders.ts';
import { hasLostItsLog } from '../store/empty-log.ts';
import { LogDamagedError, LogMissingError } from '../store/event-store.ts';
import { readLog, type LogReading } from '../store/read-log.ts';
import { listSegments } from '../store/segments.ts';
import { findRoot } from './find-root.ts';
import { terminal } from './terminal.ts';

/** The audited root and the folder of its audits, both absolute and without links. */
export type Place = { readonly root: string; readonly stateDirectory: string };

/**
 * Finds root and state directory, and says which root it is when nobody named it and it is not the
 * working folder.
 *
 * @throws {UsageError} when the root is no folder, when it lies in a state directory, when the state
 *   directory would contain it (nothing that casefile may ever clean can hold a user's files), or when
 *   a file is in its way.
 */
export const locate = async (
  named: string | undefined,
  stateDirectory: string | undefined,
): Promise<Place> => {
  const { root, because } = await findRoot(named);
  const given = resolve(stateDirectory ?? join(root, STATE_FOLDER));
  const state = await realPathOfMissing(given);
  if (isWithin(root, state)) {
    throw new UsageError(
      `The state directory ${state} contains the audited root ${root}.`,
      'Choose a folder beside it or below it with --state-dir.',
    );
  }
  await refuseFileOnTheWay(state);
  await refuseForeignFiles(root, given, state);
  if (because !== undefined) terminal.say(`The audited root is ${root}, ${because}.`);
  return { root, stateDirectory: state };
};

const refuseFileOnTheWay = async (state: string): Promise<void> => {
  for (let path = state; ; path = dirname(path)) {
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory() === true || path === dirname(path)) return;
    if (found === undefined) continue;
    throw new UsageError(
      `The state directory ${state} cannot be made: ${path} is no folder.`,
      'Choose another one with --state-dir.',
    );
  }
};

/**
 * State below the root must have been made here. What a repository brings along could name any
 * verdict, and its links could lead anywhere.
 *
 * @throws {UsageError} when git tracks files of it, or when the folder is a link.
 */
const refuseForeignFiles = async (root: string, given: string, real: string): Promise<void> => {
  if (!isWithin(given, root)) return;
  if (given !== real && (await lstat(given).catch(() => undefined))?.isSymbolicLink() === true) {
    throw new UsageError(
      `The state directory ${given} is a link to ${real}.`,
      'Name the real folder with --state-dir, or remove the link.',
    );
  }
  if (!(await isTrackedByGit(root, relative(root, given)))) return;
  throw new UsageError(
    `Files of the state directory ${given} came with the repository: git tracks them. An audit that comes with what it audits proves nothing.`,
    'Remove them (git rm -r --cached .casefile, then delete the folder), or choose another place with --state-dir.',
  );
};

/** Links resolved as far as the path exists. */
const realPathOfMissing = async (path: string): Promise<string> => {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined) return real;
  const parent = dirname(path);
  return parent === path ? path : join(await realPathOfMissing(parent), relative(parent, path));
};

/**
 * Where the copies of audits' files lie: outside the tree and in no work tree of git, since under
 * one linters and search tools leave out what is ignored, and agents climb to settings above.
 *
 * @throws {UsageError} when neither the cache nor the folder for temporary files will do.
 */
export const frozenBase = async (root: string): Promise<string> => {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  for (const folder of [cache, tmpdir()]) {
    const base = await realPathOfMissing(resolve(folder));
    if (!isWithin(base, root) && !(await isInWorkTree(base))) {
      return join(base, 'casefile');
    }
  }
  throw new UsageError(
    `The copy of the files can lie neither in ${cache} nor in ${tmpdir()}: both are inside a git work tree or the audited root.`,
    'Set XDG_CACHE_HOME to a folder outside of them.',
  );
};

const isInWorkTree = async (folder: string): Promise<boolean> => {
  const found = await stat(join(folder, '.git')).catch(() => undefined);
  if (found !== undefined) return true;
  const parent = dirname(folder);
  return parent !== folder && isInWorkTree(parent);
};

/** Ids of the audits in a state directory, the oldest first. */
export const listAudits = async (
  disk: Disk,
  { stateDirectory }: Place,
): Promise<readonly AuditId[]> => {
  const names = await disk.list(join(stateDirectory, AUDITS_FOLDER)).catch(missingAs([]));
  return names.map((name) => auditId.safeParse(name)).flatMap(({ data }) => (data ? [data] : []));
};

/** The newest audit's folder, and whether anything of a log stands there: the folder is made before. */
export type NewestFolder = { readonly audit: AuditId | undefined; readonly hasLog: boolean };

export const newestFolder = async (disk: Disk, place: Place): Promise<NewestFolder> => {
  const audit = (await listAudits(disk, place)).at(-1);
  if (audit === undefined) return { audit, hasLog: false };
  const { directory } = auditFiles(place.stateDirectory, audit);
  const segments = await listSegments(disk, directory).catch((error: unknown) => {
    if (error instanceof LogMissingError) return [];
    throw error;
  });
  const [first] = segments;
  const bytes = first === undefined ? 0 : await disk.sizeOf(join(directory, first.file));
  return { audit, hasLog: (bytes ?? 0) > 0 };
};

const missingAs =
  <Value>(value: Value) =>
  (error: unknown): Value => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return value;
    throw error;
  };

/** A log as a reader sees it, folded. */
export type ReadAudit = {
  readonly audit: AuditId;
  readonly files: AuditFiles;
  readonly state: AuditState;
  readonly commits: readonly Commit[];
  readonly position: LogPosition;
  readonly tail: LogReading['tail'];
};

/**
 * Reads an audit without a lock and without writing.
 *
 * @returns undefined when its log holds no event yet (its creation was cut short).
 * @throws {LogDamagedError}, {NewerLogError}
 */
export const readAudit = async (
  disk: Disk,
  place: Place,
  audit: AuditId,
  until = Number.POSITIVE_INFINITY,
): Promise<ReadAudit | undefined> => {
  const files = auditFiles(place.stateDirectory, audit);
  await refuseLinkedFolders(place.stateDirectory, files);
  const reading = await readLog({ disk, directory: files.directory }).catch((error: unknown) => {
    if (error instanceof LogMissingError) return undefined;
    throw error;
  });
  if (reading === undefined || reading.commits.length === 0) {
    if (await hasLostItsLog(disk, files.directory)) {
      throw new LogDamagedError(
        `The log of audit ${audit} holds no event, though there are blobs that events named.`,
        { file: 'events', line: 1, seq: 1 },
      );
    }
    return undefined;
  }
  const state = initialState();
  for (const commit of reading.commits) {
    if (commit.seq > until) break;
    evolveCommit(state, commit);
  }
  return { audit, files, state, ...reading };
};

/** The newest audit that has begun. */
export const newestAudit = async (disk: Disk, place: Place): Promise<ReadAudit | undefined> => {
  for (const audit of (await listAudits(disk, place)).toReversed()) {
    const found = await readAudit(disk, place, audit);
    if (found !== undefined) return found;
  }
  return undefined;
};

/**
 * The audit whose id begins with what was given.
 *
 * @throws {UsageError} when there is none, or when there are several: then all are listed.
 */
export const auditNamed = async (disk: Disk, place: Place, prefix: string): Promise<AuditId> => {
  const audits = await listAudits(disk, place);
  const fitting = audits.filter((audit) => audit.startsWith(prefix));
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only;
  if (only === undefined) {
    throw new UsageError(
      `There is no audit ${prefix} in ${place.stateDirectory}.`,
      audits.length === 0
        ? 'Start one with: casefile run'
        : `The newest one is ${audits.at(-1) ?? ''}. All of them: casefile audits`,
    );
  }
  throw new UsageError(
    `Several audits begin with ${prefix}:\n${fitting.map((audit) => `    ${audit}`).join('\n')}`,
    'Give more of the one that is meant.',
  );
};

/**
 * The audit that a reading command is about: the newest, or the one that is named by the beginning
 * of its id.
 *
 * @throws {UsageError} when there is none.
 */
export const chosenAudit = async (
  disk: Disk,
  place: Place,
  prefix: string | undefined,
): Promise<ReadAudit> => {
  const found =
    prefix === undefined
      ? await newestAudit(disk, place)
      : await readAudit(disk, place, await auditNamed(disk, place, prefix));
  if (found !== undefined) return found;
  throw noAudit(place, prefix);
};

/**
 * The audit that a command is about which looks at its bytes, whatever they are: the one that is
 * named, or the newest that has a log at all.
 *
 * @throws {UsageError} when there is none.
 */
export const chosenLog = async (
  disk: Disk,
  place: Place,
  prefix: string | undefined,
): Promise<AuditId> => {
  const candidates =
    prefix === undefined ? await listAudits(disk, place) : [await auditNamed(disk, place, prefix)];
  for (const candidate of candidates.toReversed()) {
    if (await hasLog(disk, place, candidate)) return candidate;
  }
  throw noAudit(place, prefix);
};

const hasLog = async (disk: Disk, place: Place, audit: AuditId): Promise<boolean> => {
  const { directory } = auditFiles(place.stateDirectory, audit);
  try {
    await listSegments(disk, directory);
    return true;
  } catch (error) {
    if (error instanceof LogMissingError) return false;
    throw error;
  }
};

const noAudit = ({ stateDirectory }: Place, prefix: string | undefined): UsageError =>
  prefix === undefined
    ? new UsageError(`There is no audit in ${stateDirectory}.`, 'Start one with: casefile run')
    : new UsageError(
        `Audit ${prefix} in ${stateDirectory} holds no event: its creation was cut short.`,
        'Nothing of it is lost, since nothing had begun. Start one with: casefile run',
      );
