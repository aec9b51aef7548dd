import type { Instant } from '../domain/ids.ts';
import type { Clock } from '../platform/clock.ts';
import type { ProcessIdentity } from '../platform/process-identity.ts';
import type { EpochHolder } from '../store/writer-epoch.ts';

/** What came of asking the owner of an audit to stop. */
export type Stopping =
  /** Nobody has it: its writer closed the log, is gone, or never left an owner file that can be read. */
  | { readonly kind: 'no-owner'; readonly because: 'closed' | 'gone' | 'unknown' }
  /** It cannot be reached from here, or it cannot be proven to be the one: nothing was signalled. */
  | {
      readonly kind: 'elsewhere';
      readonly owner: ProcessIdentity;
      readonly because: 'host' | 'boot' | 'namespace' | 'not-permitted';
    }
  | { readonly kind: 'stopped'; readonly owner: ProcessIdentity; readonly by: 'closed' | 'gone' }
  | { readonly kind: 'still-running'; readonly owner: ProcessIdentity; readonly waitedMs: number };

export type StopParts = {
  readonly clock: Clock;
  readonly self: ProcessIdentity;
  /** Who holds the audit now. */
  readonly holder: () => Promise<EpochHolder>;
  /** When the process with this pid started; undefined when there is none. */
  readonly startTimeOf: (pid: number) => Promise<string | undefined>;
  /** Sends SIGINT. */
  readonly interrupt: (pid: number) => 'sent' | 'gone' | 'not-permitted';
  readonly waitMs: number;
};

/**
 * Asks the owner of an audit to stop, as Ctrl-C would (W5), and waits until it has gone or has closed
 * the log. A pid alone is used again: only a process of this host, boot and pid namespace whose start
 * time is the recorded one is signalled, and it is looked at right before.
 */
export const stopOwner = async (parts: StopParts): Promise<Stopping> => {
  const { clock, self, holder, startTimeOf, interrupt, waitMs } = parts;
  const held = await holder();
  if (held.kind !== 'process') {
    return { kind: 'no-owner', because: held.kind === 'nobody' ? 'closed' : 'unknown' };
  }
  const { epoch, owner } = held;
  const far = whereElse(owner, self);
  if (far !== undefined) return { kind: 'elsewhere', owner, because: far };
  const lives = async (): Promise<boolean> => (await startTimeOf(owner.pid)) === owner.startTime;
  if (!(await lives())) return { kind: 'no-owner', because: 'gone' };
  const sent = interrupt(owner.pid);
  if (sent === 'gone') return { kind: 'no-owner', because: 'gone' };
  if (sent === 'not-permitted') return { kind: 'elsewhere', owner, because: 'not-permitted' };
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    const now = await holder();
    if (now.kind !== 'process' || now.epoch !== epoch) {
      return { kind: 'stopped', owner, by: 'closed' };
    }
    if (!(await lives())) return { kind: 'stopped', owner, by: 'gone' };
    if (waitedMs >= waitMs) return { kind: 'still-running', owner, waitedMs };
    await clock.sleepUntil(next(clock.now()), new AbortController().signal);
  }
};

const LOOK_EVERY_MS = 100;

const next = (now: Instant): Instant => now + LOOK_EVERY_MS;

const whereElse = (
  owner: ProcessIdentity,
  self: ProcessIdentity,
): 'host' | 'boot' | 'namespace' | undefined => {
  if (owner.host !== self.host) return 'host';
  if (owner.bootId !== self.bootId) return 'boot';
  return owner.pidNamespace === self.pidNamespace ? undefined : 'namespace';
};
