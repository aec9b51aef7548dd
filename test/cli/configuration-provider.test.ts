import { describe, expect, test } from 'vitest';
import { mergeConfiguration, type SettingValues } from '../../src/domain/config-merge.ts';
import { chooseProvider } from '../../src/cli/configuration-provider.ts';
import { readSession } from '../../src/cli/configuration-session.ts';

const choose = (
  values: SettingValues,
  found: { env?: Record<string, string>; programs?: readonly string[] } = {},
) =>
  chooseProvider(mergeConfiguration([{ source: 'flag', values }], undefined), undefined, {
    env: found.env ?? {},
    isOnPath: (program) => found.programs?.includes(program) === true,
  });

test('a provider that is named is taken as it is, and none is chosen unasked', () => {
  for (const provider of ['builtin', 'command', 'handoff', 'scripted'] as const)
    expect(choose({ provider })).toEqual({ provider, command: undefined });
  expect(choose({}, { programs: ['claude'] }).provider).toBeUndefined();
});

test('the predecessor’s names mean ours', () => {
  expect(choose({ provider: 'local-subprocess' }).provider).toBe('handoff');
  expect(choose({ provider: 'subprocess-template', command: 'x' })).toEqual({
    provider: 'command',
    command: 'x',
  });
  expect(choose({ provider: 'vscode-task' }).provider).toBe('command');
});

describe('auto', () => {
  const auto = { provider: 'auto' } as const;

  test('takes the command where there is one, and says so', () => {
    expect(choose({ ...auto, command: 'x' }, { programs: ['claude'] })).toEqual({
      provider: 'command',
      command: 'x',
      notice: expect.stringMatching(/there is a command/),
    });
  });

  test('inside a host hands the work to it', () => {
    expect(choose({ ...auto, command: 'x' }, { env: { CLAUDECODE: '1' } })).toMatchObject({
      provider: 'handoff',
      notice: expect.stringMatching(/inside Claude Code/),
    });
  });

  test.each([[[]], [['claude']], [['opencode']], [['claude', 'opencode']]])(
    'with %j on PATH never chooses what this version cannot start',
    (programs) => {
      const { provider, notice } = choose(auto, { programs });
      expect(provider).toBe('handoff');
      expect(notice).toMatch(/^Provider auto: .*casefile next/);
    },
  );
});

test('each template of a session-config.json goes with its own name', async () => {
  const reading = await readSession({
    subprocess_template: { command_template: ['one', '{promptPath}'] },
    vscode_task: { command_template: ['two', '{taskPath}'] },
  });
  if (reading.kind === 'refused') throw new Error(reading.problems.join());
  const commandFor = (provider: 'subprocess-template' | 'vscode-task' | 'auto', env = {}) =>
    chooseProvider(
      mergeConfiguration(
        [
          { source: 'flag', values: { provider } },
          { source: 'session-config', values: reading.values },
        ],
        undefined,
      ),
      reading.session,
      { env, isOnPath: () => false },
    ).command;
  expect(commandFor('subprocess-template')).toBe('["one","{prompt}"]');
  expect(commandFor('vscode-task')).toBe('["two","{packet}"]');
  expect(commandFor('auto')).toBe('["one","{prompt}"]');
  expect(commandFor('auto', { TERM_PROGRAM: 'vscode' })).toBe('["two","{packet}"]');
});

test('a template with a place of the predecessor that has no counterpart is refused by name', async () => {
  expect(
    await readSession({ subprocess_template: { command_template: ['x', '{runId}'] } }),
  ).toEqual({
    kind: 'refused',
    problems: [expect.stringMatching(/command_template cannot be used: .*\{runId\}/)],
  });
});
