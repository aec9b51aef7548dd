/**
 * What an operator has consented to, in words: `analyzers` for any program that is found on the machine, or
 * `analyzers:ruff` for one. Nobody else can: the repository that is audited has no say here.
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

const ALL_ANALYZERS = 'analyzers';

export const CONSENT_RULE = `it must be an array of consents, each "${ALL_ANALYZERS}" or "${ALL_ANALYZERS}:NAME", and a NAME is one of ${FOUND_TOOL_NAMES.join(', ')}`;

/** One word of a consent: `analyzers` or `analyzers:NAME`. */
export const CONSENT_PATTERN = new RegExp(
  `^${ALL_ANALYZERS}(?::(?:${FOUND_TOOL_NAMES.join('|')}))?$`,
);

/** Whether a program may be run, and whether it was named for itself. */
export const consentTo = (
  consent: readonly string[],
  tool: FoundToolName,
): 'named' | 'any' | undefined => {
  if (consent.includes(`${ALL_ANALYZERS}:${tool}`)) return 'named';
  return consent.includes(ALL_ANALYZERS) ? 'any' : undefined;
};

/** The words of a list: `analyzers:ruff,shellcheck` is one for each of the two. Undefined for what is none. */
export const consentWords = (text: string): readonly string[] | undefined => {
  const words: string[] = [];
  let isListed = false;
  for (const part of text.split(',').map((one) => one.trim())) {
    // Behind `analyzers:ruff` a bare name is another analyzer.
    const isName: boolean = isListed && (FOUND_TOOL_NAMES as readonly string[]).includes(part);
    const word: string = isName ? `${ALL_ANALYZERS}:${part}` : part;
    if (!CONSENT_PATTERN.test(word)) return undefined;
    isListed = word.includes(':');
    words.push(word);
  }
  return words;
};

/** Whether what was consented to then includes what is now. */
export const includesConsent = (given: readonly string[], asked: readonly string[]): boolean =>
  asked.every(
    (word) =>
      given.includes(word) ||
      (word.startsWith(`${ALL_ANALYZERS}:`) && given.includes(ALL_ANALYZERS)),
  );
