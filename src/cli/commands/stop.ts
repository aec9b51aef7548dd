import type { AuditId } from '../../domain/ids.ts';
import { UsageError } from '../../domain/usage-error.ts';
import { auditFiles } from '../../engine/audit-files.ts';
import { createSystemClock } from '../../platform/clock.ts';
import { createNodeDisk } from '../../platform/node-disk.ts';
import { ownIdentity, processStartTime } from '../../platform/process-identity.ts';
import { interruptProcess, outputOf } from '../../platform/subprocess.ts';
import { epochHolder } from '../../store/writer-epoch.ts';
import { EXIT } from '../exit.ts';
import { auditNamed, listAudits, locate, type Place } from '../locate.ts';
import { stopOwner, type Stopping } from '../stop-owner.ts';
import { terminal } from '../terminal.ts';
import { commandTo, wayFromHere, type Way } from '../way-to.ts';
import type { ReadFlags } from './status.ts';

export type StopFlags = ReadFlags & { readonly grace: number };

/** The owner has its own grace for answers under way; closing the log and the report come after it. */
const AFTER_GRACE_MS = 3000;

/** `casefile stop`: asks the process that works on an audit to stop, and tells what happened. */
export const stopCommand = async (root: string | undefined, flags: StopFlags): Promise<number> => {
  const place = await locate(root, flags.stateDir);
  const { audit, stopping } = await stopIn(place, flags);
  if (flags.json === true) {
    terminal.json({ ...(audit !== undefined && { audit }), ...stopping });
  } else terminal.answer(stoppingText(stopping, audit, await wayFromHere(place, flags.audit)));
  return exitCodeOf(stopping);
};

type Stopped = { readonly audit?: AuditId; readonly stopping: Stopping };

/** The audit that is named, or the newest one that somebody works on. */
const stopIn = async (place: Place, flags: StopFlags): Promise<Stopped> => {
  const disk = createNodeDisk();
  const self = await ownIdentity(outputOf);
  const audits =
    flags.audit === undefined
      ? await listAudits(disk, place)
      : [await auditNamed(disk, place, flags.audit)];
  if (audits.length === 0) {
    throw new UsageError(
      `There is no audit in ${place.stateDirectory}.`,
      'Start one with: casefile run',
    );
  }
  let first: Stopped | undefined;
  for (const audit of audits.toReversed()) {
    const { directory } = auditFiles(place.stateDirectory, audit);
    const stopping = await stopOwner({
      clock: createSystemClock(),
      self,
      holder: () => epochHolder(disk, directory),
      startTimeOf: (pid) => processStartTime(pid, outputOf),
      interrupt: interruptProcess,
      waitMs: flags.grace + AFTER_GRACE_MS,
    });
    if (stopping.kind !== 'no-owner') return { audit, stopping };
    if (stopping.because !== 'closed') first ??= { audit, stopping };
  }
  const none: Stopping = { kind: 'no-owner', because: 'closed' };
  return (
    first ??
    (audits.length === 1 && audits[0] ? { audit: audits[0], stopping: none } : { stopping: none })
  );
};

const exitCodeOf = ({ kind }: Stopping): number => {
  switch (kind) {
    case 'no-owner':
    case 'stopped':
      return EXIT.fine;
    case 'elsewhere':
    case 'still-running':
      return EXIT.stopped;
  }
};

const stoppingText = (stopping: Stopping, audit: AuditId | undefined, way: Way): string => {
  switch (stopping.kind) {
    case 'no-owner':
      return `No process works on ${audit === undefined ? 'any audit here' : `audit ${audit}`}${NO_OWNER[stopping.because]}. Nothing was signalled.`;
    case 'stopped':
      return `Audit ${audit ?? ''} was stopped: process ${stopping.owner.pid} ${stopping.by === 'closed' ? 'has closed its log' : 'is gone'}. Go on with: casefile ${commandTo(way, 'run')} (and the same flags)`;
    case 'still-running':
      return `Process ${stopping.owner.pid} was asked to stop audit ${audit ?? ''}, and works still after ${Math.round(stopping.waitedMs / 1000)} s: it waits for answers (see --grace), or it is paused. Ask again to end its workers at once: casefile ${commandTo(way, 'stop')}`;
    case 'elsewhere':
      return `Audit ${audit ?? ''} is owned by process ${stopping.owner.pid} on ${stopping.owner.host}. ${ELSEWHERE[stopping.because]} Nothing was signalled.`;
  }
};

const NO_OWNER = {
  closed: '',
  gone: ': its last process is gone without closing the log, and its pid may belong to another program by now; the next run goes on where it stopped',
  unknown: ', or its owner file is damaged or missing',
} as const;

const ELSEWHERE = {
  host: 'That is another host: stop it there.',
  boot: 'It began before this machine was started, or on another one of the same name; if it was this one, it is gone: go on with casefile run --take-over.',
  namespace: 'It runs in another container: stop it there.',
  'not-permitted': 'It belongs to another user: stop it as that user.',
} as const;
