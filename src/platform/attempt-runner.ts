import type { AttemptEnd } from '../domain/attempt-end.ts';
import type { AttemptLimits } from '../domain/settings.ts';

/**
 * Runs one attempt's process and tells exactly once how it ended.
 *
 * A1. Before it spawns, it makes `started` in the attempt's scratch folder (exclusive, synced), then
 *     adds pid, process start time and boot id. The child's environment carries the marker.
 * A2. For an attempt that has that file it never spawns again: it adopts the living process (found
 *     by the file or by the marker) and waits for it, or takes the answer file, or reports `lost`.
 */
export type AttemptRunner = {
  /** Never rejects for what the child does. When `stop` aborts, the tree is ended: `cancelled`. */
  readonly run: (launch: Launch, stop: AbortSignal) => Promise<ProcessReport>;
};

export type Launch = {
  /** `<audit>:<token>`, in the child's environment as `CASEFILE_ATTEMPT`. */
  readonly marker: string;
  /** Absolute folder of this attempt alone (`attempts/<token>`); made when missing. */
  readonly scratch: string;
  /** Program and arguments. No shell. */
  readonly command: readonly [string, ...string[]];
  /** Added to the scrubbed environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Opened as the child's stdin; nothing when undefined. */
  readonly stdinFile?: string;
  /** Where the worker writes its answer. */
  readonly answerFile: string;
  /** Where it may say why it stopped. */
  readonly signalFile: string;
  readonly limits: AttemptLimits;
};

export type ProcessReport = {
  readonly end: AttemptEnd;
  /** The answer file's bytes, if it is there and not empty. */
  readonly answer?: Uint8Array;
  /** The signal file's bytes, likewise. */
  readonly signal?: Uint8Array;
  /** The first `outputBytesMax` of each stream. */
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
};
