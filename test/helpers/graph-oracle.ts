import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Text files below a folder by relative path, without those of installed packages. */
export const readFolder = (folder: string, wanted: RegExp): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && wanted.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .filter((path) => !path.includes('node_modules/'))
      .toSorted()
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  );

export type Agreement = {
  readonly expected: number;
  readonly found: number;
  readonly precision: number;
  readonly recall: number;
  /** Pairs that only one side has, for people. */
  readonly invented: readonly string[];
  readonly missed: readonly string[];
};

/** How far two graphs agree on which file leads to which. */
export const agreementOf = (
  found: ReadonlySet<string>,
  expected: ReadonlySet<string>,
): Agreement => {
  const both = [...found].filter((pair) => expected.has(pair)).length;
  return {
    expected: expected.size,
    found: found.size,
    precision: both / Math.max(found.size, 1),
    recall: both / Math.max(expected.size, 1),
    invented: [...found].filter((pair) => !expected.has(pair)),
    missed: [...expected].filter((pair) => !found.has(pair)),
  };
};

/** For the person who runs the tests: how much was compared. */
export const sayFigures = (
  name: string,
  files: number,
  { expected, found, precision, recall }: Omit<Agreement, 'invented' | 'missed'>,
): void => {
  process.stderr.write(
    `${name}: ${files} files, ${expected} edges, ${found} found, precision ${precision}, recall ${recall}\n`,
  );
};
