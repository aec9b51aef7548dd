import type { AuditId } from '../domain/ids.ts';
import { UsageError } from '../domain/usage-error.ts';
import type { Disk } from '../platform/disk.ts';
import { LogDamagedError, NewerLogError } from '../store/event-store.ts';
import { listAudits, readAudit, type Place, type ReadAudit } from './locate.ts';

/** An audit as far as it could be read. What cannot be read is said, never left out (V4). */
export type AuditReading =
  | { readonly kind: 'read'; readonly id: AuditId; readonly audit: ReadAudit }
  /** Its creation was cut short before its first event. */
  | { readonly kind: 'not-begun'; readonly id: AuditId }
  | { readonly kind: 'unreadable'; readonly id: AuditId; readonly reason: string };

/** Reads every audit here, the oldest first, one at a time: a log may be long. */
export async function* readAllAudits(disk: Disk, place: Place): AsyncGenerator<AuditReading> {
  for (const id of await listAudits(disk, place)) yield await readOne(disk, place, id);
}

const readOne = async (disk: Disk, place: Place, id: AuditId): Promise<AuditReading> => {
  try {
    const audit = await readAudit(disk, place, id);
    return audit === undefined ? { kind: 'not-begun', id } : { kind: 'read', id, audit };
  } catch (error) {
    if (error instanceof NewerLogError) {
      const reason = `It was written by a newer casefile. ${error.message}`;
      return { kind: 'unreadable', id, reason };
    }
    if (error instanceof LogDamagedError) {
      return { kind: 'unreadable', id, reason: `Its log is damaged. ${error.message}` };
    }
    if (error instanceof UsageError) return { kind: 'unreadable', id, reason: error.message };
    // No permission, a failing disk: the other audits can be told all the same.
    if (error instanceof Error && 'syscall' in error) {
      return { kind: 'unreadable', id, reason: error.message };
    }
    throw error;
  }
};
