import { join } from 'node:path';
import { UsageError } from '../../domain/usage-error.ts';
import { auditFiles } from '../../engine/audit-files.ts';
import { createSystemClock } from '../../platform/clock.ts';
import { createNodeDisk } from '../../platform/node-disk.ts';
import { endMarked } from '../../platform/process-tree.ts';
import { isoTime } from '../../std/instant-text.ts';
import { repairLog, type LogRepair } from '../../store/repair-log.ts';
import { listAudits, locate } from '../locate.ts';
import { ownAudit } from '../own-audit.ts';
import { terminal } from '../terminal.ts';
import type { ReadFlags } from './status.ts';

export type RepairFlags = ReadFlags & { readonly takeOver?: boolean | undefined };

/**
 * `casefile repair`: cuts a damaged log at its first damage and keeps what is cut (V5). It first
 * ends the processes that carry the audit's marker and moves `attempts/` aside: tokens of the part
 * that is cut will be given again.
 */
export const repairCommand = async (
  root: string | undefined,
  flags: RepairFlags,
): Promise<number> => {
  const disk = createNodeDisk();
  const place = await locate(root, flags.stateDir);
  const audit = flags.audit ?? (await listAudits(disk, place)).at(-1);
  if (audit === undefined) {
    throw new UsageError(
      `There is no audit in ${place.stateDirectory}.`,
      'Start one with: casefile run',
    );
  }
  const { directory } = auditFiles(place.stateDirectory, audit);
  const { epoch, notices } = await ownAudit(disk, place, audit, flags.takeOver === true);
  for (const notice of notices) terminal.say(notice);
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
  if (flags.json === true)
    terminal.json({ audit, ...(moved && { attemptsMovedTo: aside }), ...repair });
  else terminal.answer(repairText(repair));
  return 0;
};

const repairText = (repair: LogRepair): string =>
  repair.kind === 'nothing-damaged'
    ? `Nothing is damaged: the log is whole up to event ${repair.position.seq}.`
    : [
        `Cut at ${repair.place.file}, line ${repair.place.line}: ${repair.reason}`,
        `  the log ends now with event ${repair.position.seq}`,
        `  cut        ${repair.lost.bytes} bytes with ${repair.lost.commits} whole commits (${repair.lost.events} events)`,
        `  saved as   ${repair.savedAs.join(', ')}`,
        'Go on with: casefile run',
      ].join('\n');
