import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRuntimeUpdates } from '../../src/domain/runtime-updates.ts';
import { ONE_LINE } from '../helpers/one-line.ts';
import { bytesOf } from '../helpers/review-samples.ts';

const row = { task_id: 'runtime:unit:a', status: 'confirmed', summary: 'All tests pass.' };
const updates = (fields: object = {}) => ({ results: [{ ...row, ...fields }] });

test('files in the form of the predecessor are taken as they are', () => {
  const updated = updates({ evidence: ['ok'], notes: [] });
  expect(parseRuntimeUpdates(bytesOf(updated))).toEqual({ kind: 'ok', value: updated });
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

describe('runtime updates', () => {
  test.each([
    [new Uint8Array(), 'it is empty.'],
    [new Uint8Array([0x7b, 0xff]), 'it is not UTF-8.'],
    [bytesOf('{"results": ['), 'it is not JSON: '],
  ])('that cannot be read say why', (bytes, why) => {
    const parsed = parseRuntimeUpdates(bytes);
    expect(parsed.kind === 'refused' && parsed.message).toContain(
      `the runtime updates cannot be read: ${why}`,
    );
  });

  test('of any content are taken or refused on one printable line', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const parsed = parseRuntimeUpdates(bytesOf(JSON.stringify({ results: [value] })));
        if (parsed.kind === 'refused') expect(parsed.message).toMatch(ONE_LINE);
      }),
    );
  });
});
