import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAnalyzerResults } from '../../src/domain/analyzer-results.ts';
import { parseRuntimeUpdates } from '../../src/domain/runtime-updates.ts';
import { ONE_LINE } from '../helpers/one-line.ts';
import { bytesOf } from '../helpers/review-samples.ts';

const item = {
  id: 'E1',
  category: 'security',
  severity: 'high',
  path: 'src/a.ts',
  summary: 'A secret in the source.',
};
const results = (fields: object = {}) => ({ tool: 'scanner', results: [{ ...item, ...fields }] });
const row = { task_id: 'runtime:unit:a', status: 'confirmed', summary: 'All tests pass.' };
const updates = (fields: object = {}) => ({ results: [{ ...row, ...fields }] });

test('files in the form of the predecessor are taken as they are', () => {
  const analyzed = {
    ...results({ line_start: 3, line_end: 3, rule: 'no-secret', raw: { any: [1] } }),
    generated_at: '2026-06-02T12:00:00.000Z',
    ownership_roots: [{ root: 'src', paths: ['src/a.ts'], confidence: 0.5 }],
    tool_statuses: { eslint: 'missing' },
  };
  expect(parseAnalyzerResults(bytesOf(analyzed))).toEqual({ kind: 'ok', value: analyzed });
  const updated = updates({ evidence: ['ok'], notes: [] });
  expect(parseRuntimeUpdates(bytesOf(updated))).toEqual({ kind: 'ok', value: updated });
});

test.each([
  [results({ severity: 'fatal' }), '"results[0].severity" of the analyzer results is "fatal"'],
  [results({ line_start: 0.5 }), '"results[0].line_start" of the analyzer results is 0.5'],
  [results({ line_start: 4, line_end: 3 }), '"results[0].line_end" of the analyzer results'],
  [results({ path: undefined }), '"results[0].path" of the analyzer results is nothing'],
  [results({ line: 3 }), '"results[0]" of the analyzer results is an object'],
  [{ results: [] }, '"tool" of the analyzer results is nothing'],
  [{ tool: 't', results: {} }, '"results" of the analyzer results is an object'],
  [[], 'the analyzer results is an empty list'],
])('bad analyzer results are refused whole, with path, value and rule (R42)', (file, start) => {
  const parsed = parseAnalyzerResults(bytesOf(file));
  expect(parsed.kind).toBe('refused');
  const message = parsed.kind === 'refused' ? parsed.message : '';
  expect(message.startsWith(start), message).toBe(true);
  expect(message).toMatch(/: .{10,}\.$/);
});

test.each([
  [updates({ status: 'green' }), '"results[0].status" of the runtime updates is "green"'],
  [updates({ evidence: 'ok' }), '"results[0].evidence" of the runtime updates is "ok"'],
  [updates({ notes: [1] }), '"results[0].notes[0]" of the runtime updates is 1'],
  [{}, '"results" of the runtime updates is nothing'],
])('bad runtime updates are refused whole, with path, value and rule (R42)', (file, start) => {
  const parsed = parseRuntimeUpdates(bytesOf(file));
  const message = parsed.kind === 'refused' ? parsed.message : '';
  expect(message.startsWith(start), message).toBe(true);
});

describe.each([
  ['analyzer results', parseAnalyzerResults],
  ['runtime updates', parseRuntimeUpdates],
])('%s', (name, parse) => {
  test.each([
    [new Uint8Array(), 'it is empty.'],
    [new Uint8Array([0x7b, 0xff]), 'it is not UTF-8.'],
    [bytesOf('{"results": ['), 'it is not JSON: '],
  ])('that cannot be read say why', (bytes, why) => {
    const parsed = parse(bytes);
    expect(parsed.kind === 'refused' && parsed.message).toContain(
      `the ${name} cannot be read: ${why}`,
    );
  });

  test('of any content are taken or refused on one printable line', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const parsed = parse(bytesOf(JSON.stringify({ tool: 't', results: [value] })));
        if (parsed.kind === 'refused') expect(parsed.message).toMatch(ONE_LINE);
      }),
    );
  });
});
