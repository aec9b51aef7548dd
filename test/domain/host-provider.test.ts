import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resolveProvider } from '../../src/domain/host-provider.ts';
import { readSessionConfig } from '../../src/domain/session-config.ts';

const command_template = ['agent', '{promptPath}'];
const config = fc.record(
  {
    provider: fc.constantFrom('auto', 'local-subprocess'),
    subprocess_template: fc.constant({ command_template }),
    vscode_task: fc.constant({ command_template }),
    claude_code: fc.record({ command: fc.constant('claude') }),
    opencode: fc.record({ extra_args: fc.constant(['-v']) }),
  },
  { requiredKeys: [] },
);

test('inside Claude Code the host itself works, unless it is told otherwise (R30)', () => {
  const explicit = fc.constantFrom(undefined, 'auto');
  fc.assert(
    fc.property(explicit, config, fc.string({ minLength: 1 }), (word, settings, CLAUDECODE) => {
      const env = { CLAUDECODE, TERM_PROGRAM: 'vscode' };
      const resolved = resolveProvider({
        explicit: word,
        config: settings,
        env,
        isOnPath: () => true,
      });
      expect(resolved).toEqual({ kind: 'provider', provider: 'handoff', lookups: [] });
    }),
  );
});

test('what is named outright is taken without a look around', () => {
  const ask = (explicit: string) =>
    resolveProvider({ explicit, config: {}, env: { CLAUDECODE: '1' }, isOnPath: () => false });
  expect(ask('claude-code')).toEqual({ kind: 'provider', provider: 'claude-code', lookups: [] });
  expect(ask('builtin')).toMatchObject({ provider: 'builtin' });
  expect(ask('vscode-task')).toMatchObject({ provider: 'command', template: 'vscode_task' });
  expect(ask('copilot')).toEqual({ kind: 'unknown', word: 'copilot', lookups: [] });
});

test('unasked, only a program that was found on PATH is chosen', () => {
  fc.assert(
    fc.property(config, fc.subarray(['claude', 'opencode']), (settings, onPath) => {
      const { subprocess_template: _, vscode_task: __, ...programs } = settings;
      const resolved = resolveProvider({
        config: programs,
        env: {},
        isOnPath: (command) => onPath.includes(command),
      });
      const needs = { 'claude-code': 'claude', opencode: 'opencode' };
      const provider = resolved.kind === 'provider' ? resolved.provider : 'none';
      if (provider in needs) expect(onPath).toContain(needs[provider as keyof typeof needs]);
      else expect(provider).toBe('handoff');
    }),
  );
});

test('a configuration that was read is one that a provider can be found by', () => {
  const read = readSessionConfig({ provider: 'auto', subprocess_template: { command_template } });
  const found =
    read.kind === 'ok' && resolveProvider({ config: read.value, env: {}, isOnPath: () => false });
  expect(found).toMatchObject({ provider: 'command', template: 'subprocess_template' });
});
