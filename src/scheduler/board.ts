import type { AccountId, Instant, PacketId } from '../domain/ids.ts';

/**
 * What the scheduler may know. The board is a view of the folded state, not a copy: a call looks at
 * the first few packets and never walks the whole of it.
 */
export type Board = {
  /** Packets that may start now as far as they are concerned, best first. */
  readonly ready: () => Iterable<WaitingPacket>;
  /** Packets that wait after a failure, the earliest `retryAt` first. */
  readonly backingOff: () => Iterable<WaitingPacket & { readonly retryAt: Instant }>;
  readonly standing: (packet: PacketId) => Standing | undefined;
};

export type WaitingPacket = {
  readonly packet: PacketId;
  /** Place in the plan's order; smaller starts earlier. */
  readonly order: number;
};

export type AccountView = {
  readonly id: AccountId;
  /** Calls that it may have in flight. */
  readonly ceiling: number;
  readonly inFlight: number;
  readonly cooldownUntil: Instant | undefined;
  readonly isExhausted: boolean;
};

/** What may still be spent by this process. */
export type Budget = {
  /** Starts left of `--max-runs`; undefined: no such limit. */
  readonly startsLeft: number | undefined;
  /** Packets that this process may begin (`--limit`), and those that it has begun. */
  readonly packets: { readonly max: number; readonly begun: ReadonlySet<PacketId> } | undefined;
  /** Why nothing at all may start. */
  readonly heldBack: HoldReason | undefined;
};

/**
 * `stopped`: nobody works on it, or a stop was asked for. `hand-off`: others do the work and hand
 * their answers in. `question`: the operator is asked. `answers-held`: answers that were handed in
 * are not judged yet, and may make a call needless.
 */
export type HoldReason = 'stopped' | 'hand-off' | 'question' | 'answers-held';

export type Standing = {
  readonly status:
    'ready' | 'running' | 'leased' | 'answered' | 'backing-off' | 'settled' | 'abandoned';
  readonly order: number;
  readonly retryAt: Instant | undefined;
};
