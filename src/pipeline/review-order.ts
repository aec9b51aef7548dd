/** What the order of the work knows of a packet. */
export type Orderable = {
  readonly risk: number;
  /** Units and lenses that it has tasks of: all that must not wait for ever. */
  readonly areas: readonly string[];
};

/**
 * The order in which packets are to be started: the riskiest first, with a minimum for every area.
 *
 * Round after round: the first holds the riskiest packet of every area, the second takes from every
 * area its next, and so on; a packet of several areas is in the earliest of their rounds. Within a
 * round the riskiest comes first, and equals keep their order. So among the first (k × areas) packets
 * every area has at least k, or all of its own; and however an audit is cut short, no area was
 * forgotten for the sake of one that is riskier.
 */
export const orderForReview = <T extends Orderable>(packets: readonly T[]): readonly T[] => {
  const begun = new Map<string, number>();
  return packets
    .toSorted((left, right) => right.risk - left.risk)
    .map((packet) => {
      let round = packet.areas.length === 0 ? 0 : Infinity;
      for (const area of packet.areas) {
        const before = begun.get(area) ?? 0;
        round = Math.min(round, before);
        begun.set(area, before + 1);
      }
      return { packet, round };
    })
    .toSorted((left, right) => left.round - right.round)
    .map(({ packet }) => packet);
};
