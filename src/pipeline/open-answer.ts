import { z } from 'zod';
import { printable } from '../std/printable.ts';
import { answer } from '../domain/answer.ts';
import type { RejectionCode } from '../domain/vocabulary.ts';

/** An answer whose envelope holds, or why nothing of it can be taken. */
export type OpenedAnswer =
  { readonly kind: 'opened'; readonly results: readonly unknown[] } | Refused;

type Refused = {
  readonly kind: 'refused';
  readonly code: RejectionCode;
  readonly message: string;
};

/** Opens the bytes that came back for a packet, without a look at the single results. */
export const openAnswer = (bytes: Uint8Array, packet: string): OpenedAnswer => {
  const parsed = parseJson(bytes);
  if (parsed.kind === 'refused') return parsed;
  const whole = envelope.safeParse(parsed.value);
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

const parseJson = (
  bytes: Uint8Array,
): { readonly kind: 'parsed'; readonly value: unknown } | Refused => {
  const refused = (message: string): Refused => ({
    kind: 'refused',
    code: 'unreadable-answer',
    message,
  });
  if (bytes.length === 0) return refused('The answer is empty.');
  let text: string;
  try {
    // A byte-order mark is dropped by the decoder.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refused('The answer is not UTF-8.');
  }
  try {
    return { kind: 'parsed', value: JSON.parse(text) };
  } catch (error) {
    // Besides a SyntaxError also the RangeError of nesting without end.
    const why = error instanceof Error ? error.message : String(error);
    return refused(`The answer is not JSON: ${printable(why, 200)}`);
  }
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
