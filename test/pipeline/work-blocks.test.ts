import { expect, test } from 'vitest';
import type { ReportedFinding } from '../../src/domain/synthesis.ts';
import { deriveWorkBlocks } from '../../src/pipeline/work-blocks.ts';
import { reported } from '../helpers/finding-samples.ts';

const at = (number: number, path: string, fields: Partial<ReportedFinding> = {}) =>
  reported(number, { place: { path, line: number }, category: `odd-${number}`, ...fields });

test('one kind of defect in several places is one sweep, whatever words it was told in', () => {
  const words = ['sql-injection', 'SQLi', 'cwe-89', 'CWE-89: SQL injection'];
  const findings = words.map((category, index) => at(index, `src/q${index}.js`, { category }));
  const [block, ...more] = deriveWorkBlocks([...findings, at(9, 'src/q0.js')]);
  expect(block).toMatchObject({
    title: 'sql-injection, 4 times in src',
    files: ['src/q0.js', 'src/q1.js', 'src/q2.js', 'src/q3.js'],
  });
  expect(more).toMatchObject([{ title: 'odd-9 in src/q0.js', size: 'small' }]);
});

test('what is urgent, what nobody found in the source and what has another owner are not mixed', () => {
  const findings = [
    at(1, 'a/x.js', { severity: 'critical' }),
    at(2, 'a/x.js', { severity: 'low' }),
    at(3, 'a/x.js', { severity: 'low', anchored: false }),
    at(4, 'b/x.js', { severity: 'low' }),
  ];
  const units = [
    { id: 'a', files: ['a/x.js'] },
    { id: 'b', files: ['b/x.js'] },
  ];
  const blocks = deriveWorkBlocks(findings, { units, owners: [{ unit: 'b', owners: ['@b'] }] });
  expect(blocks.map(({ findings: own }) => own.length)).toEqual([1, 1, 1, 1]);
  expect(blocks[0]?.maxSeverity).toBe('critical');
  expect(blocks.flatMap(({ owners }) => owners ?? [])).toEqual(['@b']);
});

test('what others need is mended first, among equals, and a circle is cut', () => {
  const findings = ['a.js', 'b.js', 'c.js'].map((path, index) =>
    at(index, `${index}/${path}`, { severity: 'high' }),
  );
  const edges = [
    { from: '0/a.js', to: '1/b.js' },
    { from: '1/b.js', to: '2/c.js' },
    { from: '2/c.js', to: '0/a.js' },
  ];
  const blocks = deriveWorkBlocks(findings, { edges });
  expect(blocks.map(({ dependsOn }) => dependsOn.length)).toEqual([0, 1, 1]);
  const straight = deriveWorkBlocks(findings, { edges: edges.slice(0, 2) });
  expect(straight.map(({ files }) => files[0])).toEqual(['2/c.js', '1/b.js', '0/a.js']);
});

test('a chain of ten thousand needs is followed without deep recursion', () => {
  const findings = Array.from({ length: 10_000 }, (_, index) =>
    at(index, `${index}/x.js`, { severity: 'high' }),
  );
  const edges = findings.slice(1).map((one, index) => ({
    from: findings[index]?.place.path ?? '',
    to: one.place.path,
  }));
  const blocks = deriveWorkBlocks(findings, { edges });
  expect(blocks).toHaveLength(10_000);
  expect(blocks[0]?.files).toEqual(['9999/x.js']);
});
