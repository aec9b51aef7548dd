import { expect, test } from 'vitest';
import { resolveHostActiveSubagentLimit } from '../../src/domain/host-limit.ts';

const limitOf = (given: Partial<Parameters<typeof resolveHostActiveSubagentLimit>[0]>) =>
  resolveHostActiveSubagentLimit({ config: {}, env: {}, ...given })?.activeSubagents;

test('only a whole number above 0 counts, in a file and in the environment', () => {
  for (const value of [0.5, Number.NaN, 0, -3, '2.5', '1e3', '+4', '', true, 2 ** 60]) {
    expect(limitOf({ config: { parallel_workers: value } })).toBeUndefined();
    expect(limitOf({ env: { CODEX_MAX_ACTIVE_SUBAGENTS: String(value) } })).toBeUndefined();
  }
  expect(limitOf({ config: { parallel_workers: ' 12 ' } })).toBe(12);
  expect(limitOf({ env: { CODEX_MAX_ACTIVE_SUBAGENTS: '012' } })).toBe(12);
});

test('a quota without a limit leaves the word to the number of workers', () => {
  for (const quota of [null, undefined, 7, {}, { host_active_subagent_limit: null }]) {
    expect(limitOf({ config: { quota, parallel_workers: 3 } })).toBe(3);
  }
});

test('a flag comes first, a file second, the environment last', () => {
  const env = {
    AUDIT_CODE_HOST_MAX_ACTIVE_SUBAGENTS: '3',
    CODEX_INTERNAL_ORIGINATOR_OVERRIDE: 'Codex Desktop',
  };
  const config = { parallel_workers: 2 };
  expect(limitOf({ explicit: 1, config, env })).toBe(1);
  expect(limitOf({ config, env })).toBe(2);
  expect(limitOf({ env })).toBe(3);
});
