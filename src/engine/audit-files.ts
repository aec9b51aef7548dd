import { join } from 'node:path';
import type { AuditId } from '../domain/ids.ts';

/** Where an audit keeps what. The log is the truth; everything else can be made again from it. */
export type AuditFiles = {
  /** Holds `events/`, `blobs/`, `writers/`. */
  readonly directory: string;
  readonly stateView: string;
  readonly reports: string;
  /** Packets as files for whoever reviews them; made again from the log when they are gone. */
  readonly handOffs: string;
  readonly scratchOf: (token: number) => string;
};

export const AUDITS_FOLDER = 'audits';

export const auditFiles = (stateDirectory: string, audit: AuditId): AuditFiles => {
  const directory = join(stateDirectory, AUDITS_FOLDER, audit);
  return {
    directory,
    stateView: join(directory, 'state.json'),
    reports: join(directory, 'report'),
    handOffs: join(directory, 'hand-offs'),
    scratchOf: (token) => join(directory, 'attempts', String(token)),
  };
};
