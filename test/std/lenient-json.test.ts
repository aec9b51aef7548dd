import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLenientJson } from '../../src/std/lenient-json.ts';

const container = fc
  .jsonValue({ maxDepth: 6 })
  .filter((value) => typeof value === 'object' && value !== null);
const read = (text: string, start = 0) => readLenientJson(text, start);

describe('a document', () => {
  test('that is JSON is read as JSON is, wherever it stands', () => {
    fc.assert(
      fc.property(container, fc.string(), fc.string(), (value, before, after) => {
        const text = `${before}${JSON.stringify(value)}${after}`;
        expect(read(text, before.length)).toMatchObject({
          kind: 'read',
          value: JSON.parse(JSON.stringify(value)) as object,
          end: text.length - after.length,
          overlooked: [],
        });
      }),
    );
  });

  test.each([
    ['{"a": 1, /* one */ "b": [1, 2,], // two\n}', ['comments', 'trailing commas']],
    ['{"a": 1, "b": [1, 2]\n,}', ['trailing commas']],
    ['\uFEFF{"a": 1, "b": [1, 2]}'.slice(1), []],
  ])('is read with what people add to it: %s', (text, overlooked) => {
    expect(read(text)).toMatchObject({ value: { a: 1, b: [1, 2] }, overlooked });
  });

  test('keeps line breaks that stand raw in its texts', () => {
    expect(read('["a\nb\tc\\n"]')).toMatchObject({
      value: ['a\nb\tc\n'],
      overlooked: ['line breaks in texts'],
    });
  });

  test('keeps a key that is named like something of every object as a field', () => {
    const { value } = read('{"__proto__": {"verdict": "clean"}}') as { readonly value: object };
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect('verdict' in value).toBe(false);
  });

  test.each([
    "{'a': 1}",
    '{a: 1}',
    '{"a" 1}',
    '[1 2]',
    '[01]',
    '["\\x"]',
    '[nul]',
    '{"a":}',
    '[,]',
  ])('that would have to be guessed is none: %s', (text) => {
    expect(read(`${text} `).kind).toBe('none');
  });
});

describe('a document whose end is missing', () => {
  test('has only whole things in it, and the cut ones are named', () => {
    fc.assert(
      fc.property(fc.array(container, { minLength: 1 }), fc.nat(), (items, at) => {
        const text = JSON.stringify(items);
        const cutAt = 1 + (at % (text.length - 1));
        const found = read(text.slice(0, cutAt));
        if (found.kind !== 'read') throw new Error('a list is read as far as it goes');
        const list = found.value as readonly unknown[];
        expect(found.cut.has(list as object)).toBe(true);
        const whole = list.filter(
          (one) => typeof one !== 'object' || !found.cut.has(one as object),
        );
        expect(whole).toEqual((JSON.parse(text) as unknown[]).slice(0, whole.length));
        expect(list.length - whole.length).toBeLessThanOrEqual(1);
      }),
    );
  });
});

test('brackets without end cost neither time nor stack', () => {
  expect(read('['.repeat(1_000_000)).kind).toBe('none');
  expect(read('{"a":'.repeat(1_000_000)).kind).toBe('none');
});
