import { confidence, SEVERITIES } from '../domain/vocabulary.ts';
import { isFields, isText, type Fields } from './audit-result-issue.ts';
import { parsedList } from './open-answer.ts';

/** A result of an answer with what can be read in one way only put right, and what that was. */
export type RepairedResult = { readonly part: unknown; readonly repairs: readonly string[] };

/**
 * Puts right how a result is written, never what it says: words of a fixed list in another letter case,
 * lines written as texts (`"12.0"`), lists written as texts, `null` for nothing, an empty list of findings
 * beside "clean". A verdict that is not there is never made up.
 */
export const repairResult = (part: unknown): RepairedResult => {
  const repairs: string[] = [];
  const result = isText(part) ? parsedObject(part, repairs) : part;
  if (!isFields(result)) return { part: result, repairs };
  const repaired: Record<string, unknown> = { ...result };
  repairWord(repaired, 'verdict', VERDICTS, '', repairs);
  const { findings } = repaired;
  if (isText(findings)) {
    const list = parsedList(findings);
    if (list !== findings) repairs.push('findings: a text that holds a list.');
    repaired['findings'] = list;
  }
  const isEmpty = Array.isArray(findings) && findings.length === 0;
  if (repaired['verdict'] === 'clean' && (isEmpty || findings === null)) {
    delete repaired['findings'];
    repairs.push('findings: an empty list beside a clean verdict.');
  }
  if (Array.isArray(repaired['findings'])) {
    repaired['findings'] = repaired['findings'].map((finding, index) =>
      isFields(finding)
        ? repairFinding(finding, `findings[${index}]`, repairs)
        : (finding as unknown),
    );
  }
  return { part: repaired, repairs };
};

const VERDICTS = ['clean', 'findings'];

const parsedObject = (text: string, repairs: string[]): unknown => {
  try {
    const value = JSON.parse(text) as unknown;
    if (!isFields(value)) return text;
    repairs.push('The result was a text that holds an object.');
    return value;
  } catch {
    return text;
  }
};

const repairFinding = (finding: Fields, at: string, repairs: string[]): Fields => {
  const repaired: Record<string, unknown> = { ...finding };
  repairWord(repaired, 'severity', SEVERITIES, `${at}.`, repairs);
  repairWord(repaired, 'confidence', confidence.options, `${at}.`, repairs);
  for (const field of ['line', 'endLine']) {
    const value = repaired[field];
    if (typeof value !== 'string' || !WHOLE_NUMBER.test(value)) continue;
    repaired[field] = Number(value);
    repairs.push(`${at}.${field}: a number written as a text.`);
  }
  for (const field of ['endLine', 'suggestion']) {
    if (repaired[field] !== null) continue;
    delete repaired[field];
    repairs.push(`${at}.${field}: null for nothing.`);
  }
  return repaired;
};

const WHOLE_NUMBER = /^\s*\d{1,7}(?:\.0+)?\s*$/;

const repairWord = (
  fields: Record<string, unknown>,
  field: string,
  words: readonly string[],
  at: string,
  repairs: string[],
): void => {
  const value = fields[field];
  if (typeof value !== 'string' || words.includes(value)) return;
  const word = value.trim().toLowerCase();
  if (!words.includes(word)) return;
  fields[field] = word;
  repairs.push(`${at}${field}: "${word}" in other letters.`);
};
