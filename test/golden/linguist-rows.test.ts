import { test } from 'vitest';
import * as linguist from 'linguist-languages';
import { expectGoldenFile } from '../helpers/golden.ts';

type Row = {
  readonly name: string;
  readonly type: string;
  readonly extensions?: readonly string[] | undefined;
  readonly filenames?: readonly string[] | undefined;
  readonly interpreters?: readonly string[] | undefined;
  readonly aliases?: readonly string[] | undefined;
};

test('src/pipeline/linguist-rows.ts holds what the package of linguist’s tables says', () => {
  const rows: readonly Row[] = Object.values(linguist);
  const lines = rows
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .map(({ name, type, extensions = [], filenames = [], interpreters = [], aliases = [] }) =>
      JSON.stringify([name, type, extensions, filenames, interpreters, aliases]),
    );
  expectGoldenFile('src/pipeline/linguist-rows.ts', `${HEAD}${lines.join(',\n')},\n];\n`);
});

const HEAD = `/**
 * Linguist's tables, as far as they are asked for: name, type, extensions, file names, interpreters and
 * aliases of each language. Written by \`npm run golden\` from the package linguist-languages, whose
 * eight hundred modules take a quarter of a second to load. Do not edit.
 */
export type LinguistRow = readonly [
  name: string,
  type: string,
  extensions: readonly string[],
  filenames: readonly string[],
  interpreters: readonly string[],
  aliases: readonly string[],
];

export const LINGUIST_ROWS: readonly LinguistRow[] = [
`;
