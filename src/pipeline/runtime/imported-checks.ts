import type { RuntimeCheck, RuntimeVerdict } from '../../domain/runtime-check.ts';
import type { RuntimeUpdates } from '../../domain/runtime-updates.ts';
import { clip, foldSpace, printable } from '../../std/printable.ts';
import { namedPaths } from './named-paths.ts';

const VERDICTS: Readonly<Record<RuntimeUpdates['results'][number]['status'], RuntimeVerdict>> = {
  confirmed: 'passed',
  not_confirmed: 'failed',
  inconclusive: 'inconclusive',
  pending: 'notRun',
  not_required: 'notRun',
};

/**
 * What somebody else found out by running the project. A row is about the unit that its id ends with, if there
 * is one, and about the files that its words name; of several rows about one thing the last one counts.
 *
 * @param given.pathsOfUnit files of a unit; empty for what is none.
 */
export const importedChecks = (
  { results }: RuntimeUpdates,
  given: {
    readonly importedFrom: string;
    readonly files: readonly string[];
    readonly pathsOfUnit: (unit: string) => readonly string[];
  },
): readonly RuntimeCheck[] => {
  const checks = new Map<string, RuntimeCheck>();
  for (const { task_id: id, status, summary, evidence = [], notes = [] } of results) {
    const lines = [...evidence, ...notes].slice(0, LINES_MAX);
    const unit = id.replace(/^runtime:unit:/, '');
    const named = namedPaths([summary, ...lines].join('\n'), given.files);
    checks.set(id, {
      id: oneLine(id, 200),
      command: oneLine(summary, 300),
      verdict: VERDICTS[status],
      why: `it was told as "${status}"`,
      paths: [...new Set([...named, ...given.pathsOfUnit(unit)])],
      output: lines.map((line) => oneLine(line, 300)),
      importedFrom: oneLine(given.importedFrom, 200),
    });
  }
  return [...checks.values()];
};

const LINES_MAX = 20;

/** Text of others on one line, in which nothing acts. */
const oneLine = (text: string, lengthMax: number): string =>
  clip(printable(foldSpace(clip(text, lengthMax * 2))), lengthMax).trim();
