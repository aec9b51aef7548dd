import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { PROJECT } from '../helpers/built-paths.ts';
import { roomRules, sourceFiles } from './room-table.ts';
import { isNode, parse, textOf, walk, type Node } from './syntax.ts';

/**
 * The failures that this program was built to make impossible, and what makes each of them so: a
 * test, a rule of the linter, a rule of the rooms, or a type. The table is for readers; these checks
 * see to it that none of it is empty talk.
 */
const proof = z.union([
  z.strictObject({ test: z.string(), in: z.string() }),
  z.strictObject({ lint: z.string() }),
  z.strictObject({ rooms: z.string() }),
  z.strictObject({ type: z.string(), in: z.string() }),
]);
type Proof = z.infer<typeof proof>;

const rows = z
  .array(
    z.strictObject({
      id: z.string().regex(/^(?:[RTB]\d+|W\d{2,})$/),
      failure: z.string().min(20),
      impossible: z.array(proof).min(1),
    }),
  )
  .parse(JSON.parse(readFileSync(join(PROJECT, 'test', 'requirements.json'), 'utf8')));

/** The rows that must be there. A failure that is made impossible gets one, here and in the table. */
const REQUIRED = (
  'R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R14 R24 R28 R30 R31 R32 R33 R34 R35 R36 R37 R38 ' +
  'R39 R40 R41 R42 R44 R45 R46 R48 R49 T01 T02 T03 T04 T05 T07 T09 T10 T12 T20 T21 T22 T24 T25 ' +
  'B06 B07 B08 B09 B10 B14 B23 B24 B26 B27 ' +
  'W01 W02 W03 W04 W05 W06 W07 W08 W09 W10 W11 W12 W13 W14 W15 W16 W17 W18 W19 W20 W21 W22 W23 W24 W25 ' +
  'W26 W27 W28 W29 W30 W31 W32 W33 W34 W35 W36 W37 W38 W39 W40 W41 W42 W43 W44 W45 W46 W47 W48 W49 ' +
  'W50 W51 W52 W53 W54 W55 W56 W57 W58 W59 W60 W61 W62 W63 W64 W65 W66 W67 W68 W69 W71 W77 W78 W79 W80 W89 W90 W91 W92 W93 ' +
  'W94 W95 W96 W97 W98'
).split(' ');

test('every required failure has a row, and no row stands twice', () => {
  const ids = rows.map(({ id }) => id);
  expect(REQUIRED.filter((id) => !ids.includes(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(rows.map((row) => [row.id, row] as const))(
  '%s is made impossible by tests, rules and types that exist',
  (_id, { impossible }) => {
    expect(impossible.map(missing).filter((sentence) => sentence !== undefined)).toEqual([]);
  },
);

test('a title that carries the number of a failure has a row, and proves no other one', () => {
  const ids = new Set(rows.map(({ id }) => id));
  const carried = sourceFiles('test').flatMap((file) =>
    titlesIn(file).flatMap((title) => numbersIn(title).map((id) => ({ id, file, title }))),
  );
  expect(carried.filter(({ id }) => !ids.has(id))).toEqual([]);
  for (const { id, impossible } of rows)
    for (const one of impossible) {
      const numbers = 'test' in one ? numbersIn(one.test) : [];
      expect(numbers.length === 0 || numbers.includes(id), `${id}: ${JSON.stringify(one)}`).toBe(
        true,
      );
    }
});

test.each<[string, Proof]>([
  ['a test without its file', { test: 'x', in: 'test/nowhere.test.ts' }],
  ['a test without its title', { test: 'no such title', in: 'test/architecture/rooms.test.ts' }],
  ['a title that is only mentioned', { test: 'PROJECT', in: 'test/architecture/rooms.test.ts' }],
  ['a rule that is not on', { lint: 'no-bitwise' }],
  ['a rule of no room', { rooms: 'no-such-rule' }],
  ['a type that is not there', { type: 'NoSuchType', in: 'src/domain/commit.ts' }],
])('%s is noticed', (_what, one) => {
  expect(missing(one)).toBeTypeOf('string');
});

/** What is wrong with a proof; undefined when it stands. */
const missing = (one: Proof): string | undefined => {
  if ('lint' in one) return isLintRule(one.lint) ? undefined : `no lint rule ${one.lint} is on`;
  if ('rooms' in one)
    return roomRules().some(({ name }) => name === one.rooms)
      ? undefined
      : `no rule of the rooms is named ${one.rooms}`;
  if (!existsSync(join(PROJECT, one.in))) return `${one.in} is not there`;
  if ('type' in one)
    return nodesOf(one.in).some((node) => declaresType(node, one.type))
      ? undefined
      : `${one.in} has no type ${one.type}`;
  return titlesIn(one.in).some((title) => title.includes(one.test))
    ? undefined
    : `${one.in} has no test "${one.test}"`;
};

const nodesOf = (file: string): readonly Node[] => [
  ...walk(parse(file, readFileSync(join(PROJECT, file), 'utf8'))),
];

const titlesIn = (file: string): readonly string[] =>
  nodesOf(file).flatMap((node) => titleOf(node) ?? []);

const isLintRule = (rule: string): boolean =>
  new RegExp(`"${rule}": (\\[\\s*)?"error"`).test(
    readFileSync(join(PROJECT, '.oxlintrc.json'), 'utf8'),
  );

const declaresType = ({ type, id }: Node, name: string): boolean =>
  type === 'TSTypeAliasDeclaration' && textOf(id) === name;

/** The title of `test('…')`, `test.each(…)('…')`, `test.prop(…)('…')` and the like. */
const titleOf = (node: Node): string | undefined => {
  if (node.type !== 'CallExpression') return undefined;
  let callee = node['callee'];
  while (isNode(callee) && callee.type !== 'Identifier')
    callee = callee.type === 'CallExpression' ? callee['callee'] : callee['object'];
  const [title] = node['arguments'] as Node[];
  return ['test', 'it'].includes(textOf(callee) ?? '') ? textOf(title) : undefined;
};

/** W of one digit are rules of the protocol's writers: the first nine failures are W01 to W09. */
const numbersIn = (title: string): readonly string[] =>
  (/\(((?:[RTB]\d+|W\d{2,})(?:, (?:[RTB]\d+|W\d{2,}))*)\)$/.exec(title)?.[1] ?? '')
    .split(', ')
    .filter((n) => n !== '');
