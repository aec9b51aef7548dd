import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PROJECT } from '../helpers/built-paths.ts';
import { RULES, type Rule } from './rules.ts';
import { TABLE, type Input, type Row } from './table.ts';

/**
 * The predecessor's own cases, run through our code. `CASEFILE_VECTORS` names another folder, which may
 * hold other cases of the same sets, or lack some sets.
 */
const GIVEN = join(PROJECT, 'fixtures', 'conformance');
const FOLDER = process.env['CASEFILE_VECTORS'] ?? GIVEN;

const setFile = z.looseObject({
  cases: z.array(
    z.looseObject({
      name: z.string(),
      input: z.record(z.string(), z.unknown()),
      expected: z.unknown(),
    }),
  ),
});
type Case = { readonly name: string; readonly input: Input; readonly expected: unknown };

const readCases = (folder: string, set: string): readonly Case[] =>
  setFile.parse(JSON.parse(readFileSync(join(folder, `${set}.json`), 'utf8'))).cases;

const rulesFor = (set: string, input: Input): readonly Rule[] =>
  RULES.filter((rule) => rule.applies(set, input));

for (const row of TABLE) {
  if (!existsSync(join(FOLDER, `${row.set}.json`))) continue;
  describe(`${row.subject} gives what the predecessor gave (${row.set})`, () => {
    const cases = readCases(FOLDER, row.set);
    // A name may stand twice in a set: the number tells the cases apart.
    test.each(cases.map((one, index) => [index + 1, one.name, one] as const))(
      'case %i: %s',
      (_index, _name, { input, expected }) => {
        const [rule] = rulesFor(row.set, input);
        const wanted = rule === undefined ? expected : rule.expected(input, expected);
        expect(asJson(row.run(input))).toEqual(wanted);
      },
    );
  });
}

test('some of the sets are in the folder', () => {
  expect(TABLE.filter(({ set }) => existsSync(join(FOLDER, `${set}.json`)))).not.toEqual([]);
});

test('the table names the sets that are given, each once', () => {
  const files = readdirSync(GIVEN).map((name) => name.replace(/\.json$/, ''));
  expect(TABLE.map(({ set }: Row) => set).toSorted()).toEqual(files.toSorted());
});

const given = TABLE.flatMap(({ set }) => readCases(GIVEN, set).map((one) => ({ set, ...one })));

test.each(RULES.map((rule) => [rule.name, rule] as const))(
  'the rule "%s" is used, says why, and differs wherever it applies',
  (_name, rule) => {
    const covered = given.filter(({ set, input }) => rule.applies(set, input));
    expect(covered).not.toEqual([]);
    expect(rule.reason).toMatch(/^.{40,}\.$/);
    for (const { input, expected } of covered)
      expect(rule.expected(input, expected)).not.toEqual(expected);
  },
);

test('rules are few, and no case falls under two', () => {
  expect(RULES.length).toBeLessThanOrEqual(12);
  expect(given.filter(({ set, input }) => rulesFor(set, input).length > 1)).toEqual([]);
});

/** As the sets have been written: undefined is left out, and what is no number is null. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null') as unknown;
