import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Digest } from '../domain/ids.ts';
import { digestOfBytes } from '../platform/bytes-digest.ts';

/**
 * A digest of everything that decides what is derived from a file beside the file itself: our own code
 * and the parsers behind it. So what another version kept in a cache is never found, and nobody has to
 * remember to raise a number.
 */
export const analysisVersion = (): Digest => (known ??= measure());

let known: Digest | undefined;

const measure = (): Digest =>
  digestOfBytes(
    Buffer.from(
      JSON.stringify([
        process.version,
        ...PACKAGES.map((name) => [name, versionOf(name)]),
        ...codeIn(join(import.meta.dirname, '..')),
      ]),
    ),
  );

/** What else decides: packages that are not built into the program. */
const PACKAGES = [
  'oxc-parser',
  '@ast-grep/napi',
  ...['c', 'cpp', 'csharp', 'go', 'java', 'kotlin', 'php', 'python', 'ruby', 'rust'].map(
    (language) => `@ast-grep/lang-${language}`,
  ),
  '@eslint-community/regexpp',
  '@jscpd/core',
  '@jscpd/tokenizer',
];

/** Of the sources or of the built program, whichever runs: this module is one folder down in both. */
const codeIn = (folder: string): readonly (readonly [name: string, digest: Digest])[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.d)\.[jt]s$/.test(name))
    .toSorted()
    .map((name) => [name, digestOfBytes(readFileSync(join(folder, name)))] as const);

/** As Node finds a package: in the nearest `node_modules` above that has it. */
const versionOf = (name: string): string => {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const version = versionAt(join(folder, 'node_modules', name, 'package.json'));
    if (version !== undefined) return version;
    if (folder === dirname(folder)) throw new Error(`The package ${name} is not installed.`);
  }
};

const versionAt = (manifest: string): string | undefined => {
  try {
    return String((JSON.parse(readFileSync(manifest, 'utf8')) as { version?: unknown }).version);
  } catch {
    return undefined;
  }
};
