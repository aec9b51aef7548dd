import type { Reply } from '../engine/engine.ts';
import type { Session } from '../engine/session.ts';
import type { Inventory } from '../pipeline/inventory.ts';
import type { Clock } from '../platform/clock.ts';
import type { Disk } from '../platform/disk.ts';
import type { SourceTree } from '../platform/source-tree.ts';
import type { Provider } from '../providers/provider.ts';
import type { Place, NewestFolder, ReadAudit } from './locate.ts';
import type { Progress } from './progress.ts';
import type { InputFile } from './read-inputs.ts';
import type { RunFlags } from './run-result.ts';

/** W5: how long the doors beside `run` wait for an epoch that another process has. */
export const WAIT_FOR_OWNER_MS = 5_000;

/** How a command visits an audit, where it differs from `run`. */
export type Visit = {
  /** How long the epoch is waited for while another process has it (W5). */
  readonly waitForOwnerMs?: number | undefined;
  /** Starts no attempt; takes the audit as far as it goes without one. */
  readonly startsNothing?: boolean | undefined;
  /** With `startsNothing`: rests at the plan, also where nothing is left to ask. */
  readonly restsAtPlan?: boolean | undefined;
  /** Leaves settings and a blocker as they are. */
  readonly changesNothing?: boolean | undefined;
  /** What is handed in. */
  readonly inputs?: readonly InputFile[] | undefined;
  /** How the audit took what was handed in; in the order of `inputs`. */
  readonly onReceived?: ((input: InputFile, reply: Reply) => void) | undefined;
  /** What is said to the audit before it goes on. */
  readonly act?: ((session: Session) => Promise<void>) | undefined;
  /** What is asked of it when it rests. */
  readonly ask?: ((session: Session) => Promise<void>) | undefined;
};

export type Work = Visit & {
  readonly place: Place;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly source: SourceTree;
  readonly inventory: Inventory;
  readonly provider: Provider;
  readonly flags: RunFlags;
  readonly progress: Progress;
  /** The audit to go on with; undefined: a new one begins. */
  readonly goesOn: ReadAudit | undefined;
  /** The newest audit when it was decided to begin one. */
  readonly seen: NewestFolder | undefined;
};
