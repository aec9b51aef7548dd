import { z } from 'zod';
import { evolveCommit } from '../decider/evolve.ts';
import { initialState, type AcceptedResult, type AuditState } from '../decider/state.ts';
import { storedResult, type TaskResult } from '../domain/finding.ts';
import type { AuditId, Digest, EventNumber, TaskId } from '../domain/ids.ts';
import type { Settings } from '../domain/settings.ts';
import { storedVerification, type StoredVerification } from '../domain/verification.ts';
import type { ProviderId } from '../domain/vocabulary.ts';
import type { Disk } from '../platform/disk.ts';
import { messageOf } from '../std/message-of.ts';
import type { BlobStore } from '../store/blob-store.ts';
import { createFileBlobStore } from '../store/file-blob-store.ts';
import { LogMissingError } from '../store/event-store.ts';
import { scanLog } from '../store/log-scan.ts';

/** What an earlier audit says of a task, and where it was reviewed first. */
export type EarlierResult = {
  readonly audit: AuditId;
  /** The event of that audit which brought the answer. */
  readonly event: EventNumber;
  /** Of the result as it was accepted there. */
  readonly digest: Digest;
  readonly provider: ProviderId;
  readonly result: Pick<TaskResult, 'verdict' | 'findings'> | StoredVerification;
};

export type EarlierResults = {
  readonly results: ReadonlyMap<TaskId, EarlierResult>;
  /** Audits that nothing is taken from, since they do not verify. */
  readonly unusable: readonly { readonly audit: AuditId; readonly reason: string }[];
};

/**
 * Looks for results of tasks in earlier audits; of several, the newest audit's counts. A task's id says
 * all that was asked, so the same id is the same question about the same content.
 *
 *     taken      results of agents, from audits with the same provider and model, of tasks that still
 *                hold there; whether the audit was finished does not matter
 *     not taken  what analyzers said; what went stale; anything of a log that does not verify (bytes,
 *                chain, legal history); a result whose blob is gone or damaged
 *
 * Reads only.
 *
 * @param given.audits the newest first.
 */
export const readEarlierResults = async (given: {
  readonly disk: Disk;
  readonly audits: readonly { readonly audit: AuditId; readonly directory: string }[];
  readonly wanted: ReadonlySet<TaskId>;
  readonly settings: Pick<Settings, 'provider' | 'model' | 'reviewer'>;
}): Promise<EarlierResults> => {
  const { disk, settings } = given;
  const results = new Map<TaskId, EarlierResult>();
  const unusable: { audit: AuditId; reason: string }[] = [];
  const missing = new Set(given.wanted);
  for (const { audit, directory } of given.audits) {
    if (missing.size === 0 || settings.reviewer !== 'agent') break;
    const state = await foldVerified(disk, directory).catch((error: unknown) => {
      if (!(error instanceof LogMissingError)) unusable.push({ audit, reason: messageOf(error) });
      return undefined;
    });
    if (state === undefined || !isSameReviewer(state.settings, settings)) continue;
    const blobs = createFileBlobStore({ disk, directory });
    for (const id of missing) {
      const accepted = acceptedBy(state, id, settings.provider);
      if (accepted === undefined) continue;
      const result = await readResult(blobs, accepted.blob.digest);
      if (result === undefined) continue;
      const {
        audit: first,
        event,
        digest,
      } = accepted.inherited ?? {
        audit,
        event: accepted.of,
        digest: accepted.blob.digest,
      };
      results.set(id, { audit: first, event, digest, provider: accepted.provider, result });
      missing.delete(id);
    }
  }
  return { results, unusable };
};

/** The state of a log of which every byte, number and link is as it must be. */
const foldVerified = async (disk: Disk, directory: string): Promise<AuditState> => {
  const state = initialState();
  await scanLog({
    disk,
    directory,
    checkChain: true,
    visit: (commit) => {
      evolveCommit(state, commit);
    },
  });
  return state;
};

const isSameReviewer = (
  earlier: Settings | undefined,
  { provider, model, reviewer }: Pick<Settings, 'provider' | 'model' | 'reviewer'>,
): boolean =>
  earlier?.provider === provider && earlier.model === model && earlier.reviewer === reviewer;

/** Answers that were handed in to an audit count as its provider's own. */
const acceptedBy = (
  state: AuditState,
  id: TaskId,
  provider: ProviderId,
): AcceptedResult | undefined => {
  const task = state.tasks.get(id);
  if (task?.status !== 'accepted' || task.result?.reviewer !== 'agent') return undefined;
  const { result } = task;
  return result.provider === provider || result.provider === 'handoff' ? result : undefined;
};

/** Undefined when the blob is gone, is not what its digest says, or holds something else. */
const readResult = async (
  blobs: BlobStore,
  digest: Digest,
): Promise<EarlierResult['result'] | undefined> => {
  try {
    const stored: unknown = JSON.parse(Buffer.from(await blobs.get(digest)).toString('utf8'));
    return z.union([storedResult, storedVerification]).parse(stored);
  } catch {
    return undefined;
  }
};
