import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  contextBudgetFor,
  packetBudgetFor,
  usableTokens,
} from '../../src/pipeline/packet-budget.ts';
import { fileTokens, utf8Length } from '../../src/pipeline/token-model.ts';

test('bytes are counted as UTF-8 has them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
    }),
  );
});

test('the same bytes are more tokens in a language of denser signs, and numbering counts', () => {
  const size = 10_000;
  const of = (language: string, lines = 0) => fileTokens({ language, size, lines });
  expect(of('Java')).toBeLessThan(of('Python'));
  expect(of('Python')).toBeLessThan(of('YAML'));
  expect(of('Python', 100)).toBe(of('Python') + 400);
});

test('a provider with a small context gets packets that fit in two fifths of it', () => {
  expect(packetBudgetFor('agent', 50_000).tokensMax).toBe(20_000);
  expect(packetBudgetFor('agent', 1_000_000)).toEqual(packetBudgetFor('agent', undefined));
});

test('a budget without room for any file is refused with a sentence', () => {
  const budget = { tokensMax: 5000, tasksMax: 10 };
  expect(() => usableTokens(budget, contextBudgetFor('agent', budget))).toThrow(
    /no room for files/,
  );
});

test('the smallest budget has room beside the prompt', () => {
  const budget = { tokensMax: 8000, tasksMax: 10 };
  expect(usableTokens(budget, contextBudgetFor('agent', budget))).toBeGreaterThan(2000);
});
