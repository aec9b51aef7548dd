import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { AuditId } from '../domain/ids.ts';
import { auditId } from '../domain/ids.ts';
import { UsageError } from '../domain/usage-error.ts';
import { auditFiles, AUDITS_FOLDER } from '../engine/audit-files.ts';
import { createFile } from '../engine/replace-file.ts';
import type { Disk } from '../platform/disk.ts';
import { isProvenDead, ownIdentity, processStartTime } from '../platform/process-identity.ts';
import { outputOf } from '../platform/subprocess.ts';
import type { Clock } from '../platform/clock.ts';
import { isoTime } from '../std/instant-text.ts';
import {
  claimCreation,
  claimEpoch,
  type ClaimNotice,
  type WriterIdentity,
} from '../store/writer-epoch.ts';
import { rememberOrigin } from './copies.ts';
import { frozenBase, newestFolder, type NewestFolder, type Place } from './locate.ts';

/** Somebody else owns the audit. Exit 3: it goes on without us. */
export class OwnedError extends Error {
  override readonly name = 'OwnedError';
}

export type Ownership = { readonly epoch: number; readonly notices: readonly string[] };

/** How long a door waits for an owner that is about to go (W5), and what tells the time. */
export type Patience = { readonly waitMs: number; readonly clock: Clock };

/**
 * Claims an audit's next epoch (W1 to W3).
 *
 * @param patience without it, an audit that has an owner is refused at once.
 * @throws {OwnedError} naming the owner.
 * @throws {UsageError} when the audit's folder cannot be written.
 */
export const ownAudit = async (
  disk: Disk,
  place: Place,
  audit: AuditId,
  takeOver: boolean,
  patience?: Patience,
): Promise<Ownership> => {
  const self = await writer();
  const { directory } = auditFiles(place.stateDirectory, audit);
  const isOwnerDead = (owner: WriterIdentity): Promise<boolean> =>
    isProvenDead(owner, self, startTimeOf);
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    const claim = await unlessReadOnly(directory, () =>
      claimEpoch({ disk, directory, self, isOwnerDead, takeOver }),
    );
    if (claim.kind === 'claimed') {
      return { epoch: claim.epoch, notices: claim.notices.map(noticeText) };
    }
    if (patience === undefined || waitedMs >= patience.waitMs) {
      throw owned(claim.owner, self, `audit ${audit}`, waitedMs);
    }
    const { clock } = patience;
    await clock.sleepUntil(clock.now() + LOOK_EVERY_MS, new AbortController().signal);
  }
};

/** Counted in looks and not by the clock, which may be set back or stand still while we wait. */
const LOOK_EVERY_MS = 100;

/**
 * Makes the folder of a new audit. Two processes that begin at once are told apart by the same link
 * protocol in the state directory (W5), which is held until the new log has begun.
 *
 * @param seen the newest audit when it was decided to begin one. One that had a folder and no log yet, and has
 *   one now, was begun meanwhile.
 * @throws {OwnedError} when another process begins an audit now, or has begun one since.
 */
export const createAudit = async (
  disk: Disk,
  place: Place,
  clock: Clock,
  seen: NewestFolder | undefined,
  takeOver: boolean,
): Promise<{ readonly audit: AuditId; readonly begun: () => Promise<void> } & Ownership> => {
  const { stateDirectory } = place;
  await prepareStateDirectory(disk, stateDirectory);
  const self = await writer();
  const claim = await unlessReadOnly(stateDirectory, () =>
    claimCreation({
      disk,
      directory: stateDirectory,
      self,
      isOwnerDead: (owner) => isProvenDead(owner, self, startTimeOf),
      takeOver,
    }),
  );
  if (claim.kind === 'owned') throw owned(claim.owner, self, 'the creation of an audit', 0);
  try {
    const newest = await newestFolder(disk, place);
    if (newest.audit !== seen?.audit || newest.hasLog !== (seen?.hasLog ?? false)) {
      throw new OwnedError(
        `Another process has begun audit ${newest.audit ?? ''} just now. Run again to go on with it.`,
      );
    }
    const audit = newAuditId(Math.max(clock.now(), instantOf(newest.audit) + 1));
    await disk.makeDirectory(join(stateDirectory, AUDITS_FOLDER, audit));
    const { epoch, notices } = await ownAudit(disk, place, audit, false);
    await rememberOrigin(await frozenBase(place.root), audit, stateDirectory);
    return { audit, epoch, notices, begun: claim.release };
  } catch (error) {
    await claim.release();
    throw error;
  }
};

