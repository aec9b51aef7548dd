import type { PlannedTask } from '../domain/events.ts';

type Packet = {
  readonly tasks: readonly PlannedTask[];
  readonly draft: { readonly tokens: number };
};

/**
 * The packets from the front that come to a share of all tokens: as many as fit, at least one. What
 * is left of a file that was cut comes with its kept parts: a cell is looked at whole or not at all.
 */
export const keepShare = <T extends Packet>(
  packets: readonly T[],
  share: number,
): { readonly kept: readonly T[]; readonly left: readonly T[] } => {
  if (share >= 1) return { kept: packets, left: [] };
  const total = packets.reduce((sum, { draft }) => sum + draft.tokens, 0);
  let sum = 0;
  const wanted = new Set<T>();
  for (const packet of packets) {
    sum += packet.draft.tokens;
    if (wanted.size > 0 && sum > total * share) break;
    wanted.add(packet);
  }
  const byCut = new Map<string, T[]>();
  for (const packet of packets) {
    for (const path of cutPaths(packet)) {
      const known = byCut.get(path);
      if (known === undefined) byCut.set(path, [packet]);
      else known.push(packet);
    }
  }
  // A Set is walked to its end even as it grows.
  for (const packet of wanted) {
    for (const path of cutPaths(packet))
      for (const other of byCut.get(path) ?? []) wanted.add(other);
  }
  return {
    kept: packets.filter((packet) => wanted.has(packet)),
    left: packets.filter((packet) => !wanted.has(packet)),
  };
};

const cutPaths = ({ tasks }: Packet): ReadonlySet<string> =>
  new Set(tasks.flatMap(({ ranges = [] }) => ranges.map(({ path }) => path)));
