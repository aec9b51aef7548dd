import type { NextStep } from '../../domain/next-step.ts';
import { createSystemClock, type Clock } from '../../platform/clock.ts';
import { createNodeDisk } from '../../platform/node-disk.ts';
import { configured, type GivenFlags } from '../configuration.ts';
import { EXIT } from '../exit.ts';
import { nextStepOf } from '../next-step.ts';
import { OwnedError } from '../own-audit.ts';
import { createProgress } from '../progress.ts';
import { runAudit } from '../run-audit.ts';
import type { RunResult } from '../run-result.ts';
import { terminal } from '../terminal.ts';
import type { AuditFlag } from './run.ts';
import { WAIT_FOR_OWNER_MS } from '../work.ts';

export type NextFlags = GivenFlags &
  AuditFlag & {
    readonly hostName?: string | undefined;
  };

/**
 * `casefile next`: one bounded step for a conversation host or a person. It begins an audit or goes on
 * with one as far as that needs nobody, and tells what is to be done; asked again, it tells the same.
 *
 * @returns 0 when there is something to do or nothing is left, 3 when somebody else is waited for.
 */
export const nextCommand = async (root: string | undefined, given: NextFlags): Promise<number> => {
  const { place, flags, notes } = await configured(root, { ...given, provider: 'handoff' });
  const progress = createProgress({ isLive: false });
  for (const note of notes) progress.note(note);
  const clock = createSystemClock();
  const result = await whenFree(clock, () =>
    runAudit(place, flags, progress, {
      audit: given.audit,
      waitForOwnerMs: WAIT_FOR_OWNER_MS,
      startsNothing: true,
      mayRest: true,
    }),
  );
  progress.stop();
  const step = await nextStepOf({
    result,
    host: { name: given.hostName, can: flags.host ?? {}, parallel: flags.parallel },
    disk: createNodeDisk(),
    clock,
  });
  if (flags.json === true) terminal.json(step);
  else terminal.answer(stepText(step));
  return step.kind === 'review' || step.kind === 'complete' ? EXIT.fine : EXIT.stopped;
};

/**
 * Another host may begin the very audit that this one wants: it is looked for again, for as long as a
 * process waits for an owner (W5). An owner that was waited for leaves no time for that.
 */
const whenFree = async (clock: Clock, work: () => Promise<RunResult>): Promise<RunResult> => {
  const deadline = clock.now() + WAIT_FOR_OWNER_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof OwnedError) || clock.now() >= deadline) throw error;
      await clock.sleepUntil(clock.now() + LOOK_AGAIN_MS, new AbortController().signal);
    }
  }
};

const LOOK_AGAIN_MS = 200;

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
