import type { AuditState } from '../decider/state.ts';
import { canonicalJson } from '../std/canonical-json.ts';
import type { AttemptLimits, Settings, SettingsChange } from '../domain/settings.ts';
import type { GateSeverity, Lens, ProviderId } from '../domain/vocabulary.ts';
import type { Provider } from '../providers/provider.ts';

/** What the flags of this call ask for; undefined: not said. */
export type Asked = {
  readonly provider?: ProviderId | undefined;
  readonly lenses?: readonly Lens[] | undefined;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly parallel?: number | undefined;
  readonly maxAttempts?: number | undefined;
  readonly timeout?: number | undefined;
  readonly idleTimeout?: number | undefined;
  readonly failOn?: GateSeverity | undefined;
};

const DEFAULT_LIMITS: AttemptLimits = {
  attemptsMax: 3,
  wallMs: 30 * 60_000,
  idleMs: 10 * 60_000,
  outputBytesMax: 1_000_000,
};
const DEFAULT_GATE: GateSeverity = 'high';

/** The settings of a new audit. */
export const newSettings = (asked: Asked, provider: Provider): Settings => ({
  provider: provider.id,
  reviewer: provider.reviewer,
  accounts: [provider.account],
  lenses: [...(asked.lenses ?? provider.lenses)],
  include: [...(asked.include ?? [])],
  exclude: [...(asked.exclude ?? [])],
  limits: limitsOf(asked, DEFAULT_LIMITS),
  failOn: asked.failOn ?? DEFAULT_GATE,
  consent: [],
});

const limitsOf = (asked: Asked, base: AttemptLimits): AttemptLimits => ({
  ...base,
  ...(asked.maxAttempts !== undefined && { attemptsMax: asked.maxAttempts }),
  ...(asked.timeout !== undefined && { wallMs: asked.timeout }),
  ...(asked.idleTimeout !== undefined && { idleMs: asked.idleTimeout }),
});

/**
 * Whether an audit answers what is asked: the same lenses and files, by the same kind of reviewer.
 * What is not said now stays as it was.
 */
export const asksTheSame = (
  asked: Asked,
  settings: Settings,
  provider: Pick<Provider, 'reviewer'>,
): boolean =>
  provider.reviewer === settings.reviewer &&
  sameList(asked.lenses, settings.lenses) &&
  sameList(asked.include, settings.include) &&
  sameList(asked.exclude, settings.exclude);

/** Whether two lists hold the same words; what is not asked for is the same as anything. */
export const sameList = (
  asked: readonly string[] | undefined,
  present: readonly string[],
): boolean =>
  asked === undefined || canonicalJson(asked.toSorted()) === canonicalJson(present.toSorted());

/** What of an audit's settings this call changes, if anything. */
export const changesFor = (
  asked: Asked,
  settings: Settings,
  provider: Provider,
): SettingsChange | undefined => {
  const limits = limitsOf(asked, settings.limits);
  const changes: SettingsChange = {
    ...(provider.id !== settings.provider && { provider: provider.id }),
    ...((provider.id !== settings.provider || asked.parallel !== undefined) &&
      canonicalJson(settings.accounts) !== canonicalJson([provider.account]) && {
        accounts: [provider.account],
      }),
    ...(canonicalJson(limits) !== canonicalJson(settings.limits) && { limits }),
  };
  return Object.keys(changes).length === 0 ? undefined : changes;
};

/** The gate of this call: what is said now, or what the audit was opened with. */
export const gateOf = (asked: Asked, audit: AuditState | undefined): GateSeverity =>
  asked.failOn ?? audit?.opened?.settings.failOn ?? DEFAULT_GATE;
