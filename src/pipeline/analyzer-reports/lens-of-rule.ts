import type { Lens } from '../../domain/vocabulary.ts';

/** The point of view that a rule belongs to, by what its tool says of it and by what the tool is for. */
export const lensOfRule = (given: {
  readonly tool: string;
  readonly rule: string;
  readonly tags?: readonly string[];
  /** Whether something says that it is about security: a score, a weakness. */
  readonly isSecurity?: boolean;
  /** Whether its tool calls it an error. */
  readonly isError?: boolean;
}): Lens => {
  const { rule, tags = [], isSecurity = false, isError = false } = given;
  const tool = given.tool.toLowerCase();
  if (isSecurity || tags.includes('security') || SECURITY_TOOLS.test(tool)) return 'security';
  if (tool.startsWith('eslint')) return lensOfEslint(rule, isError);
  if (tool.startsWith('ruff')) return lensOfRuff(rule);
  if (CORRECTNESS_TOOLS.test(tool)) return 'correctness';
  for (const tag of tags) {
    const lens = TAGS[tag.toLowerCase()];
    if (lens !== undefined) return lens;
  }
  return isError ? 'correctness' : 'maintainability';
};

/** Whole names at the beginning, so that "Semgrep OSS" and "trivy" are met and "semgrepper" is not. */
const SECURITY_TOOLS =
  /^(semgrep|opengrep|gitleaks|trivy|osv-scanner|bandit|snyk|gosec|brakeman|checkov|tfsec|grype|njsscan|trufflehog|nuclei|find-?sec-?bugs|devskim|security ?code ?scan|horusec|bearer|kics|npm audit)\b/;
const CORRECTNESS_TOOLS =
  /^(shellcheck|actionlint|hadolint|staticcheck|clang-tidy|cppcheck|mypy|pyright|tsc)\b/;

/** CodeQL's words and those of others that took them over. */
const TAGS: Readonly<Record<string, Lens>> = {
  correctness: 'correctness',
  reliability: 'reliability',
  concurrency: 'reliability',
  performance: 'performance',
  efficiency: 'performance',
  maintainability: 'maintainability',
  readability: 'maintainability',
  testability: 'tests',
  testing: 'tests',
};

/** Rules of ESLint about what goes wrong when the program runs; the others are about how it reads. */
export const lensOfEslint = (rule: string, isError: boolean): Lens => {
  if (ESLINT_SECURITY.test(rule)) return 'security';
  return isError && !ESLINT_STYLE.test(rule) ? 'correctness' : 'maintainability';
};

const ESLINT_SECURITY =
  /^(security|no-unsanitized|@microsoft\/sdl|xss|no-secrets|scanjs-rules)\/|^(no-eval|no-implied-eval|no-new-func|no-script-url)$|^@typescript-eslint\/no-implied-eval$/;
const ESLINT_STYLE =
  /^(max-|complexity$|camelcase$|curly$|indent$|quotes$|semi$|prettier\/|prefer-|sort-|func-|id-|no-unused-vars$|@typescript-eslint\/(no-unused-vars|prefer-|naming|consistent)|@?stylistic|jsdoc\/|unicorn\/(filename|prefer-))/;

/** Ruff's letters say which tool a rule comes from: S is bandit, E9, F and B are about what goes wrong. */
const lensOfRuff = (rule: string): Lens => {
  if (/^S\d/.test(rule)) return 'security';
  if (/^(E9|F[4-8]|B\d|PLE|ASYNC|invalid-syntax)/.test(rule) && !/^F401|^F841/.test(rule)) {
    return 'correctness';
  }
  return /^PERF\d/.test(rule) ? 'performance' : /^PT\d/.test(rule) ? 'tests' : 'maintainability';
};
