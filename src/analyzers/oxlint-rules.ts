import type { Confidence, Lens, Severity } from '../domain/vocabulary.ts';

/** What a rule's report is worth. A linter sees patterns, not consequences: nothing is above medium. */
export type RuleWeight = {
  readonly lens: Extract<Lens, 'security' | 'correctness' | 'maintainability'>;
  readonly severity: Extract<Severity, 'medium' | 'low' | 'info'>;
  readonly confidence: Confidence;
};

const ALWAYS_WRONG: RuleWeight = { lens: 'correctness', severity: 'medium', confidence: 'high' };
const MOSTLY_WRONG: RuleWeight = { lens: 'correctness', severity: 'low', confidence: 'medium' };
const RISKY: RuleWeight = { lens: 'security', severity: 'medium', confidence: 'medium' };
const RISKY_AT_TIMES: RuleWeight = { lens: 'security', severity: 'low', confidence: 'low' };
const DEAD_CODE: RuleWeight = { lens: 'maintainability', severity: 'low', confidence: 'high' };
const UNCLEAR: RuleWeight = { lens: 'maintainability', severity: 'info', confidence: 'medium' };

/**
 * The rules that we ask for: what is wrong whoever wrote it. Rules of taste, and rules that healthy
 * code breaks on purpose (shadowing, unused parameters, thenables), are left out.
 */
