import { createNodeDisk } from '../../platform/node-disk.ts';
import { configured, type GivenFlags } from '../configuration.ts';
import { createIntake, outcomeLines } from '../intake.ts';
import { offerPackets, packetsToHandOff } from '../offer-packets.ts';
import { createProgress } from '../progress.ts';
import { runAudit } from '../run-audit.ts';
import { readRunInputs, type RunInputFlags } from '../run-inputs.ts';
import { runJson, type RunResult } from '../run-result.ts';
import { runSummary } from '../run-summary.ts';
import { terminal } from '../terminal.ts';
import { wayFromHere } from '../way-to.ts';

/** An audit that is named, by the beginning of its id. */
export type AuditFlag = { readonly audit?: string | undefined };

/** `casefile run`: starts an audit, or goes on with it, until it rests. @returns the exit code. */
export const runCommand = async (
  root: string | undefined,
  given: GivenFlags & RunInputFlags & AuditFlag,
): Promise<number> => {
  const { place, flags, notes } = await configured(root, given);
  const intake = createIntake(await readRunInputs(given));
  const progress = createProgress({
    isLive: flags.ui === undefined ? terminal.isLive() : flags.ui === 'tty',
  });
  for (const note of notes) progress.note(note);
  let result: RunResult;
  try {
    const call = { audit: given.audit, ...intake.visit };
    result = await runAudit(place, flags, intake.watch(progress), call);
  } finally {
    progress.stop();
  }
  const toHandOff = packetsToHandOff(result.state);
  if (toHandOff.length > 0) await offerPackets(createNodeDisk(), result, toHandOff);
  const outcomes = intake.outcomes(result.state, { analyzers: result.report.analyzers });
  if (outcomes.length > 0) terminal.tell(['Handed in:', ...outcomeLines(outcomes)].join('\n'));
  if (flags.json === true) terminal.json(runJson(result));
  else terminal.tell(runSummary(result, await wayFromHere(place, given.audit)));
  return result.exit.code;
};
