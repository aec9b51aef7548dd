import type { SeededRandom } from './seeded-random.ts';

/**
 * The bytes of one simulated file: what reads show, what a power cut surely leaves, and the changes
 * in between, in order.
 */
export type Content = {
  shown: Uint8Array;
  durable: Uint8Array;
  changes: Change[];
};

export type Change =
  | { readonly kind: 'write'; readonly position: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly length: number };

export const emptyContent = (): Content => ({
  shown: new Uint8Array(),
  durable: new Uint8Array(),
  changes: [],
});

export const change = (content: Content, made: Change): void => {
  content.shown = appliedInPlace(content.shown, made);
  content.changes.push(made);
};

/** Makes the first `count` changes durable. Not simply what is shown: a failed sync dropped some. */
export const settle = (content: Content, count: number): void => {
  for (const made of content.changes.splice(0, count)) {
    content.durable = appliedInPlace(content.durable, made);
  }
};

/** D3: a failed sync may forget changes that reads go on showing. */
export const dropSome = (content: Content, count: number, random: SeededRandom): void => {
  const kept = content.changes.splice(0, count).filter(() => random.oneIn(2));
  content.changes.unshift(...kept);
};

export const copyContent = ({ shown, durable, changes }: Content): Content => ({
  shown: shown.slice(),
  durable: durable.slice(),
  changes: [...changes],
});

/** How a power cut treats what was not synced. The extremes are common, so they are drawn often. */
export type Mood = 'keep' | 'lose' | 'mix';
export const drawMood = (random: SeededRandom): Mood =>
  (['keep', 'lose', 'mix', 'mix'] as const)[random.below(4)] ?? 'mix';

/** What a power cut leaves of a file. */
export const afterPowerCut = (content: Content, mood: Mood, random: SeededRandom): Content => {
  let left = content.durable;
  for (const made of content.changes) left = partlyApplied(left, made, mood, random);
  if (mood === 'mix' && random.oneIn(3)) left = otherLength(left, content.durable, random);
  return { shown: left.slice(), durable: left.slice(), changes: [] };
};

const partlyApplied = (
  before: Uint8Array,
  made: Change,
  mood: Mood,
  random: SeededRandom,
): Uint8Array => {
  if (mood === 'keep') return applied(before, made);
  if (mood === 'lose') return before;
  if (made.kind === 'truncate') return random.oneIn(2) ? applied(before, made) : before;
  const after = applied(before, made);
  const end = made.position + made.bytes.length;
  for (let from = made.position; from < end;) {
    const to = Math.min(end, from + 1 + random.below(made.bytes.length));
    const fate = random.below(3);
    if (fate === 1) for (let at = from; at < to; at += 1) after[at] = before[at] ?? 0;
    if (fate === 2) garble(after, before, from, to, random);
    from = to;
  }
  return after;
};

/**
 * A byte that a write leaves as it was is never garbled: storage mixes old and new, and where the two
 * agree there is nothing to mix. Recovery writes durable bytes again in place and relies on it (V2).
 */
const garble = (
  after: Uint8Array,
  before: Uint8Array,
  from: number,
  to: number,
  random: SeededRandom,
): void => {
  for (let at = from; at < to; at += 1) {
    if (after[at] !== before[at]) after[at] = random.below(256);
  }
};

const otherLength = (left: Uint8Array, durable: Uint8Array, random: SeededRandom): Uint8Array => {
  const least = Math.min(left.length, durable.length);
  const most = Math.max(left.length, durable.length);
  const length = least + random.below(most - least + 1);
  if (length <= left.length) return left.slice(0, length);
  const longer = durable.slice(0, length);
  longer.set(left);
  return longer;
};

const applied = (before: Uint8Array, made: Change): Uint8Array => {
  if (made.kind === 'truncate') {
    const cut = new Uint8Array(made.length);
    cut.set(before.subarray(0, made.length));
    return cut;
  }
  const after = new Uint8Array(Math.max(before.length, made.position + made.bytes.length));
  after.set(before);
  after.set(made.bytes, made.position);
  return after;
};

/** The same with room to grow, so that a log of many short appends is not copied at each of them. */
const appliedInPlace = (before: Uint8Array, made: Change): Uint8Array => {
  if (made.kind === 'truncate') return applied(before, made);
  const end = made.position + made.bytes.length;
  let room = before;
  if (end > before.length) {
    const capacity = before.byteOffset === 0 ? before.buffer.byteLength : 0;
    if (capacity >= end) {
      room = new Uint8Array(before.buffer, 0, end);
    } else {
      room = new Uint8Array(new ArrayBuffer(end * 2), 0, end);
      room.set(before);
    }
  }
  room.set(made.bytes, made.position);
  return room;
};
