import { configured, type GivenFlags } from '../configuration.ts';
import { packetText, packetView } from '../plan-packet.ts';
import { planText } from '../plan-text.ts';
import { planView } from '../plan-view.ts';
import { createProgress } from '../progress.ts';
import { runAudit } from '../run-audit.ts';
import { terminal } from '../terminal.ts';
import type { AuditFlag } from './run.ts';
import { EXIT } from '../exit.ts';

/** `casefile plan`: derives up to the plan and shows it. Starts no attempt and spends nothing. */
export const planCommand = async (
  root: string | undefined,
  { packet, ...given }: GivenFlags & AuditFlag & { readonly packet?: string | undefined },
): Promise<number> => {
  const { place, flags, notes } = await configured(root, given);
  const progress = createProgress({
    isLive: flags.ui === undefined ? terminal.isLive() : flags.ui === 'tty',
  });
  for (const note of notes) progress.note(note);
  const { state, files, exit } = await runAudit(place, { ...flags, planOnly: true }, progress, {
    audit: given.audit,
  }).finally(progress.stop);
  const view = await planView(state, files.directory, place);
  if (view === undefined) {
    // A stage failed before there was a plan: the audit is blocked and says why.
    for (const { message } of exit.reasons) terminal.say(message);
    return exit.code;
  }
  if (packet !== undefined) {
    const one = await packetView(state, files.directory, packet);
    if (flags.json === true) terminal.json(one);
    else terminal.answer(packetText(one));
    return EXIT.fine;
  }
  if (flags.json === true) terminal.json(view);
  else terminal.answer(planText(view));
  return EXIT.fine;
};
