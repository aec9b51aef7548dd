import { defineConfig } from 'rolldown';

/**
 * They bring a binary, or files that they look for beside themselves, or are no ES modules: they stay
 * where npm puts them.
 */
export const APART: readonly RegExp[] = [
  /^@ast-grep\//,
  /^@bomb\.sh\//,
  /^@jscpd\//,
  /^@secretlint\//,
  /^jsonc-parser$/,
  /^oxc-parser$/,
  /^oxlint$/,
  /^shellwords-ts$/,
];

/**
 * The program as a few files: Node takes longer to find and link hundreds of modules than most
 * commands take to work. Packages that come into these files stay dependencies in package.json, so
 * that their licences come along and audits of dependencies see them. They lie where the program has
 * always been, since npx remembers that of a clone.
 */
export default defineConfig({
  input: { main: 'src/cli/main.ts' },
  platform: 'node',
  external: [...APART],
  output: { dir: 'dist/src/cli', cleanDir: true },
});
