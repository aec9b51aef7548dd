import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PATTERN_RULES } from '../../../src/rules/patterns/catalog.ts';
import { hasPatternRules, matchPatterns } from '../../../src/rules/patterns/match-patterns.ts';

const python = async (text: string): Promise<readonly string[]> =>
  (await matchPatterns('Python', text)).matches.map(
    ({ line, rule, isDoubtful }) => `${line} ${rule}${isDoubtful ? '?' : ''}`,
  );

describe('what a name stands for', () => {
  test('is what it was given before, in the function or around it', async () => {
    expect(
      await python(
        [
          'import os',
          'LIST = "ls"',
          'folder = "/srv"',
          'def one(name):',
          '    os.system("ls " + folder)',
          '    command = "ls " + name',
          '    os.system(command)',
          'def other():',
          '    command = "ls"',
          '    os.system(command)',
        ].join('\n'),
      ),
    ).toEqual(['7 python-shell-command']);
  });

  test('is what it was made into, once it is made of itself', async () => {
    const body = (clean: string): string =>
      [
        'import os, shlex',
        'from flask import request',
        'def run():',
        '    name = request.args["name"]',
        `    name = ${clean}`,
        '    os.system("ls " + name)',
      ].join('\n');
    expect(await python(body('shlex_quote(name)'))).toEqual([]);
    expect(await python(body('name.strip()'))).toEqual(['6 python-shell-command']);
  });

  test('is doubtful where a caller gives all of it', async () => {
    expect(await python('import os\ndef run(command):\n    os.system(command)\n')).toEqual([
      '3 python-shell-command?',
    ]);
  });

  test('may go round in a circle', async () => {
    expect(await python('import os\na = b\nb = a\na = b\nos.system("ls " + a)\n')).toEqual([
      '5 python-shell-command',
    ]);
  });
});

test('a text in a language without rules is not looked at, and said to be so', async () => {
  expect(hasPatternRules('COBOL')).toBe(false);
  expect(await matchPatterns('COBOL', 'eval')).toEqual({ matches: [], isWhole: false });
});

test('a text that is too large to be parsed is not clean', async () => {
  const text = `eval(x)\n${'# padding\n'.repeat(120_000)}`;
  expect(await matchPatterns('Python', text)).toEqual({ matches: [], isWhole: false });
});

test('of more calls than people write the first ones are looked at, and the file is not clean', async () => {
  const { matches, isWhole } = await matchPatterns('Python', 'eval(x)\n'.repeat(6000));
  expect(isWhole).toBe(false);
  expect(matches.length).toBe(5000);
});

/** Each nests or goes on in its own way, with a call in it that a rule looks at. */
const DEEP: readonly (readonly [language: string, text: string])[] = [
  ['Python', `eval(${'('.repeat(20_000)}x${')'.repeat(20_000)})`],
  ['Python', `cursor.execute("SELECT a FROM b WHERE c = " ${'+ x '.repeat(20_000)})`],
  ['Python', `x${'.execute("a")'.repeat(4000)}`],
  ['Java', `class A { void f() { x${'.update("a" + b)'.repeat(4000)}; } }`],
  [
    'Go',
    `package a\nfunc f() { exec.Command("sh", "-c", ${'f('.repeat(5000)}x${')'.repeat(5000)}) }`,
  ],
  ['PHP', `<?php eval(${'['.repeat(20_000)}`],
  ['Ruby', `system("ls #{${'"#{'.repeat(3000)}`],
  ['C#', `class A { object f = new Random(${'new B('.repeat(4000)}`],
  ['JavaScript', `jwt.sign(${'a => '.repeat(20_000)}1, "key")`],
  ['TypeScript', `jwt.verify(x, ${'`${'.repeat(5000)}`],
  ['TSX', `${'<a b={'.repeat(5000)} createCipheriv(x, y, z)`],
  [
    'Python',
    `def f():\n${Array.from({ length: 4000 }, (_, at) => `    a${at + 1} = a${at} + a${at}\n`).join('')}    eval(a4000)\n`,
  ],
];

test.each(DEEP)('a hostile text in %s ends without a crash', async (language, text) => {
  const { matches } = await matchPatterns(language, text);
  expect(matches.length).toBeLessThan(5000);
});

test('whatever the text is, the lines told are lines of it, and the same each time', async () => {
  const words = [
    ...new Set(
      PATTERN_RULES.flatMap((rule) => (rule.looksAt === 'calls' ? rule.names : rule.mentions)),
    ),
    ...[
      '(',
      ')',
      '{',
      '}',
      '"',
      "'",
      '`',
      '+',
      '=',
      ',',
      '.',
      '\n',
      ' ',
      '$x',
      '#{',
      '${',
      '%s',
      '=>',
      '<?php ',
    ],
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('Python', 'Java', 'Go', 'PHP', 'Ruby', 'C#', 'JavaScript', 'TSX'),
      fc.array(fc.constantFrom(...words), { maxLength: 60 }),
      async (language, parts) => {
        const text = parts.join('');
        const found = await matchPatterns(language, text);
        const lines = text.split('\n').length;
        for (const { line, endLine } of found.matches) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(endLine).toBeGreaterThanOrEqual(line);
          expect(endLine).toBeLessThanOrEqual(lines);
        }
        expect(await matchPatterns(language, text)).toEqual(found);
      },
    ),
    { numRuns: 300 },
  );
});
