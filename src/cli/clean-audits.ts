import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditId } from '../domain/ids.ts';
import { AUDITS_FOLDER, auditFiles } from '../engine/audit-files.ts';
import { closeLog } from '../engine/close-log.ts';
import type { Clock } from '../platform/clock.ts';
import type { Disk } from '../platform/disk.ts';
import { folderSize } from '../platform/folder-size.ts';
import { NotRemovableError, REMOVED_PREFIX, removeFolder } from '../platform/remove-folder.ts';
import { listCopies, type Copy } from './copies.ts';
import { frozenBase, listAudits, readAudit, type Place, type ReadAudit } from './locate.ts';
import { OwnedError, ownAudit } from './own-audit.ts';
import { readAllAudits } from './read-all.ts';
import { tornTailText } from './torn-tail.ts';
import { TOOL_VERSION } from './version.ts';

export type CleanFlags = {
  /** Say what would go, and remove nothing. */
  readonly dryRun: boolean;
  /** Only the frozen copies. */
  readonly onlyCopies: boolean;
  /** Keep so many of the newest complete audits; undefined: all of them. */
  readonly keep: number | undefined;
};

export type Cleaned = {
  readonly kind: 'copy' | 'scratch' | 'audit' | 'leftover';
  readonly audit?: AuditId | undefined;
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
};

/** Why an audit or a folder was left alone. */
export type Kept = { readonly what: string; readonly reason: string };

export type Cleaning = {
  readonly removed: readonly Cleaned[];
  readonly kept: readonly Kept[];
  /** What its owner found: a dead process passed over, a torn tail cut and saved. */
  readonly notices: readonly string[];
};

/**
 * Removes what no audit needs any more.
 *
 *     frozen copies      of complete audits, and of audits of this state directory that are gone
 *     scratch folders    of attempts that have ended; what they brought is kept in blobs
 *     whole audits       complete ones beyond the newest `keep`, only when asked for
 *
 * Not the facts of contents (`facts` beside the copies): they serve all audits and keep their own bound.
 *
 * Never an unfinished audit, and nothing that another process owns: the epoch is claimed before
 * anything of an audit goes (W1), and the log is read again after it. What cannot be read is kept.
 */
export const cleanAudits = async (
  disk: Disk,
  clock: Clock,
  place: Place,
  flags: CleanFlags,
): Promise<Cleaning> => {
  const removed: Cleaned[] = [];
  const kept: Kept[] = [];
  const notices: string[] = [];
  // Copies before audits: an audit is there before its copy, so that none looks like one that is gone.
  const copies = await listCopies(await frozenBase(place.root));
  const ids = new Set(await listAudits(disk, place));
  const complete: AuditId[] = [];
  const readable: ReadAudit[] = [];
  for await (const reading of readAllAudits(disk, place)) {
    const { directory } = auditFiles(place.stateDirectory, reading.id);
    if ((await lstat(directory)).isSymbolicLink()) {
      kept.push({ what: `audit ${reading.id}`, reason: 'Its folder is a link.' });
    } else if (reading.kind === 'read') {
      readable.push({ ...reading.audit, commits: [] });
      if (reading.audit.state.completed !== undefined) complete.push(reading.id);
    } else {
      const reason =
        reading.kind === 'unreadable' ? reading.reason : 'Its creation was cut short, or goes on.';
      kept.push({ what: `audit ${reading.id}`, reason });
    }
  }
  const surplus = new Set(
    flags.keep === undefined || flags.onlyCopies
      ? []
      : complete.slice(0, Math.max(0, complete.length - flags.keep)),
  );
  const remove = async (one: Omit<Cleaned, 'bytes'>, within: string): Promise<boolean> => {
    const bytes = await folderSize(one.path);
    try {
      if (!flags.dryRun && !(await removeFolder(one.path, within))) return false;
      removed.push({ ...one, bytes });
      return true;
    } catch (error) {
      if (!(error instanceof NotRemovableError)) throw error;
      kept.push({ what: one.path, reason: error.message });
      return false;
    }
  };

  for (const audit of readable) {
    const wanted = await wantedOf(audit, copies, flags, surplus.has(audit.audit));
    if (wanted.length === 0) continue;
    const within = (one: Omit<Cleaned, 'bytes'>): string =>
      one.kind === 'copy' ? join(one.path, '..') : place.stateDirectory;
    if (flags.dryRun) {
      for (const one of wanted) await remove(one, within(one));
      continue;
    }
    const act = async (current: ReadAudit): Promise<boolean> => {
      const isStillSurplus = surplus.has(audit.audit) && current.state.completed !== undefined;
      const now = await wantedOf(current, copies, flags, isStillSurplus);
      let isGone = false;
      for (const one of now) {
        const isRemoved = await remove(one, within(one));
        isGone ||= isRemoved && one.kind === 'audit';
      }
      return isGone;
    };
    const outcome = await owning({ disk, clock, place, audit: audit.audit, notices }, act);
    if (outcome !== undefined) kept.push({ what: `audit ${audit.audit}`, reason: outcome });
  }

  for (const copy of copies) {
    if (copy.stateDirectory !== place.stateDirectory || ids.has(copy.audit)) continue;
    await remove({ kind: 'copy', audit: copy.audit, path: copy.folder }, join(copy.folder, '..'));
  }
  for (const path of flags.onlyCopies ? [] : await leftoversIn(place)) {
    await remove({ kind: 'leftover', path }, place.stateDirectory);
  }
  return { removed, kept, notices };
};

