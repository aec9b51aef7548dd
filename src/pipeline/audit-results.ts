import { LENSES } from '../domain/vocabulary.ts';
import { shown } from '../std/shown.ts';
import { checkFindings } from './audit-result-findings.ts';
import {
  isFields,
  isOneOf,
  isText,
  type AuditResultIssue,
  type Fields,
  type Report,
} from './audit-result-issue.ts';
import { checkVerification } from './audit-result-verification.ts';
import { normalizeCoveragePath } from './coverage-path.ts';

/** A task as an answer in the form of the predecessor speaks about it. */
export type AssignedTask = {
  readonly id: string;
  readonly unit: string;
  readonly pass: string;
  readonly lens: string;
  readonly paths: readonly string[];
  readonly tags?: readonly string[] | undefined;
};

/** Lines of files by path; a file that is not in it is of unknown length. */
export type LineIndex = ReadonlyMap<string, number>;

/**
 * Judges an `AuditResult[]` array against the tasks that were assigned. The issues stand in the order
 * of the entries, and within an entry in the order of the rules:
 *
 *   A  it is an object, names task, unit, pass and lens, and these are the task's own
 *   B  its coverage declares each file of the task once, with the lines that the file has
 *   C  its findings are whole, of the task's lens, and lie in declared files and lines
 *   D  its verification, if it has one
 *
 * No tasks at all: nothing is known about them, and any id will do. An entry without an error can be
 * taken; several entries for one task and tasks without an entry are no matter of these rules.
 */
export const validateAuditResults = (
  payload: unknown,
  tasks: readonly AssignedTask[],
  lineIndex: LineIndex = new Map(),
): readonly AuditResultIssue[] => {
  if (!Array.isArray(payload)) {
    const whole = { resultIndex: -1, taskId: 'results', path: 'results' } as const;
    const message = `results must be an array, not ${shown(payload)}.`;
    return [{ severity: 'error', ...whole, code: 'wrong-shape', message }];
  }
  const check = createEntryCheck(tasks, lineIndex);
  return payload.flatMap((entry, index) => check(entry, index));
};

/** The rules for single entries. What they need of tasks and files is prepared once. */
export const createEntryCheck = (
  tasks: readonly AssignedTask[],
  lineIndex: LineIndex,
): ((entry: unknown, index: number) => readonly AuditResultIssue[]) => {
  const known: ReadonlyMap<string, Assigned> = new Map(
    tasks.map((task) => [
      task.id,
      { ...task, assigned: new Set(task.paths.map(normalizeCoveragePath)) },
    ]),
  );
  const lines = new Map(
    [...lineIndex].map(([path, count]) => [normalizeCoveragePath(path), count] as const),
  );
  return (entry, index) => {
    const issues: AuditResultIssue[] = [];
    const taskId = isFields(entry) && isText(entry['task_id']) ? entry['task_id'] : undefined;
    const report: Report = (path, rule, { code = 'wrong-shape', severity } = {}) => {
      issues.push({
        severity: severity ?? 'error',
        resultIndex: index,
        taskId: taskId ?? `result[${index}]`,
        path,
        code,
        message: `${path} ${rule}.`,
      });
    };
    if (!isFields(entry)) {
      report(`results[${index}]`, `must be an object, not ${shown(entry)}`);
      return issues;
    }
    const task = known.get(taskId ?? '');
    const lenses = task === undefined ? LENSES : [...LENSES, task.lens];
    checkNames(entry, task, lenses, report);
    if (task === undefined && known.size > 0) {
      report('task_id', `is ${shown(entry['task_id'])}, and no such task was assigned`, {
        code: 'unknown-task',
      });
    }
    const coverage = checkCoverage(entry['file_coverage'], task, lines, report);
    const ownLens = isOneOf(LENSES, entry['lens']) ? (entry['lens'] as string) : undefined;
    const lens = task?.lens ?? ownLens;
    if (checkFindings(entry['findings'], { coverage, lens, lenses, report })) {
      checkVerification(entry, { coverage, task, lenses, report });
    }
    return issues;
  };
};

type Assigned = AssignedTask & { readonly assigned: ReadonlySet<string> };

/** A3 to A5. */
const checkNames = (
  entry: Fields,
  task: AssignedTask | undefined,
  lenses: readonly string[],
  report: Report,
): void => {
  for (const field of ['task_id', 'unit_id', 'pass_id', 'lens']) {
    const value = entry[field];
    if (!isText(value)) report(field, `must be a text that is not blank, not ${shown(value)}`);
  }
  const { lens } = entry;
  if (isText(lens) && !isOneOf(lenses, lens)) {
    report('lens', `is ${shown(lens)}; it must be one of ${lenses.join(', ')}`);
  }
  if (task === undefined) return;
  const own = { unit_id: task.unit, pass_id: task.pass, lens: task.lens };
  for (const [field, wanted] of Object.entries(own)) {
    const value = entry[field];
    if (isText(value) && value !== wanted) {
      report(field, `is ${shown(value)}, and the task has ${shown(wanted)}`);
    }
  }
};

/**
 * B. Gives the declared paths, normalised, with their declared lines. Where no whole number is
 * declared, no line can lie in the file: 0.
 */
const checkCoverage = (
  declared: unknown,
  task: Assigned | undefined,
  lines: LineIndex,
  report: Report,
): ReadonlyMap<string, number> => {
  const coverage = new Map<string, number>();
  if (!Array.isArray(declared) || declared.length === 0) {
    report('file_coverage', `must be an array that is not empty, not ${shown(declared)}`);
    return coverage;
  }
  for (const [index, item] of declared.entries()) {
    const at = `file_coverage[${index}]`;
    if (!isFields(item)) {
      report(at, `must be an object, not ${shown(item)}`);
      continue;
    }
    const total = item['total_lines'];
    const path = isText(item['path']) ? normalizeCoveragePath(item['path']) : undefined;
    if (path === undefined) {
      report(`${at}.path`, `must be a text that is not blank, not ${shown(item['path'])}`);
    } else {
      if (task !== undefined && !task.assigned.has(path)) {
        report(`${at}.path`, `is ${shown(path)}, which is no file of the task`, {
          code: 'path-outside-task',
        });
      }
      if (coverage.has(path)) report(`${at}.path`, `repeats ${shown(path)}`);
      coverage.set(path, Number.isInteger(total) ? (total as number) : 0);
    }
    checkTotal(
      `${at}.total_lines`,
      total,
      path === undefined ? undefined : lines.get(path),
      report,
    );
  }
  for (const path of task?.assigned ?? []) {
    if (!coverage.has(path)) {
      report('file_coverage', `leaves out ${shown(path)}, a file of the task`, {
        code: 'not-accounted-for',
      });
    }
  }
  return coverage;
};

const checkTotal = (
  at: string,
  total: unknown,
  lines: number | undefined,
  report: Report,
): void => {
  if (typeof total !== 'number' || !Number.isInteger(total)) {
    report(at, `must be a whole number, not ${shown(total)}`);
    return;
  }
  if (total < 0) report(at, `is ${total}; it must be 0 or above`);
  if (lines !== undefined && total !== lines) {
    report(at, `is ${total}; the file has ${lines}`, { code: 'invalid-location' });
  }
};
