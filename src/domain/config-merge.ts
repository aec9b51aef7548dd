import type { Depth } from './depth.ts';
import { durationMs } from './duration.ts';
import {
  CONFIG_KEYS,
  type Config,
  type ConfigKey,
  type Narrowing,
  type ProviderWord,
  type RepositoryConfig,
  type SettingSource,
  type SettingSources,
} from './config.ts';
import {
  inLensOrder,
  isBundledLens,
  SEVERITIES,
  type GateSeverity,
  type Lens,
} from './vocabulary.ts';

/** Settings as the program uses them: durations in ms, the command as the flag takes it. */
export type SettingValues = {
  readonly provider?: ProviderWord | undefined;
  readonly command?: string | undefined;
  readonly passEnv?: readonly string[] | undefined;
  readonly parallel?: number | undefined;
  readonly timeout?: number | undefined;
  readonly idleTimeout?: number | undefined;
  readonly maxAttempts?: number | undefined;
  readonly lenses?: readonly Lens[] | undefined;
  readonly depth?: Depth | undefined;
  readonly deepening?: number | undefined;
  readonly narrative?: boolean | undefined;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly failOn?: GateSeverity | undefined;
  readonly requireComplete?: boolean | undefined;
  readonly wait?: boolean | undefined;
  readonly grace?: number | undefined;
  readonly consent?: readonly string[] | undefined;
  readonly ui?: 'tty' | 'plain' | undefined;
  readonly host?: HostValues | undefined;
};

/** What a host that does the work can do. */
export type HostValues = Readonly<NonNullable<Config['host']>>;

/** What the user says in one place. */
export type Layer = {
  readonly source: Exclude<SettingSource, 'repository' | 'default'>;
  readonly values: SettingValues;
};

export type Merged = {
  readonly values: SettingValues;
  /** Undefined when the repository narrows neither paths nor lenses. */
  readonly narrowing: Narrowing | undefined;
  /** The gate that the repository asks for; of this one and the user's the stricter holds. */
  readonly repositoryGate: GateSeverity | undefined;
  readonly sources: SettingSources;
  /** What the repository asked for and does not get, a sentence each. */
  readonly notices: readonly string[];
};

/** The gate where nobody says one (protocol, default gate). */
export const DEFAULT_GATE: GateSeverity = 'high';

/** What a file says, in the program's own terms. */
export const valuesOf = (file: Config): SettingValues => {
  const { $schema: _, command, timeout, idleTimeout, grace, ...rest } = file;
  return {
    ...rest,
    command: Array.isArray(command) ? JSON.stringify(command) : command,
    timeout: inMs(timeout),
    idleTimeout: inMs(idleTimeout),
    grace: inMs(grace),
  };
};

const inMs = (duration: string | number | undefined): number | undefined =>
  duration === undefined ? undefined : durationMs(String(duration));

/**
 * Puts what the user says in several places together, key by key, and what the repository says
 * beside it. The user's first layer that says a key wins. The repository only takes away: it is
 * never merged into a list of the user's, since one `!pattern` of it would bring paths back.
 *
 * @param layers the strongest first.
 */
export const mergeConfiguration = (
  layers: readonly Layer[],
  repository: RepositoryConfig | undefined,
): Merged => {
  const saying = (key: ConfigKey): readonly Layer[] =>
    layers.filter(({ values }) => values[key] !== undefined);
  const values: SettingValues = Object.fromEntries(
    CONFIG_KEYS.map((key) => [key, saying(key)[0]?.values[key]]),
  );
  // Each capability of a host is a setting of its own.
  const said = { ...values, host: mergedHost(saying('host')) };
  const sources: SettingSources = Object.fromEntries(
    CONFIG_KEYS.map((key) => [
      key,
      [
        saying(key)[0]?.source ?? 'default',
        ...(isNarrowed(key, repository, said) ? ['repository'] : []),
      ],
    ]),
  );
  return { ...narrowedBy(repository, said), sources };
};

/** Whether the repository has its way with a setting of which the user's part is known. */
const isNarrowed = (
  key: ConfigKey,
  repository: RepositoryConfig | undefined,
  values: SettingValues,
): boolean => {
  switch (key) {
    case 'include':
    case 'exclude':
      return (repository?.[key] ?? []).length > 0;
    case 'lenses':
      return repository?.lenses !== undefined;
    case 'failOn': {
      const gate = values.failOn ?? DEFAULT_GATE;
      return stricterGate(gate, repository?.failOn ?? gate) !== gate;
    }
    case 'requireComplete':
      return repository?.requireComplete === true && values.requireComplete !== true;
    case 'provider':
    case 'command':
    case 'passEnv':
    case 'parallel':
    case 'timeout':
    case 'idleTimeout':
    case 'maxAttempts':
    case 'depth':
    case 'deepening':
    case 'narrative':
    case 'wait':
    case 'grace':
    case 'consent':
    case 'ui':
    case 'host':
      return false;
  }
};

const mergedHost = (layers: readonly Layer[]): HostValues | undefined =>
  layers.length === 0
    ? undefined
    : layers.reduceRight<HostValues>(
        (merged, { values }) => ({ ...merged, ...withoutUndefined(values.host ?? {}) }),
        {},
      );

const withoutUndefined = <T extends object>(value: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(value).filter(([, field]) => field !== undefined),
  ) as Partial<T>;

const narrowedBy = (
  repository: RepositoryConfig | undefined,
  values: SettingValues,
): Omit<Merged, 'sources'> => {
  const { include = [], exclude = [], lenses, failOn, requireComplete } = repository ?? {};
  const isNarrowing = include.length > 0 || exclude.length > 0 || lenses !== undefined;
  const notices: string[] = [];
  const gate = values.failOn ?? DEFAULT_GATE;
  if (failOn !== undefined && stricterGate(failOn, gate) !== failOn) {
    notices.push(
      `The repository asks for the gate "${failOn}", which is looser than "${gate}", and does not get it: only a flag or the user's own file can loosen the gate.`,
    );
  }
  if (values.failOn !== undefined && failOn !== undefined && stricterGate(failOn, gate) !== gate) {
    notices.push(`The repository's gate "${failOn}" is stricter than "${gate}", and holds.`);
  }
  if (requireComplete === true && values.requireComplete === false) {
    notices.push('The repository asks for a complete audit (requireComplete), and that holds.');
  }
  return {
    values: {
      ...values,
      ...(requireComplete === true && { requireComplete: true }),
    },
    narrowing: isNarrowing
      ? {
          include,
          exclude,
          ...(lenses !== undefined && { lenses: inLensOrder(lenses).filter(isBundledLens) }),
        }
      : undefined,
    repositoryGate: failOn,
    notices,
  };
};

const GATES: readonly GateSeverity[] = ['none', ...SEVERITIES];

/** Of two gates the one that fails on more. */
export const stricterGate = (left: GateSeverity, right: GateSeverity): GateSeverity =>
  GATES.indexOf(left) >= GATES.indexOf(right) ? left : right;

/**
 * The lenses that are left; the repository can add none. Of those that the operator wrote it knows
 * nothing: they stay.
 */
export const narrowedLenses = (
  lenses: readonly Lens[],
  by: Pick<Narrowing, 'lenses'> | undefined,
): Lens[] => {
  const kept = by?.lenses;
  return kept === undefined
    ? [...lenses]
    : lenses.filter((one) => !isBundledLens(one) || kept.includes(one));
};
