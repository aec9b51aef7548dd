import { setTimeout as wait } from 'node:timers/promises';
import type { AttemptEnd } from '../domain/attempt-end.ts';
import type { AttemptLimits } from '../domain/settings.ts';
import type { ExitStatus } from './subprocess.ts';

/** Why an attempt's process is over: the first cause, and no later one. */
export type Cause =
  /** By itself. The status is undefined when it was not our child: then nobody can ask for it. */
  | { readonly kind: 'ended'; readonly status: ExitStatus | undefined }
  | { readonly kind: 'limit'; readonly limit: OverLimit; readonly afterMs: number }
  | { readonly kind: 'stopped'; readonly by: StoppedBy };

type OverLimit = Extract<AttemptEnd, { kind: 'timed-out' }>['limit'];
type StoppedBy = Extract<AttemptEnd, { kind: 'cancelled' }>['by'];

export type Watched = {
  readonly exited: Promise<ExitStatus | undefined>;
  readonly limits: AttemptLimits;
  /** How long it has run, and been silent, before this watch began. */
  readonly beforeMs: { readonly whole: number; readonly silent: number };
  readonly look: () => Promise<SignOfLife>;
  readonly stop: AbortSignal;
};

export type SignOfLife = {
  /** Differs from the one before when anything was written. */
  readonly mark: string;
  readonly isOverOutput: boolean;
};

/**
 * Watches a process until it ends, is over a limit or is to be stopped; ends nothing itself.
 *
 * Time is measured by the monotonic clock: a corrected wall clock or a night in a closed laptop
 * must not end a healthy process.
 */
export const watchProcess = async (watched: Watched): Promise<Cause> => {
  const { exited, limits, beforeMs, look, stop } = watched;
  const startedAt = performance.now() - beforeMs.whole;
  let aliveAt = performance.now() - beforeMs.silent;
  let mark: string | undefined;

  const first: { cause?: Cause } = {};
  const decided = new AbortController();
  const decide = (cause: Cause): void => {
    first.cause ??= cause;
    decided.abort();
  };
  void exited.then((status) => decide({ kind: 'ended', status }));
  const onStop = (): void => decide({ kind: 'stopped', by: stoppedBy(stop.reason) });
  stop.addEventListener('abort', onStop, { once: true });
  if (stop.aborted) onStop();

  for (;;) {
    const seen = await look();
    const now = performance.now();
    if (mark !== undefined && mark !== seen.mark) aliveAt = now;
    mark = seen.mark;
    const restMs = { wall: startedAt + limits.wallMs - now, idle: aliveAt + limits.idleMs - now };
    const over = overLimit(restMs, seen);
    if (over !== undefined) {
      decide({ kind: 'limit', limit: over, afterMs: Math.round(now - startedAt) });
    }
    if (first.cause !== undefined) break;
    const pauseMs = Math.max(1, Math.min(LOOK_EVERY_MS, restMs.wall, restMs.idle));
    await wait(pauseMs, undefined, { signal: decided.signal }).catch(() => undefined);
  }
  stop.removeEventListener('abort', onStop);
  return first.cause;
};

/** Three looks at files each time: cheap, and a stream of a gigabyte a second is still caught. */
export const LOOK_EVERY_MS = 100;

const overLimit = (
  restMs: { readonly wall: number; readonly idle: number },
  seen: SignOfLife,
): OverLimit | undefined => {
  if (seen.isOverOutput) return 'output';
  if (restMs.wall <= 0) return 'wall';
  return restMs.idle <= 0 ? 'idle' : undefined;
};

/** Who stops says so as the abort's reason; without a word it is the operator. */
export const stoppedBy = (reason: unknown): StoppedBy =>
  reason === 'settled' || reason === 'budget' ? reason : 'operator';
