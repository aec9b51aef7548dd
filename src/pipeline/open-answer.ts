import { z } from 'zod';
import { printable } from '../std/printable.ts';
import type { RejectionCode } from '../domain/vocabulary.ts';
import { isFields, isText } from './audit-result-issue.ts';
import { recoverDocument } from './recover-document.ts';

/** An answer whose envelope holds, or why nothing of it can be taken. */
export type OpenedAnswer =
  | (Opened & {
      readonly kind: 'opened';
      readonly results: readonly unknown[];
      /** Where the results stand: `results`, or nothing when the answer is the bare list. */
      readonly at: string;
    })
  /** The form of the predecessor: `AuditResult[]`, about tasks of any packets. */
  | (Opened & { readonly kind: 'audit-results'; readonly entries: readonly unknown[] })
  | Refused;

type Opened = {
  /** What was repaired before it could be read, a sentence each. */
  readonly repairs: readonly string[];
};

type Refused = {
  readonly kind: 'refused';
  readonly code: RejectionCode;
  readonly message: string;
};

/**
 * Opens the bytes that came back for a packet, without a look at the single results. What can be read in
 * one way only is repaired, and said: prose around it, a bare list, a list written as a text, a packet
 * that is not named (its tasks are, and a task is of one packet only).
 */
export const openAnswer = (bytes: Uint8Array, packet: string): OpenedAnswer => {
  const read = recoverDocument(bytes, ANSWERS);
  if (read.kind === 'unreadable') {
    return { kind: 'refused', code: 'unreadable-answer', message: `The answer is ${read.why}.` };
  }
  const repairs = [...read.repairs];
  if (Array.isArray(read.value)) {
    const entries: readonly unknown[] = read.value;
    const results = withContradictions(entries, read.others);
    if (!isOwnList(entries)) return { kind: 'audit-results', entries: results, repairs };
    repairs.push('It was the list of results alone.');
    return { kind: 'opened', results, at: '', repairs };
  }
  const whole = unwrap(read.value, repairs);
  const envelope = answerEnvelope.safeParse(whole);
  if (!envelope.success) return refused('wrong-shape', firstIssue(envelope.error));
  const marks = Object.keys(envelope.data).filter(
    (key) => key !== 'packet' && key !== 'results' && isSelfVerification(key),
  );
  if (marks[0] !== undefined) {
    return refused('self-verified', `${selfVerified(marks[0])}.`);
  }
  const { packet: named, results, ...more } = envelope.data;
  const [strange] = Object.keys(more);
  if (strange !== undefined) {
    return refused('wrong-shape', `The answer has a field "${printable(strange, 80)}" of its own.`);
  }
  if (named === undefined) repairs.push('It did not name its packet.');
  else if (named !== packet) {
    const message = `The answer is for packet "${printable(named, 80)}", not for ${packet}.`;
    return refused('wrong-packet', message);
  }
  return {
    kind: 'opened',
    results: withContradictions(results, read.others),
    at: 'results',
    repairs,
  };
};

const refused = (code: RejectionCode, message: string): Refused => ({
  kind: 'refused',
  code,
  message,
});

const resultsOf = (value: unknown): unknown => (isFields(value) ? value['results'] : value);

/** Documents that are looked for: an object with results, or a list of them. */
export const ANSWERS = {
  fits: (value: unknown): boolean => {
    const results = resultsOf(value);
    if (isFields(value)) {
      return (Array.isArray(results) && results.length > 0) || isText(results) || isFields(results);
    }
    return Array.isArray(results) && results.some((one) => taskOf(one) !== undefined);
  },
  listOf: resultsOf,
};

/** The task that a result in either form names. */
const taskOf = (result: unknown): string | undefined => {
  if (!isFields(result)) return undefined;
  const { task, task_id: other } = result;
  return isText(other) ? other : isText(task) ? task : undefined;
};

/** A list in our own form: none of its entries names its task as the predecessor's do. */
const isOwnList = (entries: readonly unknown[]): boolean =>
  entries.some((one) => isFields(one) && isText(one['task'])) &&
  !entries.some((one) => isFields(one) && isText(one['task_id']));

/** A list that is written as a text, and a single result that stands in no list. */
const unwrap = (value: unknown, repairs: string[]): unknown => {
  if (!isFields(value)) return value;
  const { results } = value;
  const list = isText(results) ? parsedList(results) : results;
  if (list !== results) repairs.push('Its results were a text that holds a list.');
  if (isFields(list)) repairs.push('Its only result stood in no list.');
  return { ...value, results: isFields(list) ? [list] : list };
};

/** The list that a text holds as JSON; else the text. */
export const parsedList = (text: string): unknown => {
  try {
    const value = JSON.parse(text) as unknown;
    return Array.isArray(value) ? value : text;
  } catch {
    return text;
  }
};

/**
 * The results of an answer, and of its drafts those that come to another verdict on a task: nobody can
 * tell which of the two is meant, so that both are judged and found to differ.
 */
const withContradictions = (
  results: readonly unknown[],
  others: readonly unknown[],
): readonly unknown[] => {
  if (others.length === 0) return results;
  const verdicts = new Map(results.map((one) => [taskOf(one), verdictOf(one)]));
  const contrary = others.flatMap((other) => {
    const list = resultsOf(other);
    return (Array.isArray(list) ? list : []).filter((one) => {
      const task = taskOf(one);
      return task !== undefined && verdicts.has(task) && verdicts.get(task) !== verdictOf(one);
    });
  });
  return [...results, ...(contrary as readonly unknown[])];
};

/** In the form of the predecessor a verdict is whether there are findings. */
const verdictOf = (result: unknown): unknown => {
  if (!isFields(result)) return undefined;
  const { verdict, findings } = result;
  return isText(verdict) ? verdict : Array.isArray(findings) && findings.length > 0;
};

/** The answer's own fields, its results not yet looked at. */
const answerEnvelope = z.looseObject({
  packet: z.string().optional(),
  results: z.array(z.unknown()).min(1),
});

/** The first thing that does not fit the schema, with its place in the answer. */
export const firstIssue = (error: z.ZodError): string => {
  const issue = error.issues[0];
  const at = issue?.path.map(String).join('.') ?? '';
  const where = at === '' ? 'The answer' : `"${printable(at, 120)}"`;
  return `${where} does not fit the schema: ${printable(issue?.message ?? 'unknown', 300)}.`;
};

/** Whether a field says that its writer has verified what it says: that is for a second pass to say. */
export const isSelfVerification = (field: string): boolean =>
  /^(?:is|was|has|self|already|manually)?[-_]?(?:verified|verification|confirmed|confirmation|validated|anchored|refuted|reproduced)(?:$|[-_A-Z])/i.test(
    field,
  );

export const selfVerified = (field: string): string =>
  `"${printable(field, 80)}" is not for its writer to say: findings are verified by somebody else`;
