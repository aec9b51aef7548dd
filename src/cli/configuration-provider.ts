import type { Merged } from '../domain/config-merge.ts';
import { resolveProvider } from '../domain/host-provider.ts';
import type { SessionConfig } from '../domain/session-config.ts';
import type { ProviderId } from '../domain/vocabulary.ts';
import { templateOf } from './configuration-session.ts';

/** The provider that is meant, and the command that goes with it. */
export type ChosenProvider = {
  /** Undefined: nobody said one. */
  readonly provider: ProviderId | undefined;
  readonly command: string | undefined;
  /** With `auto`: what was chosen, and why. */
  readonly notice?: string;
};

export type Surroundings = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isOnPath: (program: string) => boolean;
};

/**
 * From the word for a provider to a provider of this version. `auto` never chooses what cannot be
 * started: an agent without an adapter can still do the work as a host, by hand-off.
 */
export const chooseProvider = (
  { values, sources }: Pick<Merged, 'values' | 'sources'>,
  session: SessionConfig | undefined,
  surroundings: Surroundings,
): ChosenProvider => {
  const { provider: word, command } = values;
  const isOfSession = command === undefined || sources.command?.[0] === 'session-config';
  const from = (section: 'subprocess_template' | 'vscode_task'): string | undefined => {
    const words = isOfSession && session !== undefined ? templateOf(session, section) : undefined;
    return words === undefined ? command : JSON.stringify(words);
  };
  switch (word) {
    case undefined:
    case 'builtin':
    case 'command':
    case 'handoff':
    case 'scripted':
      return { provider: word, command };
    case 'local-subprocess':
      return { provider: 'handoff', command };
    case 'subprocess-template':
      return { provider: 'command', command: from('subprocess_template') };
    case 'vscode-task':
      return { provider: 'command', command: from('vscode_task') };
    case 'auto':
      break;
  }
  // A command of ours is what a template was: something of the user's to start.
  const templates =
    command !== undefined && !isOfSession ? { command_template: ['command'] } : undefined;
  const config =
    templates === undefined ? (session ?? {}) : { ...session, subprocess_template: templates };
  const found = resolveProvider({ explicit: 'auto', config, ...surroundings });
  if (found.kind === 'unknown') return { provider: undefined, command };
  if (found.provider === 'command') {
    return {
      provider: 'command',
      command: from(found.template ?? 'subprocess_template'),
      notice: 'Provider auto: there is a command, and it does the work.',
    };
  }
  if (found.provider === 'handoff') {
    const why = surroundings.env['CLAUDECODE']
      ? 'casefile runs inside Claude Code, which can do the work itself'
      : `no command is configured, and of ${found.lookups.join(' and ')} not exactly one is on PATH`;
    return {
      provider: 'handoff',
      command,
      notice: `Provider auto: ${why}: hand-off (casefile next).`,
    };
  }
  return {
    provider: 'handoff',
    command,
    notice: `Provider auto: ${found.provider} is here, but this version has no adapter for it: hand-off (casefile next).`,
  };
};
