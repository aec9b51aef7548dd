import { relative } from 'node:path';
import { inheritedWords } from '../../domain/inherited-from.ts';
import type { AuditStatus } from '../../domain/status.ts';
import type { AuditState } from '../../decider/state.ts';
import { reasonWords } from '../../decider/reason-words.ts';
import { statusOf } from '../../decider/status.ts';
import { waitingIn, type Waiting, type WaitingList } from '../../decider/waiting-list.ts';
import { whyOf } from '../../decider/views.ts';
import { reportPaths } from '../../engine/reporting.ts';
import { createNodeDisk } from '../../platform/node-disk.ts';
import { newestWorked } from '../choose-audit.ts';
import { chosenAudit, locate, type ReadAudit } from '../locate.ts';
import { terminal } from '../terminal.ts';

export type ReadFlags = {
  readonly stateDir?: string | undefined;
  /** The beginning of an audit's id. */
  readonly audit?: string | undefined;
  readonly json?: boolean | undefined;
};

/** `casefile status`: where the audit stands, read from the log without a lock. */
export const statusCommand = async (
  root: string | undefined,
  flags: ReadFlags,
): Promise<number> => {
  const place = await locate(root, flags.stateDir);
  const disk = createNodeDisk();
  const worked = flags.audit === undefined ? await newestWorked(disk, place) : undefined;
  const found = worked ?? (await chosenAudit(disk, place, flags.audit));
  sayTornTail(found);
  const status = statusOf(found.state);
  if (flags.json === true) terminal.json(status);
  else terminal.answer(statusText(status, found));
  return 0;
};

/** V4: a reader shows the state before a torn tail, and says so. */
export const sayTornTail = ({ tail }: Pick<ReadAudit, 'tail'>): void => {
  if (tail.kind !== 'torn') return;
  const { file, line, seq } = tail.place;
  terminal.say(
    `The end of the log is torn or being written (${file}, line ${line}, ${tail.bytes} bytes): shown is the state before event ${seq}.`,
  );
};

const statusText = (status: AuditStatus, { state, position, files }: ReadAudit): string => {
  const { tasks, packets, attempts, inputs } = status;
  return [
    `Audit ${status.audit} of ${state.opened?.root.name ?? ''}`,
    `  state        ${status.state}${status.how === undefined ? '' : ` (${status.how})`}`,
    `  last event   ${status.seq} at ${status.at}`,
    `  last hash    ${position.hash.slice(0, 16)}`,
    '  obligations',
    ...status.obligations.map(
      ({ id, state: standing, reason }) =>
        `    ${id.padEnd(18)} ${standing}${reason === undefined ? '' : ` — ${reason}`}`,
    ),
    `  tasks        ${tasks.total}: ${tasks.accepted} accepted, ${tasks.open} open, ${tasks.abandoned} abandoned, ${tasks.stale} stale`,
    ...(status.inherited === undefined
      ? []
      : [`  inherited    ${inheritedWords(status.inherited)}: not asked again`]),
    `  packets      ${packets.total}: ${packets.settled} settled, ${packets.running + packets.leased} in flight, ${packets.ready} ready, ${packets['backing-off']} waiting to retry, ${packets.abandoned} abandoned`,
    `  attempts     ${attempts.total}: ${attempts.answered} answered, ${attempts.failed} failed, ${attempts.limited} limited, ${attempts.cancelled} cancelled, ${attempts.running} running`,
    ...status.accounts.map(
      (account) =>
        `  account      ${account.id}: ${account.state}, ${account.inFlight} of ${account.ceiling} in flight (${account.source})${account.until === undefined ? '' : `, until ${account.until}`}${account.reason === undefined ? '' : ` — ${account.reason}`}`,
    ),
    ...(inputs === undefined
      ? []
      : [`  handed in    ${inputs.consumed} used, ${inputs.held} kept until they can be used`]),
    ...nextPacketText(state),
    ...(status.stopping === undefined ? [] : [`  stopping     ${status.stopping}`]),
    ...(status.blocker === undefined
      ? []
      : [
          `  blocked      ${status.blocker.message}`,
          `    remedy     ${status.blocker.remedy}`,
          `    waits for  ${status.blocker.waitsFor}, since event ${status.blocker.event}`,
        ]),
    ...(state.completed === undefined
      ? []
      : [`  report       ${relative(process.cwd(), reportPaths(files.reports).markdown)}`]),
  ].join('\n');
};

/** Why the next packet is not running, as of the last event. */
const nextPacketText = (state: AuditState): string[] => {
  const [next] = [...firstOf(state.ready), ...firstOf(state.backingOff)];
  if (next === undefined || state.completed !== undefined) return [];
  return [`  next packet  ${next.packet}: ${reasonWords(whyOf(state, state.at, next.packet))}`];
};

const firstOf = (list: WaitingList): Waiting[] => {
  for (const waiting of waitingIn(list)) return [waiting];
  return [];
};
