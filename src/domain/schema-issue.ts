import type { z } from 'zod';
import { readJson } from '../std/json-bytes.ts';
import { printable } from '../std/printable.ts';
import { shown } from '../std/shown.ts';

/** A place in a document: `results[3].line_end`; the empty text is the document itself. */
export const issuePath = (path: readonly PropertyKey[]): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');

/**
 * One printable sentence that names path, value and rule of what a schema refused. The issue must come
 * from a parse with `reportInput: true`, or the value is not known.
 */
export const issueSentence = (issue: z.core.$ZodIssue, document: string): string => {
  const place = printable(issuePath(issue.path), 200);
  const where = place === '' ? document : `"${place}" of ${document}`;
  return `${where} is ${shown(issue.input)}: ${printable(issue.message, 300)}.`;
};

/** A document that holds, or why nothing of it is taken: one printable sentence. */
export type ReadDocument<Value> =
  | { readonly kind: 'ok'; readonly value: Value }
  | { readonly kind: 'refused'; readonly message: string };

/** Reads bytes of others as one JSON document of a schema. `document` names it: "the updates". */
export const readDocument = <Value>(
  bytes: Uint8Array,
  schema: z.ZodType<Value>,
  document: string,
): ReadDocument<Value> => {
  const refused = (message: string): ReadDocument<Value> => ({ kind: 'refused', message });
  const read = readJson(bytes);
  if (read.kind === 'unreadable') return refused(`${document} cannot be read: it is ${read.why}.`);
  const parsed = schema.safeParse(read.value, { reportInput: true });
  if (parsed.success) return { kind: 'ok', value: parsed.data };
  const [issue] = parsed.error.issues;
  return refused(issue === undefined ? `${document} do not fit.` : issueSentence(issue, document));
};
