import type { SettingValues } from '../domain/config-merge.ts';
import { readSessionConfig, type SessionConfig } from '../domain/session-config.ts';
import { shown } from '../std/shown.ts';
import { printable } from '../std/printable.ts';
import { commandProblem } from './configuration-command.ts';

/** The predecessor's configuration, read as what the user says. */
export type SessionReading =
  | {
      readonly kind: 'read';
      readonly session: SessionConfig;
      readonly values: SettingValues;
      /** Keys that nothing here has a use for. */
      readonly ignored: readonly string[];
    }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

/**
 * Maps a `session-config.json`: `timeout_ms` is `timeout`, `parallel_workers` is `parallel`, a command
 * template is the command of provider `command`, and `local-subprocess`, which the predecessor
 * wrote by itself, is `auto`. What has no counterpart is ignored by name.
 */
export const readSession = async (value: unknown): Promise<SessionReading> => {
  const read = readSessionConfig(value ?? {});
  if (read.kind === 'refused') {
    return { kind: 'refused', problems: read.issues.map(({ message }) => message) };
  }
  const session = read.value;
  const problems: string[] = [];
  const command = await commandOf(session, problems);
  const values: SettingValues = {
    provider: providerOf(session, problems),
    command,
    parallel: wholeNumber(session['parallel_workers'], 'parallel_workers', problems),
    timeout: session.timeout_ms,
    ui: session.ui_mode && (session.ui_mode === 'visible' ? 'tty' : 'plain'),
    host: hostOf(session, problems),
  };
  if (problems.length > 0) return { kind: 'refused', problems };
  return { kind: 'read', session, values, ignored: ignoredIn(session) };
};

/** The words of the section that the provider names, or of the one that there is. */
export const templateOf = (
  session: SessionConfig,
  section: 'subprocess_template' | 'vscode_task',
): readonly string[] | undefined => session[section]?.command_template?.map(ownPlaceholders);

const commandOf = async (
  session: SessionConfig,
  problems: string[],
): Promise<string | undefined> => {
  const sections =
    session.provider === 'vscode-task'
      ? (['vscode_task', 'subprocess_template'] as const)
      : (['subprocess_template', 'vscode_task'] as const);
  for (const section of sections) {
    const words = templateOf(session, section);
    if (words === undefined) continue;
    const problem = await commandProblem(words);
    if (problem === undefined) return JSON.stringify(words);
    problems.push(`${section}.command_template ${problem}`);
  }
  return undefined;
};

/** What the predecessor filled in, and our name for it. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  promptPath: '{prompt}',
  taskPath: '{packet}',
  resultPath: '{answer}',
  repoRoot: '{tree}',
};

const ownPlaceholders = (word: string): string =>
  word.replaceAll(/\{([A-Za-z0-9_]+)\}/g, (text, name: string) =>
    Object.hasOwn(PLACEHOLDERS, name) ? (PLACEHOLDERS[name] ?? text) : text,
  );

const providerOf = ({ provider }: SessionConfig, problems: string[]): SettingValues['provider'] => {
  switch (provider) {
    case 'claude-code':
    case 'opencode':
      problems.push(
        `provider is "${provider}": this version has no adapter for it; use "subprocess-template" or "auto"`,
      );
      return undefined;
    case 'local-subprocess':
      return 'auto';
    case 'auto':
    case 'subprocess-template':
    case 'vscode-task':
    case undefined:
      return provider;
  }
};

/** The predecessor took any number and made 0 of 0.5: here it is one or it is wrong. */
const wholeNumber = (value: unknown, path: string, problems: string[]): number | undefined => {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
  problems.push(`${path} is ${shown(value)}: it must be a whole number of 1 or more`);
  return undefined;
};

const hostOf = (session: SessionConfig, problems: string[]): SettingValues['host'] => {
  const quota = session['quota'];
  const limit =
    typeof quota === 'object' && quota !== null && 'host_active_subagent_limit' in quota
      ? wholeNumber(quota.host_active_subagent_limit, 'quota.host_active_subagent_limit', problems)
      : undefined;
  const canDispatchSubagents = session.host_can_dispatch_subagents;
  if (limit === undefined && canDispatchSubagents === undefined) return undefined;
  return { canDispatchSubagents, maxActiveSubagents: limit };
};

const USED: ReadonlySet<string> = new Set([
  'provider',
  'timeout_ms',
  'ui_mode',
  'host_can_dispatch_subagents',
  'parallel_workers',
  'subprocess_template',
  'vscode_task',
]);

const ignoredIn = (session: SessionConfig): readonly string[] => {
  const keys = Object.keys(session).filter((key) => !USED.has(key) && key !== 'quota');
  const quota: unknown = session['quota'];
  const inQuota =
    typeof quota === 'object' && quota !== null
      ? Object.keys(quota)
          .filter((key) => key !== 'host_active_subagent_limit')
          .map((key) => `quota.${key}`)
      : [];
  const inTemplates = (['subprocess_template', 'vscode_task'] as const)
    .filter((section) => session[section]?.env !== undefined)
    .map((section) => `${section}.env`);
  return [...keys, ...inQuota, ...inTemplates].map((key) => printable(key, 100));
};
