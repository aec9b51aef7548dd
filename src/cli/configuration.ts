import {
  mergeConfiguration,
  type HostValues,
  type Merged,
  type SettingValues,
} from '../domain/config-merge.ts';
import type { ProviderWord } from '../domain/config.ts';
import { UsageError } from '../domain/usage-error.ts';
import type { ProviderId } from '../domain/vocabulary.ts';
import { findProgram } from '../platform/find-program.ts';
import { loadConfiguration, type LoadedConfiguration } from './configuration-load.ts';
import { chooseProvider } from './configuration-provider.ts';
import { userFile } from './configuration-files.ts';
import { locate, type Place } from './locate.ts';
import { readLenses } from './lens-files.ts';
import type { RunFlags } from './run-result.ts';
import type { LensWord } from './values.ts';

/** The flags of a call as they were given; undefined: not said. */
export type GivenFlags = Omit<
  RunFlags,
  | 'provider'
  | 'lenses'
  | 'ownLenses'
  | 'components'
  | 'grace'
  | 'host'
  | 'selection'
  | 'isAboutNewest'
  | 'narrowing'
  | 'repositoryGate'
  | 'sources'
> &
  HostFlags & {
    readonly provider?: ProviderWord | undefined;
    readonly lenses?: readonly LensWord[] | undefined;
    readonly component?: readonly string[] | undefined;
    readonly grace?: number | undefined;
    readonly sessionConfig?: string | undefined;
  };

/** `--host-can-dispatch-subagents` is `hostCanDispatchSubagents`, and so on. */
type HostFlags = {
  readonly [Key in keyof HostValues as `host${Capitalize<Key>}`]: HostValues[Key];
};

export type Configured = {
  readonly place: Place;
  /** The flags of this call with what the configuration says where they say nothing. */
  readonly flags: RunFlags;
  /** What people are to be told, a sentence each. */
  readonly notes: readonly string[];
};

export const DEFAULT_GRACE_MS = 5000;

/**
 * Puts the flags of a call and the configuration files together. Reads only: when something is wrong
 * nothing has been made.
 *
 * @throws {UsageError} that tells every problem of every file.
 */
export const configured = async (
  root: string | undefined,
  given: GivenFlags,
): Promise<Configured> => {
  const place = await locate(root, given.stateDir);
  const loaded = await loadConfiguration(place.root, given.sessionConfig);
  if (loaded.problems.length > 0) throw badConfiguration(loaded.problems);
  const merged = mergedWith(given, loaded);
  const {
    provider: said,
    command,
    notice,
  } = chooseProvider(merged, loaded.session, {
    env: process.env,
    isOnPath: (program) => findProgram(program, process.env['PATH']) !== undefined,
  });
  const provider = said ?? impliedProvider(given);
  const ownLenses = await lensesOf(given, merged);
  const flags: RunFlags = {
    ...given,
    ...merged.values,
    provider,
    command,
    lenses: merged.values.lenses,
    ownLenses,
    components: given.component,
    grace: merged.values.grace ?? DEFAULT_GRACE_MS,
    narrowing: merged.narrowing,
    repositoryGate: merged.repositoryGate,
    sources: merged.sources,
  };
  if (provider === 'command') refuseMissingVariables(merged);
  const notes = [...(notice === undefined ? [] : [notice]), ...merged.notices, ...loaded.notices];
  return { place, flags, notes };
};

/** Who names a program or a transcript wants it to be used: without a word, analyzers would answer. */
const impliedProvider = ({ command, transcript }: GivenFlags): ProviderId | undefined => {
  if (command !== undefined) return 'command';
  return transcript === undefined ? undefined : 'scripted';
};

const lensesOf = async (
  { lenses: words = [] }: GivenFlags,
  { values, sources }: Merged,
): Promise<RunFlags['ownLenses']> => {
  const files = words.flatMap(({ lens, file }) =>
    file === undefined ? [] : [[lens, file] as const],
  );
  const { own, problems } = await readLenses(values.lenses ?? [], new Map(files));
  if (problems.length > 0) {
    const at = sources.lenses?.[0] === 'user' ? `${userFile()}: lenses: ` : '--lenses: ';
    throw badConfiguration(problems.map((problem) => `${at}${problem}`));
  }
  return own.length === 0 ? undefined : own;
};

/** What the flags and the files say together. */
export const mergedWith = (given: GivenFlags, loaded: LoadedConfiguration): Merged =>
  mergeConfiguration(
    [{ source: 'flag', values: flagValues(given) }, ...loaded.layers],
    loaded.repository,
  );

/** All problems of the configuration as one message. */
export const badConfiguration = (problems: readonly string[]): UsageError =>
  new UsageError(
    ['the configuration cannot be used:', ...problems.map((problem) => `  ${problem}`)].join('\n'),
    'Nothing was started or changed. Mend it and run again; casefile doctor shows where each setting comes from.',
  );

const flagValues = (given: GivenFlags): SettingValues => ({
  provider: given.provider,
  command: given.command,
  passEnv: given.passEnv,
  parallel: given.parallel,
  timeout: given.timeout,
  idleTimeout: given.idleTimeout,
  maxAttempts: given.maxAttempts,
  lenses: given.lenses?.map((word) => word.lens),
  depth: given.depth,
  deepening: given.deepening,
  narrative: given.narrative,
  include: given.include,
  exclude: given.exclude,
  failOn: given.failOn,
  requireComplete: given.requireComplete,
  wait: given.wait,
  grace: given.grace,
  consent: given.consent,
  ui: given.ui,
  host: hostValues(given),
});

const hostValues = (given: HostFlags): SettingValues['host'] => {
  const host = {
    canDispatchSubagents: given.hostCanDispatchSubagents,
    canRestrictSubagentTools: given.hostCanRestrictSubagentTools,
    canSelectSubagentModel: given.hostCanSelectSubagentModel,
    maxActiveSubagents: given.hostMaxActiveSubagents,
  };
  return Object.values(host).every((value) => value === undefined) ? undefined : host;
};

/** Said with the file's name, which the provider does not know. */
const refuseMissingVariables = ({ values, sources }: Merged): void => {
  if (sources.passEnv?.[0] !== 'user') return;
  const missing = (values.passEnv ?? []).filter((name) => process.env[name] === undefined);
  if (missing.length === 0) return;
  throw badConfiguration(
    missing.map((name) => `${userFile()}: passEnv names ${name}, which is not set here`),
  );
};
