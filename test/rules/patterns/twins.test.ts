import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createLanguageTable } from '../../../src/pipeline/language.ts';
import { PATTERN_RULES } from '../../../src/rules/patterns/catalog.ts';
import { matchPatterns } from '../../../src/rules/patterns/match-patterns.ts';

const SOURCES = join(import.meta.dirname, '../../../src/rules/patterns');
const TWINS = join(import.meta.dirname, '../../../fixtures/rules/patterns');
const LANGUAGES = [...new Set(PATTERN_RULES.map(({ language }) => language))];
const languages = createLanguageTable();

/** Lines of a file with the rules that must hold there, or do. */
const expected = (text: string): readonly string[] =>
  text.split('\n').flatMap((line, index) => {
    const marks = /(?:#|\/\/) expect: (.+?)(?: \?>)?$/.exec(line)?.[1]?.split(' ') ?? [];
    return marks.map((rule) => `${index + 1} ${rule}`);
  });
const found = async (path: string, text: string): Promise<readonly string[]> => {
  const { matches, isWhole } = await matchPatterns(languages.languageOf(path, text), text);
  expect(isWhole).toBe(true);
  return matches.map(({ line, rule }) => `${line} ${rule}`);
};
const twin = (folder: string, name: string) => {
  const file = readdirSync(folder).find((entry) => entry.startsWith(`${name}.`)) ?? name;
  return { file, text: readFileSync(join(folder, file), 'utf8') };
};

test('each rule is in the catalogue once, under the name of its file, and has both twins', () => {
  const named = LANGUAGES.flatMap((language) =>
    readdirSync(join(SOURCES, language)).map((file) => `${language}-${file.replace('.ts', '')}`),
  );
  expect(PATTERN_RULES.map(({ id }) => id)).toEqual(named);
  expect(new Set(named).size).toBe(named.length);
  const withTwins = LANGUAGES.flatMap((language) =>
    readdirSync(join(TWINS, language)).map((folder) => `${language}-${folder}`),
  );
  expect(withTwins).toEqual(named);
});

describe.each(PATTERN_RULES)('$id', ({ id, language }) => {
  const folder = join(TWINS, language, id.slice(language.length + 1));

  test('tells each defect of its bad twin at its line, and nothing else', async () => {
    const { file, text } = twin(folder, 'bad');
    const wanted = expected(text);
    expect(wanted.some((line) => line.endsWith(` ${id}`))).toBe(true);
    expect([...(await found(file, text))].toSorted()).toEqual([...wanted].toSorted());
  });

  test('is silent about its good twin, as all others are', async () => {
    const { file, text } = twin(folder, 'good');
    expect(await found(file, text)).toEqual([]);
  });
});
