import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readAnalyzerReport } from '../../../src/pipeline/analyzer-reports/read-report.ts';
import type { ToolRun } from '../../../src/pipeline/analyzer-reports/tool-run.ts';
import { PROJECT } from '../../helpers/built-paths.ts';
import { bytesOf } from '../../helpers/review-samples.ts';

const runsOf = (bytes: Uint8Array): readonly ToolRun[] => {
  const read = readAnalyzerReport(bytes);
  expect(read.kind === 'refused' ? read.message : '').toBe('');
  return read.kind === 'read' ? read.runs : [];
};
const fixture = (name: string): Uint8Array =>
  readFileSync(join(PROJECT, 'fixtures', 'imports', name));
const refusal = (value: unknown): string => {
  const read = readAnalyzerReport(bytesOf(value));
  return read.kind === 'refused' ? read.message : `taken as ${read.format}`;
};

/** Rule, weight, point of view, kind and place of what a report says; then how much was left out. */
const told = (name: string): readonly string[] =>
  runsOf(fixture(name)).flatMap(({ tool, version = '', items, leftOut }) => [
    `${tool} ${version}`.trim(),
    ...items.map(
      ({ rule, severity, lens, category = '-', place }) =>
        `${rule} ${severity} ${lens} ${category} ${place.path}:${place.line ?? place.near?.join('|') ?? ''}`,
    ),
    ...leftOut.map(({ reason, count }) => `left ${count}: ${reason}`),
  ]);

test.each([
  [
    'eslint.json',
    [
      'eslint',
      'eqeqeq medium correctness - /builds/acme/shop/src/run.js:4',
      'no-debugger medium correctness - /builds/acme/shop/src/run.js:5',
      'security/detect-child-process low security - /builds/acme/shop/src/run.js:6',
      'security/detect-eval-with-expression low security - /builds/acme/shop/src/run.js:7',
      'no-eval medium security - /builds/acme/shop/src/run.js:7',
      'no-unused-vars low maintainability - /builds/acme/shop/src/run.js:11',
    ],
  ],
  [
    'eslint.sarif',
    [
      'ESLint 9.39.5',
      'eqeqeq medium correctness - /builds/acme/shop/src/run.js:4',
      'no-debugger medium correctness - /builds/acme/shop/src/run.js:5',
      'security/detect-child-process low security - /builds/acme/shop/src/run.js:6',
      'security/detect-eval-with-expression low security - /builds/acme/shop/src/run.js:7',
      'no-eval medium security - /builds/acme/shop/src/run.js:7',
      'no-unused-vars low maintainability - /builds/acme/shop/src/run.js:11',
    ],
  ],
  [
    'codeql.sarif',
    [
      'CodeQL 2.19.3',
      'js/shell-command-constructed-from-input medium security command-injection src/run.js:6',
      'left 1: it is suppressed in the tool',
      'left 1: it is gone since the baseline',
    ],
  ],
  ['trivy.sarif', ['Trivy 0.58.1', 'DS002 high security - /builds/acme/shop/Dockerfile:1']],
  [
    'semgrep.json',
    [
      'semgrep 1.97.0',
      'javascript.lang.security.detect-child-process.detect-child-process high security command-injection src/run.js:6',
      'javascript.lang.best-practice.leftover_debugging.javascript-debugger low maintainability - src/run.js:5',
    ],
  ],
  [
    'npm-audit-7.json',
    [
      'npm audit',
      'GHSA-jf85-cpcp-j695 critical security vulnerable-dependency package.json:"lodash":',
      'GHSA-p8p7-x288-28g6 medium security vulnerable-dependency package.json:"request":',
      'GHSA-72xf-g2v4-qvf3 medium security vulnerable-dependency package.json:"request":',
    ],
  ],
  [
    'npm-audit-6.json',
    [
      'npm audit',
      'npm-1500 medium security vulnerable-dependency package.json:"request":',
      'npm-1673 high security vulnerable-dependency package.json:"lodash":',
    ],
  ],
  ['lcov.info', ['lcov', 'low-coverage low tests untested-code src/run.js:5']],
  [
    'istanbul-final.json',
    ['istanbul', 'low-coverage low tests untested-code /builds/acme/shop/src/run.js:5'],
  ],
  [
    'istanbul-summary.json',
    ['istanbul', 'low-coverage low tests untested-code /builds/acme/shop/src/run.js:'],
  ],
  [
    'bandit.json',
    [
      'bandit',
      'B403 low security - tools/load.py:2',
      'B404 low security - tools/load.py:3',
      'B602 high security - tools/load.py:9',
      'B301 medium security - tools/load.py:10',
    ],
  ],
  [
    'ruff.json',
    [
      'ruff',
      'F401 low maintainability - /builds/acme/shop/tools/load.py:1',
      'S105 medium security hardcoded-secret /builds/acme/shop/tools/load.py:5',
    ],
  ],
  ['gitleaks.json', ['gitleaks', 'generic-api-key high security hardcoded-secret tools/load.py:5']],
  [
    'shellcheck.json',
    [
      'shellcheck',
      'SC2164 low correctness - scripts/deploy.sh:2',
      'SC2086 info correctness - scripts/deploy.sh:2',
      'SC2115 low correctness - scripts/deploy.sh:3',
      'SC2086 info correctness - scripts/deploy.sh:3',
      'SC2046 low correctness - scripts/deploy.sh:4',
      'SC2005 info maintainability - scripts/deploy.sh:4',
      'SC2006 info maintainability - scripts/deploy.sh:4',
    ],
  ],
  [
    'actionlint.json',
    [
      'actionlint',
      'expression high security command-injection .github/workflows/ci.yml:7',
      'syntax-check medium correctness - .github/workflows/ci.yml:6',
    ],
  ],
  [
    'golangci.json',
    [
      'golangci-lint',
      'errcheck low correctness - cmd/main.go:6',
      'G304 high security - cmd/main.go:5',
    ],
  ],
  [
    'normalised.json',
    [
      'syntax_resolution_executor',
      'no-eval medium maintainability - src/run.js:7',
      'dependency medium security - package.json:',
      'left 1: its "severity" is no word that we know',
      'left 1: "line_end" is before "line_start"',
      'left 1: "id" is not as it must be: Invalid input: expected string, received undefined',
    ],
  ],
])('%s is read by what is in it, each item with our words (W60, W78)', (name, expected) => {
  expect(told(name)).toEqual(expected);
});

