import type { AccountId, Instant, PacketId } from '../domain/ids.ts';
import type { AccountView, Board, Budget, WaitingPacket } from './board.ts';

export type Start = { readonly packet: PacketId; readonly account: AccountId };

export type Schedule = {
  /** To be started now, best first. */
  readonly start: readonly Start[];
  /** The next instant at which more could start without anything else happening. */
  readonly waitUntil?: Instant;
};

/**
 * Rolling starts: every free slot of every account that may start takes the best packet that is
 * ready. There are no waves; the next call refills a slot as soon as it is free.
 *
 * Never more in flight than an account's ceiling, nothing during its cooldown, nothing once the
 * budget's starts are used or a stop was asked for. The same inputs give the same decision. The
 * work of a call grows with the starts it makes, not with the board.
 */
export const schedule = (
  board: Board,
  accounts: readonly AccountView[],
  budget: Budget,
  now: Instant,
): Schedule => {
  if (budget.heldBack !== undefined || budget.startsLeft === 0) return { start: [] };
  const usable = accounts.filter((account) => !account.isExhausted);
  const slots = usable
    .filter((account) => !isCooling(account, now))
    .flatMap((account) => freeSlots(account));
  const wanted = Math.min(slots.length, budget.startsLeft ?? slots.length);
  const candidates = withinLimit(board, budget, inOrder(dueOf(board, now), board.ready()));
  const taken = firstOf(candidates, wanted);
  const start = taken.map(({ packet }, place) => ({ packet, account: slots[place] as AccountId }));
  const waitUntil = nextChance(board, usable, now);
  return waitUntil === undefined ? { start } : { start, waitUntil };
};

const freeSlots = (account: AccountView): AccountId[] =>
  Array.from({ length: Math.max(0, account.ceiling - account.inFlight) }, () => account.id);

/** The earliest end of a cooldown or of a packet's pause that is still to come. */
const nextChance = (
  board: Board,
  accounts: readonly AccountView[],
  now: Instant,
): Instant | undefined => {
  const instants: Instant[] = [];
  if (hasWork(board)) {
    for (const { cooldownUntil } of accounts) {
      if (cooldownUntil !== undefined && cooldownUntil > now) instants.push(cooldownUntil);
    }
  }
  for (const { retryAt } of board.backingOff()) {
    if (retryAt <= now) continue;
    instants.push(retryAt);
    break;
  }
  return instants.length === 0 ? undefined : Math.min(...instants);
};

/** Whether nothing may start on the account before its cooldown ends. */
export const isCooling = (account: Pick<AccountView, 'cooldownUntil'>, now: Instant): boolean =>
  account.cooldownUntil !== undefined && account.cooldownUntil > now;

const hasWork = (board: Board): boolean => {
  for (const _ of board.ready()) return true;
  for (const _ of board.backingOff()) return true;
  return false;
};

/** Packets whose time has come, in the plan's order. They stand first in the list by time. */
const dueOf = (board: Board, now: Instant): WaitingPacket[] => {
  const due: WaitingPacket[] = [];
  for (const waiting of board.backingOff()) {
    if (waiting.retryAt > now) break;
    due.push(waiting);
  }
  return due.sort((left, right) => left.order - right.order);
};

/** What `--limit` leaves; the board is not walked further once nothing can follow. */
function* withinLimit(
  board: Board,
  { packets }: Budget,
  waiting: Iterable<WaitingPacket>,
): Iterable<WaitingPacket> {
  let fresh = packets === undefined ? Infinity : Math.max(0, packets.max - packets.begun.size);
  let again = [...(packets?.begun ?? [])].filter((packet) => isWaiting(board, packet)).length;
  for (const candidate of waiting) {
    if (fresh + again === 0) return;
    if (packets?.begun.has(candidate.packet) === true) again -= 1;
    else if (fresh > 0) fresh -= 1;
    else continue;
    yield candidate;
  }
}

const isWaiting = (board: Board, packet: PacketId): boolean => {
  const status = board.standing(packet)?.status;
  return status === 'ready' || status === 'backing-off';
};

/** Two sequences that are each in order, as one. */
function* inOrder(
  due: readonly WaitingPacket[],
  ready: Iterable<WaitingPacket>,
): Iterable<WaitingPacket> {
  let next = 0;
  for (const waiting of ready) {
    for (; (due[next]?.order ?? Infinity) < waiting.order; next += 1) {
      yield due[next] as WaitingPacket;
    }
    yield waiting;
  }
  yield* due.slice(next);
}

const firstOf = (waiting: Iterable<WaitingPacket>, count: number): WaitingPacket[] => {
  const taken: WaitingPacket[] = [];
  if (count === 0) return taken;
  for (const candidate of waiting) {
    taken.push(candidate);
    if (taken.length === count) break;
  }
  return taken;
};
