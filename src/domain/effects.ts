import type { BlobRef, EventNumber, PacketId, Token } from './ids.ts';
import type { ProviderId, Stage } from './vocabulary.ts';

/**
 * What ought to be running, as data. `plan` yields all of it each time; the engine compares with
 * what does run. The key says which effects are the same one.
 */
export type Effect =
  | {
      readonly type: 'DeriveStage';
      readonly key: string;
      readonly stage: Stage;
      /** Number of the last event that the stage's inputs depend on. */
      readonly basis: EventNumber;
    }
  | {
      readonly type: 'RunAttempt';
      readonly key: string;
      readonly token: Token;
      readonly packet: PacketId;
      readonly provider: ProviderId;
      readonly prompt: BlobRef;
    }
  /** A lease whose tasks are all settled: end what runs under it. Same key as its `RunAttempt`. */
  | {
      readonly type: 'StopAttempt';
      readonly key: string;
      readonly token: Token;
      readonly packet: PacketId;
      readonly provider: ProviderId;
      readonly prompt: BlobRef;
    }
  | {
      readonly type: 'JudgeAnswer';
      readonly key: string;
      /** The event that brought the answer. */
      readonly of: EventNumber;
      readonly packet: PacketId;
      readonly answer: BlobRef;
      /** Whose answer it is. */
      readonly provider: ProviderId;
      /** Its provider measured that the model put out nothing. */
      readonly isWordless?: boolean | undefined;
    }
  /** Look into an input that waits: which packets does it bring answers for? */
  | {
      readonly type: 'OpenInput';
      readonly key: string;
      /** The event that brought it. */
      readonly of: EventNumber;
      readonly content: BlobRef;
      /** The packet whose assigned place it lay in. */
      readonly packet?: PacketId;
    }
  | { readonly type: 'WriteReport'; readonly key: string };

export type EffectType = Effect['type'];
