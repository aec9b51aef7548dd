import { providerId, type ProviderId } from './vocabulary.ts';

/** Which provider does the work, and by which programs that was found out. */
export type ResolvedProvider =
  | {
      readonly kind: 'provider';
      readonly provider: ProviderId;
      /** With `command`: the section of the predecessor's configuration that has the arguments. */
      readonly template?: 'subprocess_template' | 'vscode_task';
      /** Programs that were looked for on PATH, in order. */
      readonly lookups: readonly string[];
    }
  /** A word that names no provider, as it was given. */
  | { readonly kind: 'unknown'; readonly word: string; readonly lookups: readonly [] };

export type ProviderQuestion = {
  /** What the flag says, in our words or those of the predecessor. */
  readonly explicit?: string | undefined;
  readonly config: ProviderConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isOnPath: (command: string) => boolean;
};

/** What of the predecessor's configuration has a say; `provider` may be a word of anybody. */
export type ProviderConfig = {
  readonly provider?: string | undefined;
  readonly subprocess_template?: TemplateSection | undefined;
  readonly vscode_task?: TemplateSection | undefined;
  readonly claude_code?:
    (ProgramSection & { readonly dangerously_skip_permissions?: boolean | undefined }) | undefined;
  readonly opencode?: ProgramSection | undefined;
};
type TemplateSection = { readonly command_template?: readonly string[] | undefined };
type ProgramSection = {
  readonly command?: string | undefined;
  readonly extra_args?: readonly string[] | undefined;
};

/**
 * Finds the provider: what the flag names, else what the configuration names, else what is at hand.
 * `auto`, and `local-subprocess` in a configuration (the predecessor wrote it there by itself), ask
 * for a look around: the host that casefile runs in, then templates, then programs on PATH.
 *
 * Inside Claude Code the host itself works (`handoff`): another Claude Code, started from within, is
 * nothing to choose unasked. Named outright, it is taken.
 */
export const resolveProvider = (question: ProviderQuestion): ResolvedProvider => {
  const { explicit, config } = question;
  const word = explicit ?? config.provider;
  const isLeftOpen =
    word === undefined ||
    word === 'auto' ||
    (explicit === undefined && word === 'local-subprocess');
  if (isLeftOpen) return lookAround(question);
  const own = providerId.safeParse(word);
  if (own.success) return chosen({ provider: own.data });
  const meant = PREDECESSOR_WORDS.get(word);
  return meant === undefined ? { kind: 'unknown', word, lookups: [] } : chosen(meant);
};

type Choice = Pick<Extract<ResolvedProvider, { kind: 'provider' }>, 'provider' | 'template'>;

const HANDOFF: Choice = { provider: 'handoff' };
const SUBPROCESS: Choice = { provider: 'command', template: 'subprocess_template' };
const VSCODE: Choice = { provider: 'command', template: 'vscode_task' };
const CLAUDE: Choice = { provider: 'claude-code' };
const OPENCODE: Choice = { provider: 'opencode' };

const PREDECESSOR_WORDS: ReadonlyMap<string, Choice> = new Map([
  ['local-subprocess', HANDOFF],
  ['subprocess-template', SUBPROCESS],
  ['vscode-task', VSCODE],
]);

const chosen = (choice: Choice, lookups: readonly string[] = []): ResolvedProvider => ({
  kind: 'provider',
  ...choice,
  lookups,
});

const lookAround = ({ config, env, isOnPath }: ProviderQuestion): ResolvedProvider => {
  if (isSet(env['OPENCODE'])) return chosen(OPENCODE);
  if (isSet(env['CLAUDECODE'])) return chosen(HANDOFF);
  const isVscode = env['TERM_PROGRAM']?.toLowerCase() === 'vscode';
  if (isVscode && isFilled(config.vscode_task?.command_template)) return chosen(VSCODE);
  if (isFilled(config.subprocess_template?.command_template)) return chosen(SUBPROCESS);
  const { claude_code: claude, opencode } = config;
  const lookups = [claude?.command ?? 'claude', opencode?.command ?? 'opencode'];
  const [hasClaude = false, hasOpencode = false] = lookups.map(isOnPath);
  const isClaudeConfigured = isConfigured(claude) || claude?.dangerously_skip_permissions === true;
  if (hasClaude && isClaudeConfigured) return chosen(CLAUDE, lookups);
  if (hasOpencode && isConfigured(opencode)) return chosen(OPENCODE, lookups);
  // Both, and nothing says which: that is for the operator to say.
  if (hasClaude !== hasOpencode) return chosen(hasClaude ? CLAUDE : OPENCODE, lookups);
  return chosen(HANDOFF, lookups);
};

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';

const isFilled = (list: readonly string[] | undefined): boolean =>
  list !== undefined && list.length > 0;

const isConfigured = (section: ProgramSection | undefined): boolean =>
  (section?.command ?? '').trim() !== '' || isFilled(section?.extra_args);
