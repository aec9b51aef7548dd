import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';

const GOLDEN = join(import.meta.dirname, '..', '..', 'fixtures', 'golden');

/**
 * Requires that a text is what the golden file holds; `npm run golden` writes it instead.
 *
 * @param name path below `fixtures/golden`.
 */
export const expectGolden = (name: string, text: string): void => {
  const file = join(GOLDEN, name);
  if (process.env['GOLDEN'] === 'write') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return;
  }
  expect(
    text,
    `fixtures/golden/${name} has drifted. If the change is meant, run \`npm run golden\` and read the diff.`,
  ).toBe(readIfThere(file));
};

const readIfThere = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '(no such file)';
  }
};