export const OXLINT_RULES: Readonly<Record<string, RuleWeight>> = {
  'eslint/constructor-super': ALWAYS_WRONG,
  'eslint/for-direction': ALWAYS_WRONG,
  'eslint/no-async-promise-executor': MOSTLY_WRONG,
  'eslint/no-class-assign': ALWAYS_WRONG,
  'eslint/no-compare-neg-zero': ALWAYS_WRONG,
  'eslint/no-cond-assign': MOSTLY_WRONG,
  'eslint/no-const-assign': ALWAYS_WRONG,
  'eslint/no-constant-binary-expression': MOSTLY_WRONG,
  'eslint/no-constant-condition': MOSTLY_WRONG,
  'eslint/no-debugger': { lens: 'correctness', severity: 'low', confidence: 'high' },
  'eslint/no-delete-var': ALWAYS_WRONG,
  'eslint/no-dupe-class-members': ALWAYS_WRONG,
  'eslint/no-dupe-else-if': ALWAYS_WRONG,
  'eslint/no-dupe-keys': ALWAYS_WRONG,
  'eslint/no-duplicate-case': ALWAYS_WRONG,
  'eslint/no-empty-character-class': ALWAYS_WRONG,
  'eslint/no-empty-pattern': DEAD_CODE,
  'eslint/no-ex-assign': MOSTLY_WRONG,
  'eslint/no-func-assign': ALWAYS_WRONG,
  'eslint/no-global-assign': ALWAYS_WRONG,
  'eslint/no-import-assign': ALWAYS_WRONG,
  'eslint/no-invalid-regexp': ALWAYS_WRONG,
  'eslint/no-irregular-whitespace': UNCLEAR,
  'eslint/no-loss-of-precision': ALWAYS_WRONG,
  'eslint/no-misleading-character-class': MOSTLY_WRONG,
  'eslint/no-new-native-nonconstructor': ALWAYS_WRONG,
  'eslint/no-nonoctal-decimal-escape': UNCLEAR,
  'eslint/no-obj-calls': ALWAYS_WRONG,
  'eslint/no-self-assign': MOSTLY_WRONG,
  'eslint/no-setter-return': MOSTLY_WRONG,
  'eslint/no-shadow-restricted-names': UNCLEAR,
  'eslint/no-sparse-arrays': MOSTLY_WRONG,
  'eslint/no-this-before-super': ALWAYS_WRONG,
  'eslint/no-unassigned-vars': MOSTLY_WRONG,
  'eslint/no-unexpected-multiline': MOSTLY_WRONG,
  'eslint/no-unreachable': DEAD_CODE,
  'eslint/no-unsafe-finally': ALWAYS_WRONG,
  'eslint/no-unsafe-negation': ALWAYS_WRONG,
  'eslint/no-unsafe-optional-chaining': MOSTLY_WRONG,
  'eslint/no-unused-labels': DEAD_CODE,
  'eslint/no-unused-private-class-members': DEAD_CODE,
  'eslint/no-unused-vars': { lens: 'maintainability', severity: 'info', confidence: 'high' },
  'eslint/no-useless-backreference': MOSTLY_WRONG,
  'eslint/no-useless-catch': UNCLEAR,
  'eslint/no-with': UNCLEAR,
  'eslint/require-yield': UNCLEAR,
  'eslint/use-isnan': ALWAYS_WRONG,
  'eslint/valid-typeof': ALWAYS_WRONG,
  'eslint/no-eval': RISKY,
  'eslint/no-implied-eval': RISKY,
  'eslint/no-new-func': RISKY,
  'eslint/no-script-url': RISKY_AT_TIMES,
  'node/no-exports-assign': ALWAYS_WRONG,
  'oxc/approx-constant': UNCLEAR,
  'oxc/bad-array-method-on-arguments': ALWAYS_WRONG,
  'oxc/bad-char-at-comparison': ALWAYS_WRONG,
  'oxc/bad-comparison-sequence': ALWAYS_WRONG,
  'oxc/bad-match-all-arg': ALWAYS_WRONG,
  'oxc/bad-min-max-func': ALWAYS_WRONG,
  'oxc/bad-object-literal-comparison': ALWAYS_WRONG,
  'oxc/bad-replace-all-arg': ALWAYS_WRONG,
  'oxc/const-comparisons': MOSTLY_WRONG,
  'oxc/double-comparisons': MOSTLY_WRONG,
  'oxc/erasing-op': MOSTLY_WRONG,
  'oxc/misrefactored-assign-op': MOSTLY_WRONG,
  'oxc/missing-throw': MOSTLY_WRONG,
  'oxc/number-arg-out-of-range': ALWAYS_WRONG,
  'oxc/only-used-in-recursion': UNCLEAR,
  'oxc/uninvoked-array-callback': MOSTLY_WRONG,
  'promise/no-multiple-resolved': MOSTLY_WRONG,
  'promise/no-new-statics': ALWAYS_WRONG,
  'react/iframe-missing-sandbox': RISKY_AT_TIMES,
  'react/jsx-key': MOSTLY_WRONG,
  'react/jsx-no-duplicate-props': ALWAYS_WRONG,
  'react/jsx-no-script-url': RISKY,
  'react/no-danger': RISKY_AT_TIMES,
  'react/no-direct-mutation-state': ALWAYS_WRONG,
  'react/rules-of-hooks': MOSTLY_WRONG,
  'typescript/no-duplicate-enum-values': MOSTLY_WRONG,
  'typescript/no-misused-new': MOSTLY_WRONG,
  'typescript/no-non-null-asserted-optional-chain': MOSTLY_WRONG,
  'typescript/no-unsafe-declaration-merging': UNCLEAR,
  'unicorn/no-accessor-recursion': ALWAYS_WRONG,
  'unicorn/no-await-in-promise-methods': MOSTLY_WRONG,
  'unicorn/no-invalid-fetch-options': ALWAYS_WRONG,
  'unicorn/no-invalid-remove-event-listener': ALWAYS_WRONG,
};

/** Rules that are quiet enough only with these options. */
const OPTIONS: Readonly<Record<string, unknown>> = {
  // Parameters and caught errors are often named for the reader alone.
  // A leading underscore says that a name is there to be left out.
  'eslint/no-unused-vars': {
    vars: 'local',
    varsIgnorePattern: '^_',
    args: 'none',
    caughtErrors: 'none',
  },
  'eslint/no-constant-condition': { checkLoops: 'none' },
};

const NATIVE_PLUGINS = ['eslint', 'node', 'oxc', 'promise', 'react', 'typescript', 'unicorn'];

/** The whole configuration: nothing is inherited, and no plugin is a program. */
export const oxlintConfig = (): string =>
  JSON.stringify({
    plugins: NATIVE_PLUGINS,
    categories: { correctness: 'off' },
    rules: Object.fromEntries(
      Object.keys(OXLINT_RULES).map((rule) => [
        rule,
        OPTIONS[rule] === undefined ? 'warn' : ['warn', OPTIONS[rule]],
      ]),
    ),
    env: { builtin: true, node: true, browser: true, es2024: true },
  });
