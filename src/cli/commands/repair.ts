import { join } from 'node:path';
import type { LogPosition } from '../../domain/commit.ts';
import type { AuditId } from '../../domain/ids.ts';
import { auditFiles } from '../../engine/audit-files.ts';
import { closeLog } from '../../engine/close-log.ts';
import { createSystemClock } from '../../platform/clock.ts';
import type { Disk } from '../../platform/disk.ts';
import { createNodeDisk } from '../../platform/node-disk.ts';
import { endMarked } from '../../platform/process-tree.ts';
import { isoTime } from '../../std/instant-text.ts';
import { LogDamagedError } from '../../store/event-store.ts';
import { scanLog } from '../../store/log-scan.ts';
import { repairLog, type LogRepair } from '../../store/repair-log.ts';
import { EXIT } from '../exit.ts';
import { chosenLog, locate, type Place } from '../locate.ts';
import { ownAudit } from '../own-audit.ts';
import { terminal } from '../terminal.ts';
import { tornTailText } from '../torn-tail.ts';
import { TOOL_VERSION } from '../version.ts';
import { commandTo, wayFromHere, type Way } from '../way-to.ts';
import type { ReadFlags } from './status.ts';

export type RepairFlags = ReadFlags & { readonly takeOver?: boolean | undefined };

/**
 * `casefile repair`: cuts a damaged log at its first damage and keeps what is cut (V5). It first
 * ends the processes that carry the audit's marker and moves `attempts/` aside: tokens of the part
 * that is cut will be given again. A torn tail is cut and saved as by any writer, and a log that is
 * whole is left alone: nobody takes it over, no worker is ended.
 */
export const repairCommand = async (
  root: string | undefined,
  flags: RepairFlags,
): Promise<number> => {
  const disk = createNodeDisk();
  const place = await locate(root, flags.stateDir);
  const audit = await chosenLog(disk, place, flags.audit);
  const { directory } = auditFiles(place.stateDirectory, audit);
  const found = await lookAt(disk, directory);
  if (found.kind === 'whole') {
    return answer(place, audit, flags, { kind: 'nothing-damaged', position: found.position });
  }
  const { epoch, notices } = await ownAudit(disk, place, audit, flags.takeOver === true);
  for (const notice of notices) terminal.say(notice);
  const closing = { disk, directory, epoch, clock: createSystemClock(), tool: TOOL_VERSION };
  if (found.kind === 'torn') {
    const recovered = await closeLog(closing);
    if (recovered.kind === 'torn') terminal.say(tornTailText(recovered));
    return answer(place, audit, flags, { kind: 'nothing-damaged', position: found.position });
  }
  await endMarked((marker) => marker.startsWith(`${audit}:`));
  const aside = `attempts.${isoTime(createSystemClock().now()).replaceAll(/[-:.]/g, '')}`;
  const moved = await disk.rename(join(directory, 'attempts'), join(directory, aside)).then(
    () => true,
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    },
  );
  const repair = await repairLog({ disk, directory, epoch });
  await closeLog(closing);
  return answer(place, audit, flags, repair, moved ? aside : undefined);
};

type Found =
  | { readonly kind: 'whole' | 'torn'; readonly position: LogPosition }
  | { readonly kind: 'damaged' };

const lookAt = async (disk: Disk, directory: string): Promise<Found> => {
  try {
    const { position, tail } = await scanLog({ disk, directory, checkChain: true });
    return { kind: tail.kind === 'torn' ? 'torn' : 'whole', position };
  } catch (error) {
    if (error instanceof LogDamagedError) return { kind: 'damaged' };
    throw error;
  }
};

const answer = async (
  place: Place,
  audit: AuditId,
  flags: RepairFlags,
  repair: LogRepair,
  attemptsMovedTo?: string,
): Promise<number> => {
  if (flags.json === true) {
    terminal.json({ audit, ...(attemptsMovedTo !== undefined && { attemptsMovedTo }), ...repair });
  } else terminal.answer(repairText(repair, await wayFromHere(place, flags.audit)));
  return EXIT.fine;
};

const repairText = (repair: LogRepair, way: Way): string =>
  repair.kind === 'nothing-damaged'
    ? `Nothing is damaged: the log is whole up to event ${repair.position.seq}.`
    : [
        `Cut at ${repair.place.file}, line ${repair.place.line}: ${repair.reason}`,
        `  the log ends now with event ${repair.position.seq}`,
        `  cut        ${repair.lost.bytes} bytes with ${repair.lost.commits} whole commits (${repair.lost.events} events)`,
        `  saved as   ${repair.savedAs.join(', ')}`,
        `Go on with: casefile ${commandTo(way, 'run')}`,
      ].join('\n');
