import type { AuditState } from '../decider/state.ts';
import { canonicalJson, compareText } from '../std/canonical-json.ts';
import {
  DEFAULT_GATE,
  narrowedLenses,
  stricterGate,
  type SettingValues,
} from '../domain/config-merge.ts';
import type { ConfigKey, Narrowing, SettingSources } from '../domain/config.ts';
import { includesConsent } from '../domain/consent.ts';
import type { Depth } from '../domain/depth.ts';
import type { LensDefinition } from '../domain/lens-definition.ts';
import { isSameSelection, type Selection } from '../domain/selection.ts';
import type { AttemptLimits, Settings, SettingsChange } from '../domain/settings.ts';
import { LENSES, type GateSeverity, type Lens, type ProviderId } from '../domain/vocabulary.ts';
import { ANALYZER_LENSES } from '../pipeline/enrichment.ts';
import type { Provider } from '../providers/provider.ts';

/** What this call asks for, by flags and configuration; undefined: not said. */
export type Asked = Pick<
  SettingValues,
  | 'lenses'
  | 'depth'
  | 'deepening'
  | 'narrative'
  | 'include'
  | 'exclude'
  | 'parallel'
  | 'maxAttempts'
  | 'timeout'
  | 'idleTimeout'
  | 'failOn'
  | 'consent'
  | 'host'
> & {
  readonly provider?: ProviderId | undefined;
  /** Only these components of the tree. */
  readonly components?: readonly string[] | undefined;
  /** Definitions of the lenses that are not ours. */
  readonly ownLenses?: readonly LensDefinition[] | undefined;
  /** What changed, where only that is asked about. */
  readonly selection?: Selection | undefined;
  /** Whoever asks for work means the audit that there is, whatever it asks. */
  readonly isAboutNewest?: boolean | undefined;
  /** What the repository's own file takes away of all this. */
  readonly narrowing?: Narrowing | undefined;
  /** The gate that it asks for. */
  readonly repositoryGate?: GateSeverity | undefined;
  /** Where each setting comes from. */
  readonly sources?: SettingSources | undefined;
};

export const DEFAULT_LIMITS: AttemptLimits = {
  attemptsMax: 3,
  wallMs: 30 * 60_000,
  idleMs: 10 * 60_000,
  outputBytesMax: 1_000_000,
};

/** The settings of a new audit. */
export const newSettings = (asked: Asked, provider: Provider): Settings => ({
  provider: provider.id,
  reviewer: provider.reviewer,
  accounts: [provider.account],
  lenses: narrowedLenses(asked.lenses ?? provider.lenses, asked.narrowing),
  ...(asked.ownLenses !== undefined && { ownLenses: [...asked.ownLenses] }),
  ...(asked.depth !== undefined && { depth: asked.depth }),
  ...afterReviewSettings(asked, provider),
  ...(asked.components !== undefined && { components: [...asked.components] }),
  include: [...(asked.include ?? [])],
  exclude: [...(asked.exclude ?? [])],
  ...(asked.selection !== undefined && { selection: asked.selection }),
  limits: limitsOf(asked, DEFAULT_LIMITS),
  failOn: gateOf(asked, undefined),
  consent: [...new Set(asked.consent)].toSorted(),
  ...(asked.narrowing !== undefined && { narrowing: asked.narrowing }),
  ...(asked.sources !== undefined && { sources: asked.sources }),
});

/** How far a depth is deepened. Three rounds: what a steward asks for, and what comes of that. */
const DEEPENING: Readonly<Record<Depth, { readonly share: number; readonly roundsMax: number }>> = {
  quick: { share: 0, roundsMax: 1 },
  standard: { share: 0.25, roundsMax: 2 },
  deep: { share: 0.5, roundsMax: 3 },
};

type AfterReview = { readonly deepening: number; readonly narrative: boolean };

/** What is to be done once the review is, where it is an agent's: by default nothing at depth quick. */
export const afterReview = ({
  depth = 'standard',
  deepening = DEEPENING[depth].share,
  narrative = depth !== 'quick',
}: Pick<Asked, 'depth' | 'deepening' | 'narrative'>): AfterReview => ({ deepening, narrative });

