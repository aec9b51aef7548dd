import { z } from 'zod';

/**
 * Identities. All of them are minted by casefile: from content where two runs must agree on them,
 * from the clock only for audits. Workers never choose one.
 */

/** One audit; sorts by its start: `20261130T101400123Z-1f3c9a`. */
export const auditId = z
  .string()
  .regex(/^\d{8}T\d{9}Z-[0-9a-f]{6}$/)
  .brand<'AuditId'>();
export type AuditId = z.infer<typeof auditId>;

/** Digest of what is asked: kind, lens, the words of the question, unit and the content of the files. */
export const taskId = z
  .string()
  .regex(/^t-[0-9a-f]{16}$/)
  .brand<'TaskId'>();
export type TaskId = z.infer<typeof taskId>;

/** Digest of the tasks and of the prompt's content. */
export const packetId = z
  .string()
  .regex(/^p-[0-9a-f]{16}$/)
  .brand<'PacketId'>();
export type PacketId = z.infer<typeof packetId>;

/** Semantic fingerprint: rule or category, path, enclosing definition, anchor text, ordinal. */
export const findingId = z
  .string()
  .regex(/^f-[0-9a-f]{16}$/)
  .brand<'FindingId'>();
export type FindingId = z.infer<typeof findingId>;

/** What a limit belongs to; several providers or models may share one. */
export const accountId = z.string().min(1).max(100).brand<'AccountId'>();
export type AccountId = z.infer<typeof accountId>;

/** SHA-256, 64 lower-case hex digits. */
export const digest = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .brand<'Digest'>();
export type Digest = z.infer<typeof digest>;

/** A content-addressed blob: its SHA-256 and its size in bytes. */
export const blobRef = z.strictObject({ digest, bytes: z.int().nonnegative() });
export type BlobRef = z.infer<typeof blobRef>;

/** Milliseconds since 1970-01-01T00:00:00Z. Enters the core only as data. */
export const instant = z.int().nonnegative();
export type Instant = number;

/** Position of an event in the log, from 1; 0 means none. */
export const eventNumber = z.int().positive();
export type EventNumber = number;

/** The number of an attempt's `AttemptStarted`: it decides who may end the attempt (A3). */
export type Token = EventNumber;
