import { z } from 'zod';
import { blockCause, question, waitsFor, type AuditEventOf } from './events.ts';

/** Why an audit cannot go on by itself, as every output tells it. */
export const toldBlocker = z.strictObject({
  cause: blockCause,
  message: z.string(),
  remedy: z.string(),
  waitsFor,
  question: question.optional(),
});
export type ToldBlocker = z.infer<typeof toldBlocker>;

export const tellBlocker = ({
  cause,
  message,
  remedy,
  waitsFor: what,
  question: asked,
}: Omit<AuditEventOf<'AuditBlocked'>, 'type' | 'at'>): ToldBlocker => ({
  cause,
  message,
  remedy,
  waitsFor: what,
  ...(asked !== undefined && { question: asked }),
});