/** What of an audit may go, with the audit itself last: a copy without its audit would be nobody's. */
const wantedOf = async (
  { audit, state, files }: ReadAudit,
  copies: readonly Copy[],
  flags: CleanFlags,
  isSurplus: boolean,
): Promise<readonly Omit<Cleaned, 'bytes'>[]> => {
  const wanted: Omit<Cleaned, 'bytes'>[] = [];
  if (state.completed !== undefined) {
    for (const copy of copies) {
      if (copy.audit === audit) wanted.push({ kind: 'copy', audit, path: copy.folder });
    }
  }
  if (flags.onlyCopies) return wanted;
  if (isSurplus) return [...wanted, { kind: 'audit', audit, path: files.directory }];
  for (const token of await scratchIn(join(files.directory, 'attempts'))) {
    if (state.attempts.get(token)?.end === undefined) continue;
    wanted.push({ kind: 'scratch', audit, path: files.scratchOf(token) });
  }
  return wanted;
};

/** Tokens that have a scratch folder. */
const scratchIn = async (folder: string): Promise<readonly number[]> => {
  const names = await readdir(folder).catch(missingAsNone);
  return names.filter((name) => /^[1-9]\d{0,14}$/.test(name)).map(Number);
};

/** Folders that a killed cleaning had renamed and not removed yet. */
const leftoversIn = async ({ stateDirectory }: Place): Promise<readonly string[]> => {
  const found: string[] = [];
  const audits = join(stateDirectory, AUDITS_FOLDER);
  for (const name of await readdir(audits).catch(missingAsNone)) {
    const path = join(audits, name);
    if (name.startsWith(REMOVED_PREFIX)) found.push(path);
    const attempts = join(path, 'attempts');
    if ((await lstat(attempts).catch(() => undefined))?.isDirectory() !== true) continue;
    for (const inner of await readdir(attempts)) {
      if (inner.startsWith(REMOVED_PREFIX)) found.push(join(attempts, inner));
    }
  }
  return found;
};

const missingAsNone = (error: NodeJS.ErrnoException): readonly string[] => {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
  throw error;
};

/**
 * Does something to an audit as its owner, and closes its log well unless the audit is gone then.
 *
 * @returns why nothing was done, if another process owns it.
 */
const owning = async (
  given: {
    readonly disk: Disk;
    readonly clock: Clock;
    readonly place: Place;
    readonly audit: AuditId;
    readonly notices: string[];
  },
  act: (current: ReadAudit) => Promise<boolean>,
): Promise<string | undefined> => {
  const { disk, clock, place, audit, notices } = given;
  let epoch: number;
  try {
    const owned = await ownAudit(disk, place, audit, false);
    epoch = owned.epoch;
    notices.push(...owned.notices);
  } catch (error) {
    if (error instanceof OwnedError) return error.message;
    throw error;
  }
  const current = await readAudit(disk, place, audit);
  if (current === undefined) return 'Its log is gone.';
  const isGone = await act(current);
  if (isGone) return undefined;
  const { directory } = auditFiles(place.stateDirectory, audit);
  const recovered = await closeLog({ disk, clock, directory, epoch, tool: TOOL_VERSION });
  if (recovered.kind === 'torn') notices.push(tornTailText(recovered));
  return undefined;
};
