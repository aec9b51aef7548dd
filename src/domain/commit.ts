import { z } from 'zod';
import type { AuditEvent } from './events.ts';
import type { EventNumber, Instant } from './ids.ts';

/** The version of the log's format that this casefile writes. */
export const LOG_VERSION = 1;

/** Why a commit was made: the command, and the event that it answers. */
export type CommitCause = { readonly command: string; readonly of?: EventNumber | undefined };

/** One decision, as it is handed to the log: the log adds number, chain and checksum. */
export type CommitDraft = {
  readonly at: Instant;
  readonly cause: CommitCause;
  readonly events: readonly AuditEvent[];
  /** Dotted paths of the chart's state before and after (L3). */
  readonly from: string;
  readonly to: string;
};

/** One line of the log, read back. */
export type Commit = CommitDraft & {
  /** Number of the first event (L1). */
  readonly seq: EventNumber;
  readonly epoch: number;
  /** Last event number known to be synced when the line was encoded (L2). */
  readonly durable: EventNumber;
  /** First 16 hex digits of the SHA-256 of the line before (L4). */
  readonly prev: string;
};

/** Number of a commit's last event. */
export const lastNumberOf = (commit: Pick<Commit, 'seq' | 'events'>): EventNumber =>
  commit.seq + commit.events.length - 1;

/** Where a log stands: its last event number and the whole SHA-256 of its last line. */
export type LogPosition = { readonly seq: EventNumber; readonly hash: string };
export const LOG_START: LogPosition = { seq: 0, hash: '0'.repeat(64) };

export const commitEnvelope = z.looseObject({
  v: z.int().positive(),
  seq: z.int().positive(),
  at: z.iso.datetime({ precision: 3 }),
  epoch: z.int().positive(),
  durable: z.int().nonnegative(),
  cause: z.looseObject({ command: z.string(), of: z.int().positive().optional() }),
  from: z.string(),
  to: z.string(),
  prev: z.string().regex(/^[0-9a-f]{16}$/),
});
