import { join } from 'node:path';
import { z } from 'zod';
import type { Instant, PacketId } from '../domain/ids.ts';
import type { Disk } from '../platform/disk.ts';
import { readJson } from '../std/json-bytes.ts';
import type { AuditFiles } from './audit-files.ts';
import { createFile, writeDraft } from './replace-file.ts';

/** Says that a host works on a packet. Advice among hosts: what it protects from is double work. */
const claim = z.object({ host: z.string(), until: z.int() });
type Claim = z.infer<typeof claim>;

export type Claimed = {
  readonly packets: readonly PacketId[];
  /** When all others are with other hosts: the first instant at which one of them is free again. */
  readonly busyUntil: Instant | undefined;
};

/**
 * Picks packets for a host, first those that it has already. The log decides what counts: a claim that
 * is lost, or two hosts that take over an old claim at one moment, cost at most a second review, whose
 * answer is refused as a conflict or a repeat.
 *
 * @param given.packets open packets in the plan's order; at most `count` of them are picked.
 */
export const claimPackets = async (given: {
  readonly disk: Disk;
  readonly files: AuditFiles;
  /** Undefined: it claims nothing, and takes what others have claimed last. */
  readonly host: string | undefined;
  readonly packets: readonly PacketId[];
  readonly count: number;
  readonly now: Instant;
  readonly holdMs: number;
}): Promise<Claimed> => {
  const { disk, files, host, packets, count, now, holdMs } = given;
  const picked: PacketId[] = [];
  const busy: Instant[] = [];
  const claimed = new Set(await disk.list(files.handOffs).catch(missingAsNone));
  const seen = await Promise.all(
    packets.map(async (packet) => ({
      packet,
      of: claimed.has(claimName(packet)) ? await readClaim(disk, files, packet) : undefined,
    })),
  );
  // A claim that outlasts what a host may take was made by a wrong clock, or by hand.
  const isOthers = (of: Claim | undefined): of is Claim =>
    of !== undefined && of.until > now && of.until <= now + holdMs && of.host !== host;
  if (host === undefined) {
    const freeFirst = seen.toSorted(
      (left, right) => Number(isOthers(left.of)) - Number(isOthers(right.of)),
    );
    return { packets: freeFirst.slice(0, count).map(({ packet }) => packet), busyUntil: undefined };
  }
  const next = { host, until: now + holdMs };
  const mineFirst = seen.toSorted(
    (left, right) => Number(right.of?.host === host) - Number(left.of?.host === host),
  );
  for (const { packet, of } of mineFirst) {
    if (picked.length === count) break;
    if (isOthers(of)) busy.push(of.until);
    else if (await take(disk, files, packet, next, of !== undefined)) picked.push(packet);
  }
  return {
    packets: picked,
    busyUntil: picked.length > 0 || busy.length === 0 ? undefined : Math.min(...busy),
  };
};

/** All in one folder: a look into it tells which packets are claimed, however many there are. */
const claimPath = (files: AuditFiles, packet: PacketId): string =>
  join(files.handOffs, claimName(packet));

const claimName = (packet: PacketId): string => `${packet}.claim`;

const missingAsNone = (error: unknown): readonly string[] => {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
  throw error;
};

/** A damaged claim, or what is none: it is replaced like one that ran out. */
const NOBODYS: Claim = { host: '', until: 0 };

const readClaim = async (
  disk: Disk,
  files: AuditFiles,
  packet: PacketId,
): Promise<Claim | undefined> => {
  let bytes: Uint8Array;
  try {
    bytes = await disk.readFile(claimPath(files, packet));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : NOBODYS;
  }
  const read = readJson(bytes);
  return (read.kind === 'read' ? claim.safeParse(read.value).data : undefined) ?? NOBODYS;
};

/**
 * @param isReplaced whether a claim lay there that may be passed over; else the first to make the file
 *   has the packet. A claim is made whole and then made visible: nobody sees half of one.
 * @returns false when another host was first.
 */
const take = async (
  disk: Disk,
  files: AuditFiles,
  packet: PacketId,
  content: Claim,
  isReplaced: boolean,
): Promise<boolean> => {
  const path = claimPath(files, packet);
  await disk.makeDirectory(files.handOffs);
  const bytes = Buffer.from(`${JSON.stringify(content)}\n`);
  if (!isReplaced) return createFile(disk, path, bytes);
  const draft = await writeDraft(disk, path, bytes);
  try {
    await disk.rename(draft, path);
  } catch {
    // Something that is no file stands there. A claim is advice: the packet is offered without.
    await disk.remove(draft).catch(() => undefined);
    return true;
  }
  return (await readClaim(disk, files, packet))?.host === content.host;
};
