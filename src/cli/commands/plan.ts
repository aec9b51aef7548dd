import { commandLine } from '../command-line.ts';
import { configured, type GivenFlags } from '../configuration.ts';
import { EXIT } from '../exit.ts';
import { packetText, packetView } from '../plan-packet.ts';
import { filesText, filesView } from '../plan-files.ts';
import { planText } from '../plan-text.ts';
import { planView } from '../plan-view.ts';
import { createProgress } from '../progress.ts';
import { runAudit } from '../run-audit.ts';
import type { RunFlags } from '../run-result.ts';
import { terminal } from '../terminal.ts';
import type { AuditFlag } from './run.ts';

export type PlanFlags = GivenFlags &
  AuditFlag & {
    /** One packet instead of the plan. */
    readonly packet?: string | undefined;
    /** Every file instead of the plan. */
    readonly files?: boolean | undefined;
  };

/** `casefile plan`: derives up to the plan and shows it. Starts no attempt and spends nothing. */
export const planCommand = async (
  root: string | undefined,
  { packet, files: isListing, ...given }: PlanFlags,
): Promise<number> => {
  const { place, flags, notes } = await configured(root, given);
  const progress = createProgress({
    isLive: flags.ui === undefined ? terminal.isLive() : flags.ui === 'tty',
  });
  for (const note of notes) progress.note(note);
  const {
    state,
    files: { directory },
    exit,
  } = await runAudit(place, { ...flags, planOnly: true }, progress, {
    audit: given.audit,
    restsAtPlan: true,
  }).finally(progress.stop);
  const view = await planView(state, directory, place);
  if (view === undefined) {
    // A stage failed before there was a plan: the audit is blocked and says why.
    for (const { message } of exit.reasons) terminal.say(message);
    return exit.code;
  }
  if (packet !== undefined) {
    show(await packetView(state, directory, packet), packetText, flags);
  } else if (isListing === true) show(await filesView(state, directory), filesText, flags);
  else show(view, (shown) => planText(shown, startLine(flags)), flags);
  return EXIT.fine;
};

/** What the caller would type to have the plan carried out. */
const startLine = ({ provider, command }: Pick<RunFlags, 'provider' | 'command'>): string => {
  const isProgramMissing = provider === 'command' && command === undefined;
  return commandLine([
    ...['casefile', 'run', ...process.argv.slice(3)],
    ...(isProgramMissing ? ['--command', 'your-agent {prompt} {answer}'] : []),
  ]);
};

const show = <View>(
  view: View,
  text: (view: View) => string,
  { json }: { readonly json?: boolean | undefined },
): void => {
  if (json === true) terminal.json(view);
  else terminal.answer(text(view));
};