test('what is no report, or the error of a tool, is refused with what is known', () => {
  expect(refusal({ packet: 'p-1', results: [] })).toContain('Known are SARIF 2.1.0 of any tool');
  expect(refusal({})).toContain('Known are');
  expect(refusal('text')).toContain('It is not JSON');
  expect(refusal({ tool: 7, results: [] })).toContain('its "tool" is no name');
  expect(refusal({ tool: 'x', results: {} })).toContain('its "results" are no list');
  expect(refusal({ runs: [{ results: [] }] })).toContain('its "runs" are not a list of runs');
  const failed = readAnalyzerReport(fixture('npm-audit-error.json'));
  expect(failed).toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('Run the tool again') as string,
  });
  expect(runsOf(bytesOf('[]'))).toEqual([{ tool: 'unnamed', items: [], leftOut: [] }]);
});

test('nesting without end is refused or read, and never takes the process with it', () => {
  const deep = `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`;
  expect(readAnalyzerReport(Buffer.from(deep)).kind).toBe('refused');
  const inside = `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":[{"ruleId":"r","message":{"text":"m"},"properties":${deep},"locations":[]}]}]}`;
  expect(runsOf(Buffer.from(inside))[0]?.leftOut).toMatchObject([{ count: 1 }]);
});

describe('a secret that a report tells', () => {
  test.each(['gitleaks.json', 'ruff.json'])('is in no item of %s', (name) => {
    expect(JSON.stringify(runsOf(fixture(name)))).not.toContain('hunter2');
  });

  test('is in no item of bandit, which writes it into its message', () => {
    const result = {
      test_id: 'B105',
      filename: 'a.py',
      line_number: 5,
      issue_text: "Possible hardcoded password: 'hunter2-and-more'",
      issue_severity: 'LOW',
    };
    const runs = runsOf(bytesOf({ results: [result], metrics: {} }));
    expect(runs[0]?.items).toMatchObject([{ category: 'hardcoded-secret' }]);
    expect(JSON.stringify(runs)).not.toContain('hunter2');
  });
});

test('lcov counts a line once, however many tests a file stands under', () => {
  const record = (test_: string, hits: readonly number[]) =>
    `TN:${test_}\nSF:a.js\n${hits.map((hit, index) => `DA:${index + 1},${hit}`).join('\n')}\nend_of_record\n`;
  const text = record('one', [1, 0, 0, 0]) + record('two', [0, 1, 0, 0]);
  expect(runsOf(Buffer.from(text))[0]?.items).toMatchObject([
    { message: expect.stringContaining('50 % of its lines (2 of 4') as string, place: { line: 3 } },
  ]);
  const sums = 'SF:b.js\nLF:10\nLH:3\nend_of_record\nDA:1,1\nSF:c.js\nDA:x\nend_of_record\n';
  expect(runsOf(Buffer.from(sums))[0]).toMatchObject({
    items: [{ severity: 'medium', place: { path: 'b.js' } }],
    leftOut: [
      { reason: 'a record that belongs to no file', count: 1, first: 'line 5' },
      { reason: 'a line without a number or a count', count: 1, first: 'line 7' },
    ],
  });
});