/** Before anything is paid for: who cannot claim cannot record an answer either. */
const unlessReadOnly = async <Value>(
  directory: string,
  claim: () => Promise<Value>,
): Promise<Value> => {
  try {
    return await claim();
  } catch (error) {
    if (!CANNOT_WRITE.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new UsageError(
      `The state directory cannot be written (${directory}): ${String(error)}`,
      'Make it writable (a full disk needs space), or choose another one with --state-dir. Nothing was started.',
    );
  }
};

const CANNOT_WRITE: readonly string[] = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EFBIG'];

const prepareStateDirectory = async (disk: Disk, stateDirectory: string): Promise<void> => {
  try {
    await disk.makeDirectory(stateDirectory);
    const ignore = join(stateDirectory, '.gitignore');
    if ((await disk.sizeOf(ignore)) === undefined) {
      await createFile(disk, ignore, Buffer.from('*\n'));
    }
  } catch (error) {
    throw new UsageError(
      `The state directory ${stateDirectory} cannot be written: ${String(error)}`,
      'Make it writable, or choose another one with --state-dir.',
    );
  }
};

/** When an audit began, by its id; 0 for none. A clock that went back must not make a new one old. */
const instantOf = (audit: AuditId | undefined): number => {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z/.exec(audit ?? '');
  if (match === null) return 0;
  const [year = 0, month = 1, ...rest] = match.slice(1).map(Number);
  return Date.UTC(year, month - 1, ...(rest as [number, number, number, number, number]));
};

/** Sorts by the instant; the digits behind it tell audits of one millisecond apart. */
const newAuditId = (now: number): AuditId =>
  auditId.parse(`${isoTime(now).replaceAll(/[-:.]/g, '')}-${randomBytes(3).toString('hex')}`);

const writer = async (): Promise<WriterIdentity> => ({
  ...(await ownIdentity(outputOf)),
  nonce: randomUUID(),
});

const startTimeOf = (pid: number): Promise<string | undefined> => processStartTime(pid, outputOf);

const owned = (
  owner: WriterIdentity,
  self: WriterIdentity,
  what: string,
  waitedMs: number,
): OwnedError => {
  const still = waitedMs === 0 ? '' : ` still, after ${Math.round(waitedMs / 1000)} s`;
  const who = `Another process owns ${what}${still}: pid ${owner.pid} on ${owner.host}.`;
  // W3: another boot proves nothing, since two machines may have one name. People know which it is.
  const isBeforeRestart = owner.host === self.host && owner.bootId !== self.bootId;
  return new OwnedError(
    isBeforeRestart
      ? `${who} It began before this machine was started (or on another one of the same name). If it was this machine, it is gone: go on with --take-over.`
      : `${who} Wait for it, stop it (casefile stop), or take over with --take-over if it can never come back.`,
  );
};

const noticeText = ({ kind, epoch, owner }: ClaimNotice): string => {
  switch (kind) {
    case 'owner-file-missing':
      return `Writer ${epoch} left no owner file; the log was restored from elsewhere, perhaps.`;
    case 'owner-file-malformed':
      return `The owner file of writer ${epoch} is damaged; its place is taken.`;
    case 'owner-dead':
      return `The process that owned this audit (pid ${owner?.pid ?? 'unknown'}) is gone without closing the log; going on where it stopped.`;
    case 'taken-over':
      return `The audit was taken over from pid ${owner?.pid ?? 'unknown'} on ${owner?.host ?? 'an unknown host'}.`;
  }
};
