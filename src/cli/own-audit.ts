import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { AuditId } from '../domain/ids.ts';
import { auditId } from '../domain/ids.ts';
import { UsageError } from '../domain/usage-error.ts';
import { auditFiles, AUDITS_FOLDER } from '../engine/audit-files.ts';
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
import { listAudits, type Place } from './locate.ts';

/** Somebody else owns the audit. Exit 3: it goes on without us. */
export class OwnedError extends Error {
  override readonly name = 'OwnedError';
}

export type Ownership = { readonly epoch: number; readonly notices: readonly string[] };

/** Claims an audit's next epoch (W1 to W3). @throws {OwnedError} naming the owner. */
export const ownAudit = async (
  disk: Disk,
  place: Place,
  audit: AuditId,
  takeOver: boolean,
): Promise<Ownership> => {
  const self = await writer();
  const claim = await claimEpoch({
    disk,
    directory: auditFiles(place.stateDirectory, audit).directory,
    self,
    isOwnerDead: (owner) => isProvenDead(owner, self, startTimeOf),
    takeOver,
  });
  if (claim.kind === 'owned') throw owned(claim.owner, self, `audit ${audit}`);
  return { epoch: claim.epoch, notices: claim.notices.map(noticeText) };
};

/**
 * Makes the folder of a new audit. Two processes that begin at once are told apart by the same link
 * protocol in the state directory (W5), which is held until the new log has begun.
 *
 * @param seen the newest audit's folder when it was decided to begin one.
 * @throws {OwnedError} when another process begins an audit now, or has begun one since.
 */
export const createAudit = async (
  disk: Disk,
  place: Place,
  clock: Clock,
  seen: AuditId | undefined,
  takeOver: boolean,
): Promise<{ readonly audit: AuditId; readonly begun: () => Promise<void> } & Ownership> => {
  const { stateDirectory } = place;
  await prepareStateDirectory(disk, stateDirectory);
  const self = await writer();
  const claim = await claimCreation({
    disk,
    directory: stateDirectory,
    self,
    isOwnerDead: (owner) => isProvenDead(owner, self, startTimeOf),
    takeOver,
  });
  if (claim.kind === 'owned') throw owned(claim.owner, self, 'the creation of an audit');
  try {
    const newest = (await listAudits(disk, place)).at(-1);
    if (newest !== seen) {
      throw new OwnedError(
        `Another process has begun audit ${newest ?? ''} just now. Run again to go on with it.`,
      );
    }
    const audit = newAuditId(clock.now());
    await disk.makeDirectory(join(stateDirectory, AUDITS_FOLDER, audit));
    const { epoch, notices } = await ownAudit(disk, place, audit, false);
    return { audit, epoch, notices, begun: claim.release };
  } catch (error) {
    await claim.release();
    throw error;
  }
};

const prepareStateDirectory = async (disk: Disk, stateDirectory: string): Promise<void> => {
  try {
    await disk.makeDirectory(stateDirectory);
    const ignore = join(stateDirectory, '.gitignore');
    if ((await disk.sizeOf(ignore)) !== undefined) return;
    const file = await disk.open(ignore, 'create').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
      throw error;
    });
    await file?.write(Buffer.from('*\n'), 0);
    await file?.close();
  } catch (error) {
    throw new UsageError(
      `The state directory ${stateDirectory} cannot be written: ${String(error)}`,
      'Make it writable, or choose another one with --state-dir.',
    );
  }
};

/** Sorts by the instant; the digits behind it tell audits of one millisecond apart. */
const newAuditId = (now: number): AuditId =>
  auditId.parse(`${isoTime(now).replaceAll(/[-:.]/g, '')}-${randomBytes(3).toString('hex')}`);

const writer = async (): Promise<WriterIdentity> => ({
  ...(await ownIdentity(outputOf)),
  nonce: randomUUID(),
});

const startTimeOf = (pid: number): Promise<string | undefined> => processStartTime(pid, outputOf);

const owned = (owner: WriterIdentity, self: WriterIdentity, what: string): OwnedError => {
  const who = `Another process owns ${what}: pid ${owner.pid} on ${owner.host}.`;
  // W3: another boot proves nothing, since two machines may have one name. People know which it is.
  const isBeforeRestart = owner.host === self.host && owner.bootId !== self.bootId;
  return new OwnedError(
    isBeforeRestart
      ? `${who} It began before this machine was started (or on another one of the same name). If it was this machine, it is gone: go on with --take-over.`
      : `${who} Wait for it, stop it, or take over with --take-over if it can never come back.`,
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
