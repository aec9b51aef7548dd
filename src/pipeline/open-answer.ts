import { z } from 'zod';
import { readJson } from '../std/json-bytes.ts';
import { printable } from '../std/printable.ts';
import { answer } from '../domain/answer.ts';
import type { RejectionCode } from '../domain/vocabulary.ts';

/** An answer whose envelope holds, or why nothing of it can be taken. */
export type OpenedAnswer =
  | { readonly kind: 'opened'; readonly results: readonly unknown[] }
  /** The form of the predecessor: `AuditResult[]`, about tasks of any packets. */
  | { readonly kind: 'audit-results'; readonly entries: readonly unknown[] }
  | Refused;

type Refused = {
  readonly kind: 'refused';
  readonly code: RejectionCode;
  readonly message: string;
};

/** Opens the bytes that came back for a packet, without a look at the single results. */
export const openAnswer = (bytes: Uint8Array, packet: string): OpenedAnswer => {
  const read = readJson(bytes);
  if (read.kind === 'unreadable') {
    return { kind: 'refused', code: 'unreadable-answer', message: `The answer is ${read.why}.` };
  }
  if (Array.isArray(read.value)) return { kind: 'audit-results', entries: read.value };
  const whole = envelope.safeParse(read.value);
  if (!whole.success) {
    return { kind: 'refused', code: 'wrong-shape', message: firstIssue(whole.error) };
  }
  if (whole.data.packet !== packet) {
    const name = printable(whole.data.packet, 80);
    const message = `The answer is for packet "${name}", not for ${packet}.`;
    return { kind: 'refused', code: 'wrong-packet', message };
  }
  return { kind: 'opened', results: whole.data.results };
};

/** The answer's own fields, its results not yet looked at. */
const envelope = answer.extend({ results: z.array(z.unknown()).min(1) });

/** The first thing that does not fit the schema, with its place in the answer. */
export const firstIssue = (error: z.ZodError): string => {
  const issue = error.issues[0];
  const at = issue?.path.map(String).join('.') ?? '';
  const where = at === '' ? 'The answer' : `"${printable(at, 120)}"`;
  return `${where} does not fit the schema: ${printable(issue?.message ?? 'unknown', 300)}.`;
};
