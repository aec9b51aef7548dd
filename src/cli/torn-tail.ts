import { closeLog } from '../engine/close-log.ts';
import type { Clock } from '../platform/clock.ts';
import type { Disk } from '../platform/disk.ts';
import { required } from '../std/assert.ts';
import type { Recovered } from '../store/recovery.ts';
import { readAudit, type Place, type ReadAudit } from './locate.ts';
import { ownAudit } from './own-audit.ts';
import type { RunFlags } from './run-result.ts';
import { TOOL_VERSION } from './version.ts';

/**
 * Cuts and saves the torn tail of an audit in which nothing else is to be done: a finished one, whose
 * log nobody would open any more.
 *
 * @returns the audit, read again.
 * @throws {OwnedError} while its owner lives: then the tail is being written, perhaps.
 */
export const mendTail = async (
  place: Place,
  { audit, files: { directory } }: ReadAudit,
  given: {
    readonly disk: Disk;
    readonly clock: Clock;
    readonly flags: Pick<RunFlags, 'takeOver'>;
    readonly note: (message: string) => void;
  },
): Promise<ReadAudit> => {
  const { disk, clock, note } = given;
  const { epoch, notices } = await ownAudit(disk, place, audit, given.flags.takeOver === true);
  for (const notice of notices) note(notice);
  const recovered = await closeLog({ disk, clock, directory, epoch, tool: TOOL_VERSION });
  if (recovered.kind === 'torn') note(tornTailText(recovered));
  return required(await readAudit(disk, place, audit), 'the log of a finished audit is not empty');
};

/** What an owner says of a tail that it cut (V2). */
export const tornTailText = ({
  bytes,
  place,
  savedAs,
  lastSeq,
}: Extract<Recovered, { kind: 'torn' }>): string =>
  `The end of the log was torn (${bytes} bytes in ${place.file}, line ${place.line}); it was cut and saved as ${savedAs}. The log goes on after event ${lastSeq}.`;
