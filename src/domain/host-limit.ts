/** How many of its own workers a conversation host runs at once, and who says so. */
export type HostLimit = {
  readonly activeSubagents: number;
  readonly source: 'cli_flags' | 'session_config' | 'environment';
};

/**
 * The width of a host: what the flag says, else the predecessor's configuration, else the environment;
 * undefined when nobody says anything. A flag's number is taken as it is: the flag has checked it.
 *
 * In a configuration and in the environment only a whole number above 0 counts, and of the two places
 * in each the first that is set hides the second, even when what it holds is no such number.
 */
export const resolveHostActiveSubagentLimit = (given: {
  readonly explicit?: number | undefined;
  /** Unchecked: no rule of the predecessor looks at these fields. */
  readonly config: {
    readonly quota?: unknown;
    readonly parallel_workers?: unknown;
  };
  readonly env: Readonly<Record<string, string | undefined>>;
}): HostLimit | undefined => {
  const { explicit, config, env } = given;
  if (explicit !== undefined) return { activeSubagents: explicit, source: 'cli_flags' };
  const configured = wholeNumber(trimmed(quotaLimit(config.quota) ?? config.parallel_workers));
  if (configured !== undefined) return { activeSubagents: configured, source: 'session_config' };
  const named = wholeNumber(
    env['AUDIT_CODE_HOST_MAX_ACTIVE_SUBAGENTS'] ?? env['CODEX_MAX_ACTIVE_SUBAGENTS'],
  );
  if (named !== undefined) return { activeSubagents: named, source: 'environment' };
  return env['CODEX_INTERNAL_ORIGINATOR_OVERRIDE'] === 'Codex Desktop'
    ? { activeSubagents: CODEX_DESKTOP_SUBAGENTS, source: 'environment' }
    : undefined;
};

/** What Codex Desktop allows a conversation. */
const CODEX_DESKTOP_SUBAGENTS = 6;

const quotaLimit = (quota: unknown): unknown =>
  typeof quota === 'object' && quota !== null
    ? (quota as Readonly<Record<string, unknown>>)['host_active_subagent_limit']
    : undefined;

/** A safe whole number above 0, also in digits; nothing else ("2.5", "many", "1e3") is one. */
const wholeNumber = (value: unknown): number | undefined => {
  const isDigits = typeof value === 'string' && /^\d+$/.test(value);
  const number = isDigits ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0
    ? number
    : undefined;
};

/** People write configurations by hand: white space around the digits is no harm there. */
const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);
