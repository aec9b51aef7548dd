import type { Commit } from '../../src/domain/commit.ts';
import { openFileEventStore } from '../../src/store/file-event-store.ts';
import type { FileEventStore } from '../../src/store/file-event-store.ts';
import { claimEpoch } from '../../src/store/writer-epoch.ts';
import { appendNext, collect, sampleDraft, writerClosedDraft } from './log-samples.ts';
import type { SimulatedDisk } from './simulated-disk.ts';

export const AUDIT = '/state/audits/a';

/** Short, so that a few commits make several segments. */
const SEGMENT_BYTES = 900;

export const identityOf = (pid: number) => ({
  pid,
  startTime: String(pid),
  bootId: 'boot',
  pidNamespace: 'pid:[1]',
  host: 'here',
  nonce: `nonce-${String(pid).padStart(4, '0')}`,
});

/** One process's life over an audit's log, up to its end or to the crash of its disk. */
export type Life = {
  /** What it found when it had opened the log; undefined when it did not get so far. */
  found?: readonly Commit[];
  recovered?: FileEventStore['recovered'];
  /** Everything it handed in, in order, with what was found before it. */
  readonly handedIn: string[];
  /** What it was told to be durable. */
  readonly acknowledged: Commit[];
};

export const live = async (
  disk: SimulatedDisk,
  pid: number,
  groups: readonly number[],
): Promise<Life> => {
  const life: Life = { handedIn: [], acknowledged: [] };
  // What the disk's crash or fault ends, ends this life: that is the point.
  await work(disk, pid, groups, life).catch((error: unknown) => {
    if (!isDiskError(error)) throw error;
  });
  return life;
};

const work = async (
  disk: SimulatedDisk,
  pid: number,
  groups: readonly number[],
  life: Life,
): Promise<void> => {
  const claim = await claimEpoch({
    disk,
    directory: AUDIT,
    self: identityOf(pid),
    isOwnerDead: () => true,
    takeOver: false,
  });
  if (claim.kind === 'owned') throw new Error('The owner is dead, and its epoch is not given.');
  const { epoch } = claim;
  const store = await openFileEventStore({
    disk,
    directory: AUDIT,
    epoch,
    mode: 'create',
    segmentBytesMax: SEGMENT_BYTES,
  });
  life.found = await collect(store.read());
  life.recovered = store.recovered;
  const append = async (draft = sampleDraft(store.head().seq + 1)): Promise<void> => {
    const appended = appendNext(store, epoch, draft);
    life.handedIn.push(keyOf({ seq: store.head().seq, at: draft.at, epoch }));
    life.acknowledged.push((await appended).commit);
  };
  for (const group of groups) {
    const results = await Promise.allSettled(Array.from({ length: group }, () => append()));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
  await append(writerClosedDraft(epoch));
  await store.close();
};

/** Commits of one event are told apart by this, over all lives. */
export const keyOf = ({ seq, at, epoch }: Pick<Commit, 'seq' | 'at' | 'epoch'>): string =>
  `${seq} ${at} ${epoch}`;

const isDiskError = (error: unknown): boolean =>
  error instanceof Error &&
  (['SimulatedCrash', 'StoreFailedError'].includes(error.name) ||
    ['EIO', 'ENOSPC'].includes((error as NodeJS.ErrnoException).code ?? ''));
