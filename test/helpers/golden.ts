import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { PROJECT } from './built-paths.ts';

/**
 * Requires that a text is what the golden file holds; `npm run golden` writes it instead.
 *
 * @param name path below `fixtures/golden`.
 */
export const expectGolden = (name: string, text: string): void =>
  expectGoldenFile(`fixtures/golden/${name}`, text);

/** The same for a file that is published: `path` is relative to the project. */
export const expectGoldenFile = (path: string, text: string): void => {
  const file = join(PROJECT, path);
  if (process.env['GOLDEN'] === 'write') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return;
  }
  expect(
    text,
    `${path} has drifted. If the change is meant, run \`npm run golden\` and read the diff.`,
  ).toBe(readIfThere(file));
};

const readIfThere = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '(no such file)';
  }
};
