import type { IngestOutput } from '../../domain/ingest-output.ts';
import { counted } from '../../std/counted.ts';
import { EXIT } from '../exit.ts';
import { assignedAnswers } from '../assigned-answers.ts';
import { ingestFiles } from '../ingest-files.ts';
import { isTakenWhole, outcomeLines } from '../intake.ts';
import { createProgress } from '../progress.ts';
import { readAnswers, type ReadInputs } from '../read-inputs.ts';
import { terminal } from '../terminal.ts';
import type { VisitFlags } from '../visit-audit.ts';

/**
 * `casefile ingest`: hands answers in. Without a file it takes what lies in the assigned places of the
 * packets that were handed off.
 *
 * @returns 0 when everything was taken (or had been before), 1 when something was refused or left.
 */
export const ingestCommand = async (paths: readonly string[], flags: VisitFlags): Promise<number> =>
  ingestAndTell(
    paths.length === 0 ? await assignedAnswers(flags) : await readAnswers(paths),
    flags,
  );

/** Hands files in and prints what became of each. */
export const ingestAndTell = async (inputs: ReadInputs, flags: VisitFlags): Promise<number> => {
  const progress = createProgress({ isLive: false });
  const output = await ingestFiles(inputs, flags, progress);
  progress.stop();
  if (flags.json === true) terminal.json(output);
  else terminal.answer(ingestText(output));
  return isTakenWhole(output.files) ? EXIT.fine : EXIT.overGate;
};

const ingestText = ({ audit, files, tasks, state, blocker }: IngestOutput): string =>
  [
    `Audit ${audit}: ${tasks.settled} of ${counted(tasks.total, 'task')} settled (${state})`,
    ...outcomeLines(files),
    ...(state === 'complete' ? ['  next      the report is there: casefile status'] : []),
    ...(blocker?.waitsFor === 'hand-off' ? ['  next      casefile next'] : []),
    ...(blocker === undefined || blocker.waitsFor === 'hand-off'
      ? []
      : [`  blocked   ${blocker.message} ${blocker.remedy}`]),
  ].join('\n');
