import { relative } from 'node:path';
import type { IngestOutput } from '../../domain/ingest-output.ts';
import { counted } from '../../std/counted.ts';
import { EXIT } from '../exit.ts';
import { assignedAnswers } from '../assigned-answers.ts';
import { ingestFiles } from '../ingest-files.ts';
import { isTakenWhole, outcomeLines } from '../intake.ts';
import { createProgress } from '../progress.ts';
import { readAnswers, type ReadInputs } from '../read-inputs.ts';
import { terminal } from '../terminal.ts';
import { findVisited, type Visited, type VisitFlags } from '../visit-audit.ts';
import { commandTo, wayFromHere, type Way } from '../way-to.ts';

/**
 * `casefile ingest`: hands answers in. Without a file it takes what lies in the assigned places of the
 * packets that were handed off.
 *
 * @returns 0 when everything was taken (or had been before), 1 when something was refused or left.
 */
export const ingestCommand = async (
  paths: readonly string[],
  flags: VisitFlags,
): Promise<number> => {
  const named = paths.length === 0 ? undefined : await readAnswers(paths);
  const visited = await findVisited(flags);
  return ingestAndTell(named ?? (await assignedAnswers(visited.audit)), visited, flags);
};

/** Hands files in and prints what became of each. */
export const ingestAndTell = async (
  inputs: ReadInputs,
  visited: Visited,
  flags: VisitFlags,
): Promise<number> => {
  const progress = createProgress({ isLive: false });
  const output = await ingestFiles(inputs, visited, flags, progress);
  progress.stop();
  if (flags.json === true) terminal.json(output);
  else terminal.answer(ingestText(output, await wayFromHere(visited.place, flags.audit)));
  return isTakenWhole(output.files) ? EXIT.fine : EXIT.overGate;
};

const ingestText = (
  { audit, files, tasks, state, blocker, report }: IngestOutput,
  way: Way,
): string =>
  [
    `Audit ${audit}: ${tasks.settled} of ${counted(tasks.total, 'task')} settled (${state})`,
    ...outcomeLines(files),
    ...(report === undefined ? [] : [`  report    ${relative(process.cwd(), report.markdown)}`]),
    ...(blocker?.waitsFor === 'hand-off' ? [`  next      casefile ${commandTo(way, 'next')}`] : []),
    ...(blocker === undefined || blocker.waitsFor === 'hand-off'
      ? []
      : [`  blocked   ${blocker.message} ${blocker.remedy}`]),
  ].join('\n');
