import { expect, test } from 'vitest';
import { importedChecks } from '../../../src/pipeline/runtime/imported-checks.ts';
import { namedPaths } from '../../../src/pipeline/runtime/named-paths.ts';

const FILES = ['src/pay.js', 'src/cart.js', 'test/pay.test.js', 'lib/a/index.js'];

test('files are named by output in many ways, the most often named first', () => {
  const output = [
    'FAIL test/pay.test.js',
    '  at pay (/tmp/run-x/src/pay.js:3:11)',
    '  at file:///tmp/run-x/src/pay.js:9:1',
    '  at Object.<anonymous> (/tmp/run-x/node_modules/jest/index.js:1:1)',
    '  see ../../etc/passwd.js and https://example.org/index.js',
  ].join('\n');
  expect(namedPaths(output, FILES)).toEqual(['src/pay.js', 'test/pay.test.js']);
});

test('rows that were handed in have their own verdicts, and mean the unit of their id', () => {
  const checks = importedChecks(
    {
      results: [
        { task_id: 'runtime:unit:u-1', status: 'pending', summary: 'Not yet.' },
        {
          task_id: 'runtime:unit:u-1',
          status: 'not_confirmed',
          summary: 'npm test\nfails',
          evidence: ['src/cart.js:4 is wrong\u001b[31m'],
        },
        { task_id: 'other', status: 'confirmed', summary: 'It works.' },
      ],
    },
    {
      importedFrom: 'updates.json',
      files: FILES,
      pathsOfUnit: (unit) => (unit === 'u-1' ? ['src/pay.js'] : []),
    },
  );
  expect(checks).toMatchObject([
    {
      id: 'runtime:unit:u-1',
      command: 'npm test fails',
      verdict: 'failed',
      paths: ['src/cart.js', 'src/pay.js'],
      importedFrom: 'updates.json',
    },
    { id: 'other', verdict: 'passed', paths: [] },
  ]);
  expect(JSON.stringify(checks)).not.toContain('u001b');
});
