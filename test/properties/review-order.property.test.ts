import fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderForReview } from '../../src/pipeline/review-order.ts';

const packetsArbitrary = fc.array(
  fc.record({
    risk: fc.integer({ min: 0, max: 5 }),
    areas: fc.oneof(
      fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 }),
      // One area that holds most of the work, alone and together with others.
      fc.constantFrom(['a'], ['a'], ['a'], ['b', 'a'], ['a', 'b'], ['c', 'a']),
    ),
  }),
  { maxLength: 40 },
);

const countIn = (packets: readonly { readonly areas: readonly string[] }[], area: string): number =>
  packets.filter(({ areas }) => areas.includes(area)).length;

test('among the first k packets for each area, every area has at least k, or all of its own', () => {
  fc.assert(
    fc.property(packetsArbitrary, fc.integer({ min: 1, max: 8 }), (packets, k) => {
      const areas = [...new Set(packets.flatMap((packet) => packet.areas))];
      const first = orderForReview(packets).slice(0, k * areas.length);
      for (const area of areas) {
        expect(countIn(first, area)).toBeGreaterThanOrEqual(Math.min(k, countIn(packets, area)));
      }
    }),
  );
});

test('the riskiest packet comes first, and no packet is lost', () => {
  fc.assert(
    fc.property(packetsArbitrary, (packets) => {
      const ordered = orderForReview(packets);
      expect(new Set(ordered)).toEqual(new Set(packets));
      expect(ordered.length).toBe(packets.length);
      const most = packets.reduce((top, { risk }) => Math.max(top, risk), 0);
      if (packets.length > 0) expect(ordered[0]?.risk).toBe(most);
    }),
  );
});

test('where one area holds everything, the order is that of the risk', () => {
  fc.assert(
    fc.property(packetsArbitrary, (packets) => {
      const risks = orderForReview(packets.map((packet) => ({ ...packet, areas: ['a'] }))).map(
        ({ risk }) => risk,
      );
      expect(risks).toEqual(risks.toSorted((left, right) => right - left));
    }),
  );
});

test('an area that stands only beside a crowded one is not forgotten for it', () => {
  const crowd = Array.from({ length: 9 }, () => ({ risk: 5, areas: ['a'] }));
  const rare = { risk: 1, areas: ['b', 'a'] };
  expect(orderForReview([...crowd, rare])[1]).toBe(rare);
  expect(orderForReview([...crowd, { ...rare, areas: ['a', 'b'] }])[1]?.risk).toBe(1);
});
