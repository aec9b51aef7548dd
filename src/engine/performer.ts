import type { LogPosition } from '../domain/commit.ts';
import type { AttemptReport, DeepeningSum, TaskVerdict } from '../domain/commands.ts';
import type { Effect } from '../domain/effects.ts';
import type { AuditEventOf, PlannedPacket, PlannedTask, RefusedInput } from '../domain/events.ts';
import type { BlobRef, EventNumber, PacketId } from '../domain/ids.ts';
import type { AuditState } from '../decider/state.ts';

/** What the engine asks the shell to do. Each resolves with what the log shall hold. */
export type Performer = {
  readonly derive: (
    effect: Extract<Effect, { type: 'DeriveStage' }>,
    state: AuditState,
    stop: AbortSignal,
  ) => Promise<StageReport>;
  readonly attempt: (
    effect: Extract<Effect, { type: 'RunAttempt' | 'StopAttempt' }>,
    state: AuditState,
    stop: AbortSignal,
  ) => Promise<AttemptReport>;
  readonly judge: (
    effect: Extract<Effect, { type: 'JudgeAnswer' }>,
    state: AuditState,
  ) => Promise<{ readonly verdicts: readonly TaskVerdict[]; readonly remainder?: PlannedPacket }>;
  /** Which packets the bytes are about, and what in them is about nothing. */
  readonly openInput: (
    effect: Extract<Effect, { type: 'OpenInput' }>,
    state: AuditState,
  ) => Promise<{
    readonly packets: readonly PacketId[];
    readonly refused: readonly RefusedInput[];
  }>;
  readonly report: (state: AuditState, position: LogPosition) => Promise<void>;
};

export type StageReport =
  | {
      readonly kind: 'derived';
      readonly artifact: BlobRef;
      readonly tasks?: readonly PlannedTask[];
      readonly packets?: readonly PlannedPacket[];
      readonly incomplete?: readonly string[];
      /** With the synthesis: why nothing more is looked at again. */
      readonly deepeningEnd?: DeepeningSum;
      /** Inputs that the artifact is made of. */
      readonly consumed?: readonly EventNumber[];
      /** Files that are not any more what the inventory says, found on the way. */
      readonly drifted?: AuditEventOf<'InputDrifted'>['paths'];
    }
  | { readonly kind: 'failed'; readonly message: string; readonly remedy: string };
