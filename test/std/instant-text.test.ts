import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoTime } from '../../src/std/instant-text.ts';

const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

test('an instant reads as the calendar of the platform has it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: LAST }), (instant) => {
      expect(isoTime(instant)).toBe(new Date(instant).toISOString());
    }),
  );
});

test('every day of eight centuries has its date, leap days and centuries included', () => {
  for (let day = 0; day < 292_194; day += 1) {
    const instant = day * 86_400_000 + 86_399_999;
    if (isoTime(instant) !== new Date(instant).toISOString())
      expect(isoTime(instant)).toBe(new Date(instant).toISOString());
  }
});

test('the first and the last instant that can be written', () => {
  expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z');
  expect(isoTime(LAST)).toBe('9999-12-31T23:59:59.999Z');
});
