import { confidence, SEVERITIES } from '../domain/vocabulary.ts';
import { shown } from '../std/shown.ts';
import {
  entriesOf,
  isFields,
  isOneOf,
  isText,
  type Fields,
  type Report,
} from './audit-result-issue.ts';

type Context = {
  /** Declared paths, normalised, with their declared lines. */
  readonly coverage: ReadonlyMap<string, number>;
  /** The lens that findings must have, when it is known. */
  readonly lens: string | undefined;
  /** All that there are for it. */
  readonly lenses: readonly string[];
  readonly report: Report;
};

/**
 * C. The findings of one entry. False when they are no array: then nothing that stands after them can
 * be understood either.
 */
export const checkFindings = (findings: unknown, context: Context): boolean => {
  const { report } = context;
  if (!Array.isArray(findings)) {
    report('findings', `must be an array, not ${shown(findings)}`);
    return false;
  }
  for (const [index, finding] of findings.entries()) {
    const at = `findings[${index}]`;
    if (isFields(finding)) checkFinding(at, finding, context);
    else report(at, `must be an object, not ${shown(finding)}`);
  }
  return true;
};

const TEXTS = ['id', 'title', 'category', 'severity', 'confidence', 'lens', 'summary'];
const WORDS = { severity: SEVERITIES, confidence: confidence.options };

const checkFinding = (at: string, finding: Fields, context: Context): void => {
  const { report } = context;
  for (const field of TEXTS) {
    const value = finding[field];
    if (isText(value)) continue;
    report(`${at}.${field}`, `must be a text that is not blank, not ${shown(value)}`);
  }
  for (const [field, words] of Object.entries({ ...WORDS, lens: context.lenses })) {
    const value = finding[field];
    if (!isText(value) || isOneOf(words, value)) continue;
    report(`${at}.${field}`, `is ${shown(value)}; it must be one of ${words.join(', ')}`);
  }
  const places = finding['affected_files'];
  checkPlaces(`${at}.affected_files`, places, report);
  checkEvidence(`${at}.evidence`, finding['evidence'], report);
  if (!Array.isArray(places)) return;
  const { lens } = finding;
  if (context.lens !== undefined && isText(lens) && lens !== context.lens) {
    report(`${at}.lens`, `is ${shown(lens)}, and the task has ${shown(context.lens)}`);
  }
  for (const [index, place] of places.entries()) {
    if (isFields(place)) checkSpan(`${at}.affected_files[${index}]`, place, context);
  }
};

/** C5: places as such, whatever is covered. */
const checkPlaces = (at: string, places: unknown, report: Report): void => {
  for (const [index, place] of entriesOf(at, places, report).entries()) {
    const here = `${at}[${index}]`;
    if (!isFields(place)) {
      report(here, `must be an object, not ${shown(place)}`);
      continue;
    }
    const { path, line_start: start, line_end: end } = place;
    if (!isText(path)) {
      report(`${here}.path`, `must be a text that is not blank, not ${shown(path)}`);
    }
    for (const [field, line] of Object.entries({ line_start: start, line_end: end })) {
      if (line === undefined || Number.isInteger(line)) continue;
      report(`${here}.${field}`, `must be a whole number, not ${shown(line)}`);
    }
    if (isLine(start) && isLine(end) && start > end) {
      report(here, `ends at line ${end}, before its start at line ${start}`, {
        code: 'invalid-location',
      });
    }
  }
};

/** C6. What the texts look like is free. */
const checkEvidence = (at: string, evidence: unknown, report: Report): void => {
  const texts = entriesOf(at, evidence, report);
  for (const [index, text] of texts.entries()) {
    if (typeof text === 'string') continue;
    report(`${at}[${index}]`, `must be a text, not ${shown(text)}`);
  }
  if (texts.length > 0 && !texts.some(isText)) report(at, 'must hold a text that is not blank');
};

/** C8. Paths are compared as they stand; only the end of a span is held against the file's length. */
const checkSpan = (at: string, place: Fields, { coverage, report }: Context): void => {
  const { path, line_start: start, line_end: stated } = place;
  if (!isText(path)) return;
  const total = coverage.get(path);
  if (total === undefined) {
    report(`${at}.path`, `is ${shown(path)}, which the coverage does not declare`, {
      code: 'path-outside-task',
    });
    return;
  }
  if (!isLine(start)) return;
  const end = isLine(stated) ? stated : start;
  if (start > 0 && end > 0 && end <= total) return;
  report(at, `spans lines ${start} to ${end}; the coverage declares ${total}`, {
    code: 'invalid-location',
  });
};

const isLine = (value: unknown): value is number => Number.isInteger(value);
