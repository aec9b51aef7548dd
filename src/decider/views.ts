import type { Instant, PacketId } from '../domain/ids.ts';
import type { AccountView, Board, Budget } from '../scheduler/board.ts';
import { isCooling, schedule, type Schedule } from '../scheduler/schedule.ts';
import { why, type Reason } from '../scheduler/why.ts';
import { accountOf } from './account-ledger.ts';
import type { AuditState } from './state.ts';
import { waitingIn } from './waiting-list.ts';

/** The scheduler's windows into the state. */

export const boardOf = (state: AuditState): Board => ({
  ready: () => waitingIn(state.ready),
  backingOff: () => waitingIn(state.backingOff),
  standing: (id) => state.packets.get(id),
});

/** The accounts of the settings in force, in their order of preference. */
export const accountViews = (state: AuditState): readonly AccountView[] =>
  (state.settings?.accounts ?? []).map(({ id }) => {
    const account = accountOf(state, id);
    return {
      id,
      ceiling: account.ceiling,
      inFlight: account.inFlight,
      cooldownUntil: account.cooldownUntil,
      isExhausted: account.exhausted !== undefined,
    };
  });

export const budgetOf = ({ writer }: AuditState): Budget => ({
  startsLeft:
    writer.startsMax === undefined ? undefined : Math.max(0, writer.startsMax - writer.starts),
  isStopped: writer.stop !== undefined || !writer.isOpen,
});

export const scheduleOf = (state: AuditState, now: Instant): Schedule =>
  schedule(boardOf(state), accountViews(state), budgetOf(state), now);

/** Why a packet does or does not start, as the scheduler sees it at `now`. */
export const whyOf = (state: AuditState, now: Instant, packet: PacketId): Reason =>
  why(boardOf(state), accountViews(state), budgetOf(state), now, packet);

/** Every account that is not exhausted is in its cooldown. */
export const allAccountsCool = (state: AuditState, now: Instant): boolean => {
  const usable = accountViews(state).filter((account) => !account.isExhausted);
  return usable.length > 0 && usable.every((account) => isCooling(account, now));
};