const afterReviewSettings = (
  asked: Asked,
  { reviewer }: Pick<Provider, 'reviewer'>,
): Pick<Settings, 'deepening' | 'narrative'> => {
  if (reviewer !== 'agent') return {};
  const { deepening: share, narrative } = afterReview(asked);
  const { roundsMax } = DEEPENING[asked.depth ?? 'standard'];
  return { ...(share > 0 && { deepening: { share, roundsMax } }), narrative };
};

const limitsOf = (asked: Asked, base: AttemptLimits): AttemptLimits => ({
  ...base,
  ...(asked.maxAttempts !== undefined && { attemptsMax: asked.maxAttempts }),
  ...(asked.timeout !== undefined && { wallMs: asked.timeout }),
  ...(asked.idleTimeout !== undefined && { idleMs: asked.idleTimeout }),
});

/**
 * Whether an audit answers what is asked: the same lenses, depth and files, by the same kind of reviewer.
 * What is not said now stays as it was. The repository's part is compared whole, since it is said
 * in every call: without its file nothing is narrowed.
 */
export const asksTheSame = (
  asked: Asked,
  settings: Settings,
  provider: Pick<Provider, 'reviewer'>,
): boolean => {
  const { lenses, depth, components, include, exclude, selection, ...more } = saidNow(
    asked,
    settings,
  );
  return (
    provider.reviewer === settings.reviewer &&
    sameList(lenses && narrowedLenses(lenses, asked.narrowing), settings.lenses) &&
    (lenses === undefined || sameLenses(asked.ownLenses, settings.ownLenses)) &&
    (depth === undefined || depth === (settings.depth ?? 'standard')) &&
    sameAfterReview(more, settings) &&
    sameList(components, settings.components ?? []) &&
    sameList(include, settings.include) &&
    sameList(exclude, settings.exclude) &&
    (selection === undefined || isSameSelection(selection, settings.selection)) &&
    sameNarrowing(asked.narrowing, settings.narrowing)
  );
};

/**
 * Whether a finished audit answers what is asked. One that looked at a part of the repository, or under
 * fewer lenses, is no answer to whoever asks about all of it; who cannot say what, asks about that audit.
 */
export const isAnswerTo = (asked: Asked, settings: Settings): boolean =>
  asked.isAboutNewest === true
    ? asksTheSame(asked, settings, settings)
    : asksExactly(asked, settings, { ...settings, lenses: lensesOf(settings.provider) });

/** The lenses that a provider can judge at all, without making it. */
export const lensesOf = (provider: ProviderId): readonly Lens[] =>
  provider === 'builtin' ? ANALYZER_LENSES : LENSES;

/** Whether an audit was opened with exactly what is asked now, what is not said left at its default. */
export const asksExactly = (
  asked: Asked,
  settings: Settings,
  provider: Pick<Provider, 'reviewer' | 'lenses'>,
): boolean =>
  provider.reviewer === settings.reviewer &&
  sameList(narrowedLenses(asked.lenses ?? provider.lenses, asked.narrowing), settings.lenses) &&
  sameLenses(asked.ownLenses, settings.ownLenses) &&
  (asked.depth ?? 'standard') === (settings.depth ?? 'standard') &&
  sameAfterReview(afterReview(asked), settings) &&
  sameList(asked.components ?? [], settings.components ?? []) &&
  sameList(asked.include ?? [], settings.include) &&
  sameList(asked.exclude ?? [], settings.exclude) &&
  isSameSelection(asked.selection, settings.selection) &&
  includesConsent(settings.consent, asked.consent ?? []) &&
  sameNarrowing(asked.narrowing, settings.narrowing);

const sameAfterReview = (
  { deepening, narrative }: { readonly [Key in keyof AfterReview]?: AfterReview[Key] | undefined },
  settings: Pick<Settings, 'reviewer' | 'deepening' | 'narrative'>,
): boolean =>
  settings.reviewer !== 'agent' ||
  ((deepening === undefined || deepening === (settings.deepening?.share ?? 0)) &&
    (narrative === undefined || narrative === (settings.narrative ?? false)));

/**
 * What is said to an audit that is there already. A standing word of a configuration file does not
 * speak against the flag that the audit was opened with: nobody pays for a second audit by leaving
 * out a flag.
 */
