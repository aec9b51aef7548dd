import type { Instant, PacketId } from '../domain/ids.ts';
import type { AccountView, Board, Budget, HoldReason } from './board.ts';
import { isCooling, schedule } from './schedule.ts';

/** Why a packet does or does not start now. Computed when somebody asks; never logged. */
export type Reason =
  | { readonly kind: 'unknown-packet' }
  | { readonly kind: 'settled' | 'abandoned' | 'in-flight' | 'being-judged' }
  | { readonly kind: 'starts-now' }
  | { readonly kind: HoldReason }
  | { readonly kind: 'starts-used-up' }
  /** `--limit`: this process has begun as many packets as it may. */
  | { readonly kind: 'packets-used-up' }
  | { readonly kind: 'backing-off'; readonly until: Instant }
  | { readonly kind: 'accounts-cooling'; readonly until: Instant }
  | { readonly kind: 'accounts-exhausted' }
  /** Better packets take every slot; `ceiling` is how many there are. */
  | { readonly kind: 'no-free-slot'; readonly ceiling: number };

/** @returns the first reason that holds, in the order in which `schedule` looks. */
export const why = (
  board: Board,
  accounts: readonly AccountView[],
  budget: Budget,
  now: Instant,
  packet: PacketId,
): Reason => {
  const standing = board.standing(packet);
  if (standing === undefined) return { kind: 'unknown-packet' };
  switch (standing.status) {
    case 'settled':
    case 'abandoned':
      return { kind: standing.status };
    case 'running':
    case 'leased':
      return { kind: 'in-flight' };
    case 'answered':
      return { kind: 'being-judged' };
    case 'ready':
    case 'backing-off':
      break;
  }
  if (budget.heldBack !== undefined) return { kind: budget.heldBack };
  if (budget.startsLeft === 0) return { kind: 'starts-used-up' };
  const { packets } = budget;
  if (packets !== undefined && packets.begun.size >= packets.max && !packets.begun.has(packet)) {
    return { kind: 'packets-used-up' };
  }
  const usable = accounts.filter((account) => !account.isExhausted);
  if (usable.length === 0) return { kind: 'accounts-exhausted' };
  if (usable.every((account) => isCooling(account, now))) {
    return {
      kind: 'accounts-cooling',
      until: Math.min(...usable.map(({ cooldownUntil }) => cooldownUntil ?? now)),
    };
  }
  if (standing.retryAt !== undefined && standing.retryAt > now) {
    return { kind: 'backing-off', until: standing.retryAt };
  }
  const starts = schedule(board, accounts, budget, now).start;
  return starts.some((start) => start.packet === packet)
    ? { kind: 'starts-now' }
    : { kind: 'no-free-slot', ceiling: usable.reduce((sum, { ceiling }) => sum + ceiling, 0) };
};
