import type { Instant, PacketId } from '../domain/ids.ts';
import type { AccountView, Board, Budget, HoldReason } from '../scheduler/board.ts';
import { isCooling, schedule, type Schedule } from '../scheduler/schedule.ts';
import { why, type Reason } from '../scheduler/why.ts';
import { accountOf } from './account-ledger.ts';
import { hasHeldAnswers } from './held-inputs.ts';
import type { AuditState, QuestionRecord } from './state.ts';
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

export const budgetOf = (state: AuditState): Budget => {
  const { startsMax, starts, packetsMax, begun } = state.writer;
  return {
    startsLeft: startsMax === undefined ? undefined : Math.max(0, startsMax - starts),
    packets: packetsMax === undefined ? undefined : { max: packetsMax, begun },
    heldBack: heldBack(state),
  };
};

const heldBack = (state: AuditState): HoldReason | undefined => {
  if (openQuestion(state) !== undefined) return 'question';
  if (state.settings?.provider === 'handoff') return 'hand-off';
  if (state.writer.stop !== undefined || !state.writer.isOpen) return 'stopped';
  return hasHeldAnswers(state) || hasUnjudgedImport(state) ? 'answers-held' : undefined;
};

/** An answer that was handed in may settle a packet that is free to start: it is judged first. */
const hasUnjudgedImport = ({ queue }: AuditState): boolean => {
  for (const item of queue.values()) {
    if (item.kind === 'answer' && item.token === undefined) return true;
  }
  return false;
};

/** The oldest question of an attempt that nobody has answered yet. */
export const openQuestion = (state: AuditState): QuestionRecord | undefined => {
  for (const question of state.questions.values()) {
    if (question.value === undefined && isAskedFor(state, question)) return question;
  }
  return undefined;
};

/** A question whose packet was settled otherwise is nobody's any more. */
export const isAskedFor = (state: AuditState, { packet }: QuestionRecord): boolean =>
  (state.packets.get(packet)?.openTasks ?? 0) > 0;

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