const saidNow = (asked: Asked, { sources: before }: Settings): Asked => {
  const isOverruled = (key: string): boolean =>
    before?.[key as ConfigKey]?.[0] === 'flag' && asked.sources?.[key as ConfigKey]?.[0] !== 'flag';
  return Object.fromEntries(Object.entries(asked).filter(([key]) => !isOverruled(key)));
};

/** Whether two lists hold the same words; what is not asked for is the same as anything. */
const sameList = (asked: readonly string[] | undefined, present: readonly string[]): boolean =>
  asked === undefined || canonicalJson(asked.toSorted()) === canonicalJson(present.toSorted());

/** A lens whose text has changed asks something else under the same name. */
const sameLenses = (
  asked: readonly LensDefinition[] = [],
  present: readonly LensDefinition[] = [],
): boolean => {
  const byName = (list: readonly LensDefinition[]) =>
    canonicalJson(list.toSorted((left, right) => compareText(left.id, right.id)));
  return byName(asked) === byName(present);
};

const sameNarrowing = (asked: Narrowing | undefined, present: Narrowing | undefined): boolean =>
  canonicalJson(asked ?? {}) === canonicalJson(present ?? {});

/**
 * Whether a call that names an audit asks something else of it all the same. Only flags speak against
 * a name: standing words of configuration files do not.
 */
export const contradicts = (asked: Asked, settings: Settings, provider: Provider): boolean => {
  const byFlag = <
    Key extends 'lenses' | 'depth' | 'deepening' | 'narrative' | 'include' | 'exclude',
  >(
    key: Key,
  ): Asked[Key] => (asked.sources?.[key]?.[0] === 'flag' ? asked[key] : undefined);
  const said = {
    lenses: byFlag('lenses'),
    ownLenses: asked.ownLenses,
    depth: byFlag('depth'),
    deepening: byFlag('deepening'),
    narrative: byFlag('narrative'),
    components: asked.components,
    include: byFlag('include'),
    exclude: byFlag('exclude'),
    selection: asked.selection,
    narrowing: settings.narrowing,
  };
  return !asksTheSame(said, settings, provider);
};

/** What of an audit's settings this call changes, if anything. */
export const changesFor = (
  asked: Asked,
  settings: Settings,
  provider: Provider,
): SettingsChange | undefined => {
  const said = saidNow(asked, settings);
  const limits = limitsOf(said, settings.limits);
  const changes: SettingsChange = {
    ...(provider.id !== settings.provider && { provider: provider.id }),
    ...((provider.id !== settings.provider || said.parallel !== undefined) &&
      canonicalJson(settings.accounts) !== canonicalJson([provider.account]) && {
        accounts: [provider.account],
      }),
    ...(canonicalJson(limits) !== canonicalJson(settings.limits) && { limits }),
  };
  return Object.keys(changes).length === 0 ? undefined : changes;
};

/** Who asks for the changes of a call: a clause for the log. */
export const changeReason = ({ sources }: Asked): string => {
  const keys = ['provider', 'parallel', 'timeout', 'idleTimeout', 'maxAttempts'] as const;
  const said = keys.flatMap((key) => {
    const source = sources?.[key]?.[0];
    return source === undefined || source === 'default' ? [] : [`${key} by ${WHO[source]}`];
  });
  return said.length === 0 ? 'asked for by this call' : `asked for: ${said.join(', ')}`;
};

const WHO = {
  flag: 'a flag',
  user: "the user's configuration",
  'session-config': 'session-config.json',
  repository: 'the repository',
} as const;

/**
 * The gate of this call: what is said now, or what the audit was opened with, or the default; and
 * the repository's where that is stricter.
 */
export const gateOf = (
  asked: Asked,
  audit: Pick<AuditState, 'opened'> | undefined,
): GateSeverity => {
  const before = audit?.opened?.settings;
  const said = before === undefined ? asked : saidNow(asked, before);
  const gate = said.failOn ?? before?.failOn ?? DEFAULT_GATE;
  return asked.repositoryGate === undefined ? gate : stricterGate(gate, asked.repositoryGate);
};
