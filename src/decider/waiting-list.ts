import type { Instant, PacketId } from '../domain/ids.ts';
import { assert } from '../std/assert.ts';

/**
 * Packets that wait, in order: by the plan's order, or by time and then by the plan's order, which is
 * unique. The scheduler takes from the front, so what is taken there is only passed over and cut off
 * later, many at once: moving the rest up each time would make a start cost as much as the board is
 * long.
 */
export type WaitingList = {
  readonly key: 'order' | 'retryAt';
  readonly entries: Waiting[];
  /** Entries before this one are gone. */
  first: number;
};

export type Waiting = {
  readonly packet: PacketId;
  readonly order: number;
  readonly retryAt: Instant;
};

export const createWaitingList = (key: WaitingList['key']): WaitingList => ({
  key,
  entries: [],
  first: 0,
});

export const copyWaitingList = ({ key, entries, first }: WaitingList): WaitingList => ({
  key,
  entries: entries.slice(first),
  first: 0,
});

/** What waits, the first one first. */
export function* waitingIn({ entries, first }: WaitingList): Generator<Waiting> {
  for (let place = first; place < entries.length; place += 1) yield entries[place] as Waiting;
}

export const insertWaiting = (list: WaitingList, waiting: Waiting): void => {
  const place = placeOf(list, waiting);
  if (place === list.first && place > 0) {
    list.first -= 1;
    list.entries[list.first] = waiting;
  } else if (place === list.entries.length) list.entries.push(waiting);
  else list.entries.splice(place, 0, waiting);
};

export const removeWaiting = (list: WaitingList, waiting: Waiting): void => {
  const place = placeOf(list, waiting);
  assert(
    list.entries[place]?.packet === waiting.packet,
    'I3: a waiting packet stands in its list, at its place',
  );
  if (place === list.first) list.first += 1;
  else list.entries.splice(place, 1);
  // At half of all, a cut costs no more than the starts before it: nothing on the average.
  if (list.first * 2 < list.entries.length) return;
  list.entries.splice(0, list.first);
  list.first = 0;
};

/** First place whose entry is not before `waiting`. */
const placeOf = ({ key, entries, first }: WaitingList, waiting: Waiting): number => {
  let low = first;
  let high = entries.length;
  const next = entries[low];
  if (next === undefined || next.order === waiting.order) return low;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entries[middle] as Waiting;
    const isBefore =
      entry[key] < waiting[key] || (entry[key] === waiting[key] && entry.order < waiting.order);
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
};
