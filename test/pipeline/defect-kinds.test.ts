import { expect, test } from 'vitest';
import { foldCategory } from '../../src/pipeline/fingerprint.ts';
import { DEFECT_KINDS, defectKindOf } from '../../src/pipeline/defect-kinds.ts';

test.each([
  ['command-injection', 'command-injection'],
  ['OS Command Injection', 'command-injection'],
  ['possible_shell_injection', 'command-injection'],
  ['CWE-78: Improper Neutralization', 'command-injection'],
  ['cwe_078', 'command-injection'],
  ['security/detect-child-process', 'command-injection'],
  ['javascript.lang.security.detect-child-process', 'command-injection'],
  ['SQL injection vulnerability', 'sql-injection'],
  ['hard_coded_password', 'hard-coded-secret'],
  ['secretlint/github', 'hard-coded-secret'],
  ['eslint/no-eval', 'code-injection'],
  ['bandit/B602', 'command-injection'],
  ['ruff/S608', 'sql-injection'],
  ['G204', 'command-injection'],
])('"%s" names %s', (category, kind) => {
  expect(defectKindOf(category)).toBe(kind);
});

test.each(['injection', 'my own word', 'cwe-74', 'cwe-99999', '', 'constructor', '/', '__proto__'])(
  '"%s" names no kind that is narrow enough',
  (category) => {
    expect(defectKindOf(category)).toBeUndefined();
  },
);

test('no word and no number names two kinds, and each word is one that a category folds to', () => {
  const rows = Object.entries(DEFECT_KINDS);
  const words = rows.flatMap(([kind, row]) => [kind, ...row.words]);
  expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
  expect(words.filter((word) => foldCategory(word) !== word)).toEqual([]);
  const numbers = rows.flatMap(([, { cwe = [] }]) => cwe);
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
});
