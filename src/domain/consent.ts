/**
 * What an operator has consented to, in words: `analyzers` for any program that is found on the machine, or
 * `analyzers:ruff` for one; `commands` for the project's own commands, or `commands:test` for those of a
 * kind. Nobody else can: the repository that is audited has no say here.
 */

/** Programs that casefile knows how to run over a repository without obeying it, by their names on PATH. */
export const FOUND_TOOL_NAMES = [
  'semgrep',
  'gitleaks',
  'trivy',
  'osv-scanner',
  'bandit',
  'ruff',
  'golangci-lint',
  'actionlint',
  'hadolint',
  'shellcheck',
] as const;
export type FoundToolName = (typeof FOUND_TOOL_NAMES)[number];

/** What commands of a project are for, in the order in which they are run. */
export const COMMAND_KINDS = ['test', 'typecheck', 'lint', 'build'] as const;
export type CommandKind = (typeof COMMAND_KINDS)[number];

const ANALYZERS = 'analyzers';
const COMMANDS = 'commands';

/** What may be consented to as a whole, and its parts. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  [ANALYZERS]: FOUND_TOOL_NAMES,
  [COMMANDS]: COMMAND_KINDS,
};

/** All that may be consented to, for people. */
export const CONSENT_WORDS = Object.entries(PARTS)
  .map(([whole, parts]) => `${whole}, or ${whole}:${parts.join(',')}`)
  .join('; ');

export const CONSENT_RULE = `it must be an array of consents, each ${Object.entries(PARTS)
  .map(([whole, parts]) => `"${whole}" or "${whole}:" with one of ${parts.join(', ')}`)
  .join('; or ')}`;

/** One word of a consent: `analyzers` or `analyzers:NAME`, `commands` or `commands:KIND`. */
export const CONSENT_PATTERN = new RegExp(
  `^(?:${Object.entries(PARTS)
    .map(([whole, parts]) => `${whole}(?::(?:${parts.join('|')}))?`)
    .join('|')})$`,
);

/** Whether a program may be run, and whether it was named for itself. */
export const consentTo = (
  consent: readonly string[],
  tool: FoundToolName,
): 'named' | 'any' | undefined => {
  if (consent.includes(`${ANALYZERS}:${tool}`)) return 'named';
  return consent.includes(ANALYZERS) ? 'any' : undefined;
};

/** Kinds of commands of the project that may be run. */
export const consentedCommands = (consent: readonly string[]): readonly CommandKind[] =>
  COMMAND_KINDS.filter(
    (kind) => consent.includes(COMMANDS) || consent.includes(`${COMMANDS}:${kind}`),
  );

/** The words of a list: `analyzers:ruff,shellcheck` is one for each of the two. Undefined for what is none. */
export const consentWords = (text: string): readonly string[] | undefined => {
  const words: string[] = [];
  let listed: string | undefined;
  for (const part of text.split(',').map((one) => one.trim())) {
    // Behind `analyzers:ruff` a bare name is another analyzer.
    const isPart: boolean = listed !== undefined && PARTS[listed]?.includes(part) === true;
    const word: string = isPart ? `${listed}:${part}` : part;
    if (!CONSENT_PATTERN.test(word)) return undefined;
    listed = word.includes(':') ? word.split(':')[0] : undefined;
    words.push(word);
  }
  return words;
};

/** Whether what was consented to then includes what is now. */
export const includesConsent = (given: readonly string[], asked: readonly string[]): boolean =>
  asked.every((word) => given.includes(word) || given.includes(word.split(':')[0] ?? ''));
