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
  readonly coverage: ReadonlyMap<string, number>;
  readonly task: { readonly tags?: readonly string[] | undefined } | undefined;
  /** All lenses that there are for it. */
  readonly lenses: readonly string[];
  readonly report: Report;
};

const PRIORITIES = ['high', 'medium', 'low'];

/** D. The verification of one entry, and the tasks that it asks for. */
export const checkVerification = (entry: Fields, context: Context): void => {
  const { verification } = entry;
  const { task, report } = context;
  if (verification === undefined) return;
  if (isFields(verification)) {
    for (const field of ['verified', 'needs_followup']) {
      const value = verification[field];
      if (typeof value === 'boolean') continue;
      report(`verification.${field}`, `must be true or false, not ${shown(value)}`);
    }
    for (const field of ['concerns', 'coverage_concerns', 'confidence_concerns']) {
      checkTexts(`verification.${field}`, verification[field], report);
    }
  } else {
    report('verification', `must be an object, not ${shown(verification)}`);
  }
  if (task !== undefined && !task.tags?.includes('lens_verification')) {
    report('verification', 'stands at a task that asks for none', { severity: 'warning' });
  }
  if (isFields(verification)) checkFollowUps(verification['followup_tasks'], entry, context);
};

/** A list of texts, if it is there at all. */
const checkTexts = (at: string, texts: unknown, report: Report): void => {
  if (texts === undefined) return;
  if (!Array.isArray(texts)) {
    report(at, `must be an array of texts, not ${shown(texts)}`);
    return;
  }
  for (const [index, text] of texts.entries()) {
    if (typeof text !== 'string') report(`${at}[${index}]`, `must be a text, not ${shown(text)}`);
  }
};

const checkFollowUps = (
  tasks: unknown,
  entry: Fields,
  { coverage, lenses, report }: Context,
): void => {
  const at = 'verification.followup_tasks';
  if (tasks === undefined) return;
  if (!Array.isArray(tasks)) {
    report(at, `must be an array, not ${shown(tasks)}`);
    return;
  }
  for (const [index, task] of tasks.entries()) {
    const here = `${at}[${index}]`;
    if (!isFields(task)) {
      report(here, `must be an object, not ${shown(task)}`);
      continue;
    }
    for (const field of ['task_id', 'unit_id', 'pass_id', 'lens', 'rationale']) {
      if (isText(task[field])) continue;
      report(`${here}.${field}`, `must be a text that is not blank, not ${shown(task[field])}`);
    }
    checkLens(`${here}.lens`, task['lens'], { ofEntry: entry['lens'], lenses, report });
    const { priority } = task;
    if (priority !== undefined && !isOneOf(PRIORITIES, priority)) {
      report(
        `${here}.priority`,
        `is ${shown(priority)}; it must be one of ${PRIORITIES.join(', ')}`,
      );
    }
    checkPaths(`${here}.file_paths`, task['file_paths'], coverage, report);
    checkTexts(`${here}.tags`, task['tags'], report);
  }
};

const checkLens = (
  at: string,
  lens: unknown,
  { ofEntry, lenses, report }: Pick<Context, 'lenses' | 'report'> & { readonly ofEntry: unknown },
): void => {
  if (!isText(lens)) return;
  if (!isOneOf(lenses, lens)) {
    report(at, `is ${shown(lens)}; it must be one of ${lenses.join(', ')}`);
  }
  if (isText(ofEntry) && lens !== ofEntry) {
    report(at, `is ${shown(lens)}, and the entry has ${shown(ofEntry)}`);
  }
};

const checkPaths = (
  at: string,
  paths: unknown,
  coverage: ReadonlyMap<string, number>,
  report: Report,
): void => {
  for (const [index, path] of entriesOf(at, paths, report).entries()) {
    const here = `${at}[${index}]`;
    if (!isText(path)) {
      report(here, `must be a text that is not blank, not ${shown(path)}`);
    } else if (!coverage.has(path)) {
      report(here, `is ${shown(path)}, which the coverage does not declare`, {
        code: 'path-outside-task',
      });
    }
  }
};
