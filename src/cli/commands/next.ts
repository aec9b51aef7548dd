import type { NextStep } from '../../domain/next-step.ts';
import { createSystemClock } from '../../platform/clock.ts';
import { createNodeDisk } from '../../platform/node-disk.ts';
import { configured, type GivenFlags } from '../configuration.ts';
import { EXIT } from '../exit.ts';
import { nextStepOf } from '../next-step.ts';
import { createProgress } from '../progress.ts';
import { runAudit } from '../run-audit.ts';
import { terminal } from '../terminal.ts';
import { WAIT_FOR_OWNER_MS } from '../work.ts';

export type NextFlags = GivenFlags & {
  readonly hostName?: string | undefined;
  readonly audit?: string | undefined;
};

/**
 * `casefile next`: one bounded step for a conversation host or a person. It begins an audit or goes on
 * with one as far as that needs nobody, and tells what is to be done; asked again, it tells the same.
 *
 * @returns 0 when there is something to do or nothing is left, 3 when somebody else is waited for.
 */
export const nextCommand = async (root: string | undefined, given: NextFlags): Promise<number> => {
  const { root: place, flags, notes } = await configured(root, { ...given, provider: 'handoff' });
  const progress = createProgress({ isLive: false });
  for (const note of notes) progress.note(note);
  const result = await runAudit(place, flags, progress, {
    audit: given.audit,
    waitForOwnerMs: WAIT_FOR_OWNER_MS,
    startsNothing: true,
    mayRest: true,
  });
  progress.stop();
  const step = await nextStepOf({
    result,
    host: { name: given.hostName, can: flags.host ?? {} },
    stateDir: given.stateDir,
    disk: createNodeDisk(),
    clock: createSystemClock(),
  });
  if (flags.json === true) terminal.json(step);
  else terminal.answer(stepText(step));
  return step.kind === 'review' || step.kind === 'complete' ? EXIT.fine : EXIT.stopped;
};

const stepText = (step: NextStep): string => {
  const { tasks } = step.progress;
  return [
    `Audit ${step.audit}: ${step.summary}`,
    `  progress  ${tasks.settled} of ${tasks.total} tasks settled`,
    ...step.packets.flatMap((packet) => [
      `  packet    ${packet.packet}: ${packet.tasks} tasks over ${packet.files} files (${packet.lenses.join(', ')}), about ${packet.tokens} tokens`,
      `    prompt  ${packet.promptPath}`,
      `    answer  ${packet.answerPath}`,
    ]),
    ...(step.question?.options === undefined
      ? []
      : [`  values    ${step.question.options.join(', ')}`]),
    ...(step.waitUntil === undefined ? [] : [`  wait      until ${step.waitUntil}`]),
    ...(step.kind === 'complete' && step.report !== undefined
      ? [`  report    ${step.report.markdown}`]
      : []),
    `  until     ${step.stopCondition}`,
    ...step.allowedCommands.map((command) => `  run       ${command}`),
  ].join('\n');
};
