import { describe, expect, test } from 'vitest';
import { commentsNestTooDeep, nestsTooDeep } from '../../../src/pipeline/imports/nesting.ts';

/** What takes the parser down, by the way it nests, each with the number from which it was seen to. */
const DEEP: readonly (readonly [name: string, from: number, text: (count: number) => string])[] = [
  ['functions', 4000, (n) => 'function f(){'.repeat(n) + '}'.repeat(n)],
  ['blocks', 8000, (n) => '{'.repeat(n) + '}'.repeat(n)],
  ['brackets', 16_000, (n) => `x=${'['.repeat(n)}${']'.repeat(n)}`],
  ['templates', 8000, (n) => `x=${'`${'.repeat(n)}1${'}`'.repeat(n)}`],
  ['type arguments', 8000, (n) => `let x:${'A<'.repeat(n)}B${'>'.repeat(n)}`],
  ['else if', 8000, (n) => `${'if(a)x;else '.repeat(n)}y`],
  ['else if with blocks', 8000, (n) => `${'if(a){x}else '.repeat(n)}y`],
  ['else if with comments', 8000, (n) => `${'if(a)x;/* no */else '.repeat(n)}y`],
  ['if', 8000, (n) => `${'if(a)'.repeat(n)}y`],
  ['loops', 8000, (n) => `${'for(;;)'.repeat(n)}y`],
  ['labels', 8000, (n) => `${Array.from({ length: n }, (_, at) => `l${at}:`).join('')}y`],
  ['arrows', 16_000, (n) => `${'a=>\n'.repeat(n)}1`],
  ['conditions', 16_000, (n) => `x=${'a?b:'.repeat(n)}1`],
  ['conditions of objects', 16_000, (n) => `x=${'a?{}:'.repeat(n)}1`],
  ['conditions of functions', 16_000, (n) => `x=${'a?function(){}:'.repeat(n)}1`],
  ['assignments', 16_000, (n) => `x=${'a='.repeat(n)}1`],
  ['elements', 16_000, (n) => `x=${'<a>\n'.repeat(n)}${'</a>'.repeat(n)}`],
  ['classes', 16_000, (n) => `x=${'class extends '.repeat(n)}a${'{}'.repeat(n)}`],
  ['types by condition', 16_000, (n) => `type X=${'A extends B?C:'.repeat(n)}D`],
  ['types of functions', 16_000, (n) => `let x:${'()=>'.repeat(n)}A`],
  ['signs', 32_000, (n) => `x=${'- '.repeat(n)}1`],
  ['powers', 32_000, (n) => `x=1${'**1'.repeat(n)}`],
  ['new', 32_000, (n) => `x=${'new '.repeat(n)}a`],
  ['keyof', 32_000, (n) => `let x:${'keyof '.repeat(n)}A`],
  ['sums', 128_000, (n) => `x=1${'+1'.repeat(n)}`],
  ['calls', 250_000, (n) => `x=a${'()'.repeat(n)}`],
  ['indexes', 250_000, (n) => `x=a${'[0]'.repeat(n)}`],
  ['casts', 250_000, (n) => `x=a${' as b'.repeat(n)}`],
  ['what a comment seems to close', 8000, (n) => `${'{//}\n'.repeat(n)}${'}\n'.repeat(n)}`],
  ['what a string seems to close', 16_000, (n) => `x=${"['}',".repeat(n)}${']'.repeat(n)}`],
  ['what a pattern seems to close', 16_000, (n) => `x=${'[/]/,'.repeat(n)}${']'.repeat(n)}`],
];

describe('a script nests too deep', () => {
  test.each(DEEP)('by %s, and a fiftieth of that does not', (_, from, text) => {
    expect(nestsTooDeep(text(from))).toBe(true);
    expect(nestsTooDeep(text(Math.floor(from / 50)))).toBe(false);
  });
});

/** Large, and as people and their programs write them. */
const FLAT: readonly (readonly [name: string, text: string])[] = [
  ['statements', 'const a = b ? -c : (d) => !e;\n'.repeat(9000)],
  ['functions', 'function f(a) {\n  if (a) { return 1; } else { return 2; }\n}\n'.repeat(4000)],
  ['a list', `x = [\n${'  { id: 1, name: "a ? b : {", flag: !0 },\n'.repeat(6000)}];\n`],
  ['a class', `class A {\n${'  m(a = 1) { return a => a + 1; }\n'.repeat(4000)}}\n`],
  ['cases', `switch (a) {\n${'  case 1: b = -1; break;\n'.repeat(5000)}}\n`],
  ['elements', `const a = (<ul>\n${"  <li key={1}>don't</li> <br/>\n".repeat(900)}</ul>);\n`],
  ['calls without semicolons', "test('a', () => {\n  expect(-1).toBe(1)\n})\n".repeat(5000)],
  ['a union', `type A =\n${"  | 'a-b'\n".repeat(20_000)};\n`],
  ['patterns', 'a = /["\'(`{[]/.test(b) ? 1 / 2 : 3 / 4;\n'.repeat(5000)],
];

test.each(FLAT)('a long script of %s does not', (_, text) => {
  expect(text.length).toBeGreaterThan(25_000);
  expect(nestsTooDeep(text)).toBe(false);
});

test('comments in each other are told from many comments', () => {
  expect(commentsNestTooDeep('/*'.repeat(200))).toBe(true);
  expect(commentsNestTooDeep('/* a */ fun f() {}\n'.repeat(5000))).toBe(false);
});
