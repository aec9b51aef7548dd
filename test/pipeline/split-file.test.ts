import { describe, expect, test } from 'vitest';
import { definitionLinesOf } from '../../src/pipeline/definition-lines.ts';
import { splitFile } from '../../src/pipeline/split-file.ts';

const split = (lines: readonly string[], tokensMax: number) =>
  splitFile({
    path: 'a.js',
    language: 'JavaScript',
    lines,
    definitions: definitionLinesOf(lines),
    tokensMax,
  });

const functions = (number: number): readonly string[] =>
  Array.from({ length: number }, (_, at) => [
    `function f${at}() {`,
    ...Array.from({ length: 8 }, (_line, step) => `  step(${step});`),
    '}',
    '',
  ]).flat();

describe('a file that is cut', () => {
  test('is cut between definitions', () => {
    const lines = functions(60);
    const { parts, reason } = split(lines, 900);
    expect(parts.length).toBeGreaterThan(3);
    for (const { line } of parts) expect(lines[line - 1]).toMatch(/^function/);
    expect(reason).toContain('between definitions');
  });

  test('gives each part lines of its neighbours, and what it is inside of', () => {
    const methods = functions(60).map((line) => (line === '' ? '' : `  ${line}`));
    const lines = ['class Store {', ...methods, '}'];
    const { parts } = split(lines, 900);
    const [, second] = parts;
    expect(second?.inside).toEqual([{ line: 1, text: 'class Store {' }]);
    expect(second?.around.line).toBeLessThan(second?.line ?? 0);
    expect(second?.around.endLine).toBeGreaterThan(second?.endLine ?? Infinity);
    expect(lines[(second?.line ?? 0) - 1]).toMatch(/^ {2}function/);
  });

  test('keeps its last parts when its beginning is edited', () => {
    const textsOf = (lines: readonly string[]) =>
      split(lines, 900).parts.map(({ line, endLine }) => lines.slice(line - 1, endLine).join('\n'));
    const before = textsOf(functions(200));
    const after = new Set(textsOf(['// one', '// more', ...functions(200)]));
    expect(before.filter((text) => after.has(text)).length).toBeGreaterThan(before.length / 2);
  });

  test('with a line that is too long by itself has that one cut by bytes, and says so', () => {
    const { parts, reason } = split(['let a;', `x = "${'é'.repeat(9000)}";`, 'let b;'], 900);
    const bytes = parts.filter((part) => part.bytes !== undefined);
    expect(parts[0]).toMatchObject({ line: 1, endLine: 1 });
    expect(bytes.length).toBeGreaterThan(4);
    expect(bytes.every(({ line, endLine }) => line === 2 && endLine === 2)).toBe(true);
    expect(parts.at(-1)).toMatchObject({ line: 3, endLine: 3 });
    expect(reason).toContain('by bytes');
  });
});

test('definitions are told by names and indentation, outer ones first', () => {
  expect(
    definitionLinesOf(['class A {', '  run() {', '    go();', '  }', '}', 'function f() {', '}']),
  ).toEqual([
    { line: 1, endLine: 5 },
    { line: 2, endLine: 5 },
    { line: 6, endLine: 7 },
  ]);
});
