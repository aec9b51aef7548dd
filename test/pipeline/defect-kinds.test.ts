import { expect, test } from 'vitest';
import { defectKindOf } from '../../src/pipeline/defect-kinds.ts';

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
])('"%s" names %s', (category, kind) => {
  expect(defectKindOf(category)).toBe(kind);
});

test.each(['injection', 'my own word', 'cwe-74', 'cwe-99999', '', 'constructor', '/', '__proto__'])(
  '"%s" names no kind that is narrow enough',
  (category) => {
    expect(defectKindOf(category)).toBeUndefined();
  },
);
