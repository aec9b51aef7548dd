import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSessionConfig, validateSessionConfig } from '../../src/domain/session-config.ts';
import { ONE_LINE } from '../helpers/one-line.ts';

/** The cases of the predecessor's own rules are in test/conformance. */

test('a file that holds is given as it is, with keys that nobody knows', () => {
  const value = { provider: 'auto', parallel_workers: 0.5, quota: { probe: 'x' }, colour: 'red' };
  expect(readSessionConfig(value)).toEqual({ kind: 'ok', value });
});

test('a file that is not there is an empty one', () => {
  expect(readSessionConfig(undefined)).toEqual({ kind: 'ok', value: {} });
});

test('every issue names path, value and rule on one printable line', () => {
  const issues = validateSessionConfig({
    timeout_ms: 0.5,
    claude_code: { command: 'claude\u001b[2J', extra_args: ['-v', ' '] },
    analyzers: { 'a\nb': 'always' },
  });
  expect(issues.map(({ message }) => message)).toEqual([
    'timeout_ms must be a whole number above 0, not 0.5.',
    'claude_code.extra_args[1] must be a text that is not blank, not " ".',
    'analyzers.a\\u{a}b must be one of repo, ephemeral, permanent, skip, auto, not "always".',
  ]);
});

test('whatever the file holds, it is taken whole or its issues are told, each path once', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const read = readSessionConfig(value);
      if (read.kind === 'ok') return;
      const paths = read.issues.map(({ path }) => path);
      expect(new Set(paths).size).toBe(paths.length);
      for (const { message } of read.issues) expect(message).toMatch(ONE_LINE);
    }),
  );
});
