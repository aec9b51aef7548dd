import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shown } from '../../src/std/shown.ts';
import { ONE_LINE } from '../helpers/one-line.ts';

test('a value of others is shown on one short printable line', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      expect(shown(value)).toMatch(ONE_LINE);
    }),
  );
  expect([undefined, null, 'a"b', '', 0.5, [], [1], {}].map((value) => shown(value))).toEqual([
    'nothing',
    'null',
    '"a\\"b"',
    '""',
    '0.5',
    'an empty list',
    'a list',
    'an object',
  ]);
});
