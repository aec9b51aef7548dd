import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultCooldownMs, leaseUntil, retryAt } from '../../src/scheduler/retry-policy.ts';

const pauses = (packet: string) =>
  Array.from({ length: 9 }, (_, index) => retryAt({ packet, counted: index + 1, at: 0 }));

test('pauses of a packet double from a second to a minute, and up to a quarter more', () => {
  const least = [1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1000);
  fc.assert(
    fc.property(fc.string(), (packet) => {
      for (const [index, pauseMs] of pauses(packet).entries()) {
        expect(pauseMs).toBeGreaterThanOrEqual(least[index]!);
        expect(pauseMs).toBeLessThanOrEqual(least[index]! * 1.25);
      }
    }),
  );
});

test('the jitter is no chance, and spreads packets that failed together', () => {
  const at = 7;
  const packets = Array.from({ length: 40 }, (_, index) => `p-${index}`);
  const instants = packets.map((packet) => retryAt({ packet, counted: 3, at }));
  expect(packets.map((packet) => retryAt({ packet, counted: 3, at }))).toEqual(instants);
  expect(new Set(instants).size).toBeGreaterThan(30);
});

test('assumed cooldowns double from a minute to a quarter of an hour', () => {
  const minutes = [1, 2, 3, 4, 5, 6, 50].map((row) => defaultCooldownMs(row) / 60_000);
  expect(minutes).toEqual([1, 2, 4, 8, 15, 15, 15]);
});

test('a lease is a minute longer than its attempt may take, so that its runner speaks first', () => {
  expect(leaseUntil({ at: 1000, wallMs: 5000 })).toBe(66_000);
});
