import { z } from 'zod';
import { processIdentity } from '../platform/process-identity.ts';
import type { Disk } from '../platform/disk.ts';
import { linkUnlessThere, writeNewFile } from '../platform/new-file.ts';
import { lastWriter } from './last-writer.ts';
import { WRITERS_FOLDER, youngestEpoch } from './writer-files.ts';

/**
 * Who may write to a log. The owner of epoch n is the file `writers/<n>`, which `link(2)` makes
 * visible complete and at most once; the largest n counts (W1, W2).
 *
 *     look ── n is released ── write and sync a file aside ── link it as n + 1 ── sync the folder
 *      ▲                                                         │
 *      └────────────────────── EEXIST: somebody was first ───────┘
 *
 * No file of `writers/` is ever deleted or renamed, so a number once taken stays taken, and a slow
 * competitor that decided on an old look cannot win any more. Temp file and rename over would let
 * both win; a lock of the operating system vanishes with network drives and says nothing afterwards.
 */
export const writerIdentity = processIdentity.extend({
  /** Tells two owners apart that have all else in common. */
  nonce: z.string().regex(/^[0-9a-zA-Z-]{8,64}$/),
});
export type WriterIdentity = z.infer<typeof writerIdentity>;

export type ClaimOptions = {
  readonly disk: Disk;
  /** The audit's folder. */
  readonly directory: string;
  readonly self: WriterIdentity;
  /** W3: proven dead, as seen from here. When in doubt, false. */
  readonly isOwnerDead: (owner: WriterIdentity) => boolean | Promise<boolean>;
  /** The operator says that the owner may be passed over. */
  readonly takeOver: boolean;
};

/** Why an epoch that nobody closed was passed over; people should hear of it. */
export type ClaimNotice = {
  readonly kind: 'owner-file-missing' | 'owner-file-malformed' | 'owner-dead' | 'taken-over';
  readonly epoch: number;
  readonly owner?: WriterIdentity;
};

export type Claim =
  | {
      readonly kind: 'claimed';
      readonly epoch: number;
      readonly notices: readonly ClaimNotice[];
    }
  | { readonly kind: 'owned'; readonly epoch: number; readonly owner: WriterIdentity };

/** Claims the next epoch of an audit, or tells who owns it. The log must be read afterwards (W1). */
export const claimEpoch = (options: ClaimOptions): Promise<Claim> =>
  claim(options, () => lastWriter(options.disk, options.directory));

export type CreationClaim =
  | (Claim & { readonly kind: 'owned' })
  | (Claim & {
      readonly kind: 'claimed';
      /** Lets the next one create. Without it, the claim ends with the process. */
      readonly release: () => Promise<void>;
    });

/**
 * Claims the right to create an audit in a state directory (W5): the same protocol in its own
 * `writers/`. There is no log to say that a claim is over, so an empty file `<n>.closed` does.
 */
export const claimCreation = async (options: ClaimOptions): Promise<CreationClaim> => {
  const { disk, directory } = options;
  const closed = (epoch: number): string => `${directory}/${WRITERS_FOLDER}/${epoch}.closed`;
  const result = await claim(options, async () => {
    const epoch = await youngestEpoch(disk, directory);
    return { epoch, isClosed: epoch > 0 && (await disk.sizeOf(closed(epoch))) !== undefined };
  });
  if (result.kind === 'owned') return result;
  const release = async (): Promise<void> => {
    const file = await disk.open(closed(result.epoch), 'create');
    await file.close();
    await disk.syncDirectory(`${directory}/${WRITERS_FOLDER}`);
  };
  return { ...result, release };
};

/** The largest epoch that something besides the files of `writers/` knows of. */
type KnownWriter = { readonly epoch: number; readonly isClosed: boolean };

const claim = async (options: ClaimOptions, known: () => Promise<KnownWriter>): Promise<Claim> => {
  const { disk, directory, self } = options;
  const writers = `${directory}/${WRITERS_FOLDER}`;
  const temporary = `${directory}/.writer-${self.nonce}`;
  await disk.makeDirectory(writers);
  let isWritten = false;
  try {
    for (;;) {
      const state = await look(options, await known());
      if (state.kind === 'owned') return state;
      if (!isWritten) await writeNewFile(disk, temporary, Buffer.from(`${JSON.stringify(self)}\n`));
      isWritten = true;
      const epoch = state.last + 1;
      if (await linkUnlessThere(disk, temporary, `${writers}/${epoch}`)) {
        await disk.syncDirectory(writers);
        return { kind: 'claimed', epoch, notices: state.notices };
      }
    }
  } finally {
    if (isWritten) await disk.remove(temporary);
  }
};

type Look =
  | { readonly kind: 'released'; readonly last: number; readonly notices: readonly ClaimNotice[] }
  | (Claim & { readonly kind: 'owned' });

/** W3: whether the largest epoch is released, and by what. */
const look = async (options: ClaimOptions, known: KnownWriter): Promise<Look> => {
  const { disk, directory, isOwnerDead, takeOver } = options;
  const holder = await holderOf(disk, directory, known);
  const { epoch } = holder;
  const released = (...notices: ClaimNotice[]): Look => ({
    kind: 'released',
    last: epoch,
    notices,
  });
  switch (holder.kind) {
    case 'nobody':
      return released();
    case 'missing':
      return released({ kind: 'owner-file-missing', epoch });
    case 'malformed':
      return released({ kind: 'owner-file-malformed', epoch });
    case 'process': {
      const { owner } = holder;
      if (await isOwnerDead(owner)) return released({ kind: 'owner-dead', epoch, owner });
      if (takeOver) return released({ kind: 'taken-over', epoch, owner });
      return { kind: 'owned', epoch, owner };
    }
  }
};

/** Who holds the largest epoch, by its file alone: whether that process lives is not looked at. */
export type EpochHolder =
  /** No epoch yet, or its writer has closed the log. */
  | { readonly kind: 'nobody' | 'missing' | 'malformed'; readonly epoch: number }
  | { readonly kind: 'process'; readonly epoch: number; readonly owner: WriterIdentity };

/** Looks who holds an audit, without claiming anything. */
export const epochHolder = async (disk: Disk, directory: string): Promise<EpochHolder> =>
  holderOf(disk, directory, await lastWriter(disk, directory));

const holderOf = async (
  disk: Disk,
  directory: string,
  known: KnownWriter,
): Promise<EpochHolder> => {
  const epoch = Math.max(await youngestEpoch(disk, directory), known.epoch);
  if (epoch === 0 || (known.isClosed && known.epoch === epoch)) return { kind: 'nobody', epoch };
  const owner = await readOwner(disk, `${directory}/${WRITERS_FOLDER}/${epoch}`);
  if (owner === 'missing' || owner === 'malformed') return { kind: owner, epoch };
  return { kind: 'process', epoch, owner };
};

const readOwner = async (
  disk: Disk,
  path: string,
): Promise<WriterIdentity | 'missing' | 'malformed'> => {
  let bytes: Uint8Array;
  try {
    bytes = await disk.readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing';
    throw error;
  }
  try {
    const owner = writerIdentity.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8')));
    return owner.success ? owner.data : 'malformed';
  } catch {
    return 'malformed';
  }
};
