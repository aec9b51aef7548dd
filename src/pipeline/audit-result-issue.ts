import type { RejectionCode } from '../domain/vocabulary.ts';
import { shown } from '../std/shown.ts';

/** One thing that is wrong with one entry of an `AuditResult[]` array. */
export type AuditResultIssue = {
  /** An entry with a warning only can be taken. */
  readonly severity: 'error' | 'warning';
  /** Place of the entry in the array, from 0; -1 for the array itself. */
  readonly resultIndex: number;
  /** As the entry names it, or `result[i]`. */
  readonly taskId: string;
  /** Place within the entry: `findings[0].affected_files[1].line_start`. */
  readonly path: string;
  /** What the rejection of the entry is called when this is its first error. */
  readonly code: RejectionCode;
  /** One printable sentence that names path, value and rule. */
  readonly message: string;
};

/** Takes down an issue of the entry at hand. `rule` goes on after the path: "must be an array". */
export type Report = (
  path: string,
  rule: string,
  options?: { readonly code?: RejectionCode; readonly severity?: 'warning' },
) => void;

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A string that is not blank. */
export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '';

/** Whether a list of words holds a value. */
export const isOneOf = (words: readonly string[], value: unknown): boolean =>
  typeof value === 'string' && words.includes(value);

/** The entries of a list that must not be empty; of anything else none, and it is reported. */
export const entriesOf = (at: string, list: unknown, report: Report): readonly unknown[] => {
  if (Array.isArray(list) && list.length > 0) return list;
  report(at, `must be an array that is not empty, not ${shown(list)}`);
  return [];
};
