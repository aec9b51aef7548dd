import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { commitEnvelope } from '../../src/domain/commit.ts';
import { EVENT_FIELDS, strictEvent, tolerantEvent } from '../../src/domain/events.ts';
import { compileCheck } from '../../src/store/schema-check.ts';

const SAMPLES = [
  ...['', 'x', 'x'.repeat(101), 'ab'.repeat(32), 'AB'.repeat(32), '0123456789abcdef'],
  ...['p-0123456789abcdef', 't-0123456789abcdef', 'f-0123456789abcdef', 'p-0123456789ABCDEF'],
  ...['20261130T101400123Z-1f3c9a', '2026-11-30T10:14:00.123Z', '2026-02-30T10:14:00.123Z'],
];

/** JSON values that a schema mostly takes, made from the schema, with some parts spoilt. */
const valueOf = (schema: z.core.$ZodType): fc.Arbitrary<unknown> => {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const junk = fc.oneof({ maxDepth: 1 }, fc.jsonValue(), fc.constant(undefined));
  const spoilt = (good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 40, arbitrary: good }, { weight: 1, arbitrary: junk });
  const known: Readonly<Record<string, () => fc.Arbitrary<unknown>>> = {
    string: () => {
      const fit = SAMPLES.filter((sample) => (schema as z.ZodType).safeParse(sample).success);
      const any = fc.constantFrom(...SAMPLES);
      return fit.length === 0
        ? any
        : fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...fit) }, any);
    },
    number: () => fc.constantFrom(1, 2, 77, 0, -1, 1.5, 2 ** 53),
    boolean: () => fc.boolean(),
    literal: () => fc.constantFrom(...(def as z.core.$ZodLiteralDef<string>).values),
    enum: () => fc.constantFrom(...Object.values((def as z.core.$ZodEnumDef).entries)),
    optional: () =>
      fc.option(valueOf((def as z.core.$ZodOptionalDef).innerType), { nil: undefined }),
    array: () => fc.array(spoilt(valueOf((def as z.core.$ZodArrayDef).element)), { maxLength: 3 }),
    union: () => fc.oneof(...(def as z.core.$ZodUnionDef).options.map((option) => valueOf(option))),
    object: () => {
      const fields = Object.entries((def as z.core.$ZodObjectDef).shape);
      const record = fc.record(
        Object.fromEntries(fields.map(([key, field]) => [key, spoilt(valueOf(field))])),
      );
      const more = fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, fc.constant({ more: 1 }));
      return fc.tuple(record, more).map(([value, extra]) => ({ ...value, ...extra }));
    },
  };
  return known[def.type]?.() ?? junk;
};

const agrees = (schema: z.ZodType): void => {
  const check = compileCheck(schema);
  expect(check).toBeDefined();
  let accepted = 0;
  fc.assert(
    fc.property(valueOf(schema), (made) => {
      // Both see what a line of the log can hold: JSON.
      const value: unknown = JSON.parse(JSON.stringify(made) ?? 'null');
      const reading = schema.safeParse(value);
      expect(check?.(value)).toBe(reading.success);
      if (!reading.success) return;
      accepted += 1;
      expect(reading.data).toEqual(value);
    }),
    { numRuns: 3000 },
  );
  expect(accepted).toBeGreaterThan(30);
};

test('every kind of event has a fast check: none is left to zod at each replay', () => {
  const left = Object.entries(EVENT_FIELDS).filter(
    ([, fields]) => compileCheck(z.strictObject(fields)) === undefined,
  );
  expect(left.map(([type]) => type)).toEqual([]);
});

test('the fast check of a written event agrees with zod, and zod gives the same value back', () => {
  agrees(strictEvent);
});
test('the fast check of a read event agrees with zod, and zod gives the same value back', () => {
  agrees(tolerantEvent);
});
test('the fast check of the envelope agrees with zod, and zod gives the same value back', () => {
  agrees(commitEnvelope);
});
