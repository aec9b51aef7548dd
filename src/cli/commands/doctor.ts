import { CONFIG_KEYS, type ConfigKey, type SettingSource } from '../../domain/config.ts';
import {
  DEFAULT_GATE,
  narrowedLenses,
  stricterGate,
  type Merged,
} from '../../domain/config-merge.ts';
import { durationText } from '../../domain/duration.ts';
import { UsageError } from '../../domain/usage-error.ts';
import type { ProviderId } from '../../domain/vocabulary.ts';
import { createSystemClock } from '../../platform/clock.ts';
import { createNodeDisk } from '../../platform/node-disk.ts';
import { createRedaction } from '../../platform/redaction.ts';
import { findProgram } from '../../platform/find-program.ts';
import { messageOf } from '../../std/message-of.ts';
import { lensesOf } from '../asking.ts';
import { DEFAULT_GRACE_MS, mergedWith, type GivenFlags } from '../configuration.ts';
import { loadConfiguration, type FileUse } from '../configuration-load.ts';
import { chooseProvider } from '../configuration-provider.ts';
import { afterReview, DEFAULT_LIMITS } from '../asking.ts';
import { EXIT } from '../exit.ts';
import { readLenses } from '../lens-files.ts';
import { frozenBase, locate } from '../locate.ts';
import { createProvider, type ProviderFlags } from '../provide.ts';
import {
  gitReadiness,
  nodeReadiness,
  providerReadiness,
  stateReadiness,
  toolReadiness,
  type Readiness,
} from '../readiness.ts';
import { terminal } from '../terminal.ts';

export type DoctorFlags = GivenFlags;

/**
 * `casefile doctor`: whether a run would be possible here, and where each setting comes from. Starts
 * nothing that costs and makes nothing.
 *
 * @returns 0 when a run would be possible, 2 when not.
 */
export const doctorCommand = async (
  root: string | undefined,
  flags: DoctorFlags,
): Promise<number> => {
  const view = await examine(root, flags);
  if (flags.json === true) terminal.json(view);
  else terminal.answer(doctorText(view));
  return view.ready ? EXIT.fine : EXIT.trouble;
};

const examine = async (root: string | undefined, flags: DoctorFlags) => {
  const path = process.env['PATH'];
  const place = await locate(root, flags.stateDir);
  const loaded = await loadConfiguration(place.root, flags.sessionConfig);
  const merged = mergedWith(flags, loaded);
  const chosen = chooseProvider(merged, loaded.session, {
    env: process.env,
    isOnPath: (program) => findProgram(program, path) !== undefined,
  });
  const provider = chosen.provider ?? 'builtin';
  const refusal = await refusalOf(provider, {
    command: chosen.command,
    transcript: flags.transcript,
    passEnv: merged.values.passEnv,
  });
  const copies = await copiesReadiness(place.root);
  const providers = await providerReadiness({ command: chosen.command, path });
  const needed = [
    nodeReadiness(process.version),
    await stateReadiness(place.stateDirectory),
    copies,
  ];
  const optional = [await gitReadiness(path)];
  const lenses = narrowedLenses(merged.values.lenses ?? lensesOf(provider), merged.narrowing);
  const problems = [
    ...loaded.problems,
    ...needed.filter(({ ready }) => !ready).map(({ id, detail }) => `${id}: ${detail}`),
    ...(refusal === undefined
      ? providers
          .filter(({ id, ready }) => id === provider && id !== 'scripted' && !ready)
          .map(({ id, detail }) => `provider ${id}: ${detail}`)
      : [`provider ${provider}: ${refusal}`]),
    ...(await readLenses(lenses, new Map())).problems.map((problem) => `lenses: ${problem}`),
    ...(lenses.length === 0 ? ['lenses: none is left of those that are asked for'] : []),
  ];
  return {
    contract: 'casefile/doctor/v1' as const,
    ready: problems.length === 0,
    problems,
    root: place.root,
    provider,
    settings: CONFIG_KEYS.map((key) => settingView(key, merged, loaded.files, chosen, lenses)),
    files: loaded.files,
    notices: [
      ...(chosen.notice === undefined ? [] : [chosen.notice]),
      ...merged.notices,
      ...loaded.notices,
      ...loaded.unused,
    ],
    machine: [...needed, ...optional],
    analyzers: await toolReadiness({
      path,
      root: place.root,
      consent: merged.values.consent ?? [],
    }),
    providers,
  };
};

/** What a run itself would say of the provider: it is made and let go, since making one starts nothing. */
const refusalOf = async (id: ProviderId, flags: ProviderFlags): Promise<string | undefined> => {
  try {
    await createProvider(id, flags, { disk: createNodeDisk(), clock: createSystemClock() });
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
};

const copiesReadiness = async (root: string): Promise<Readiness> => {
  const id = 'frozen copies';
  try {
    return { id, ready: true, detail: await frozenBase(root) };
  } catch (error) {
    return { id, ready: false, detail: messageOf(error) };
  }
};

type SettingView = {
  readonly key: ConfigKey;
  /** As a run would use it; undefined where nothing is said and nothing is assumed. */
  readonly value: unknown;
  readonly from: readonly SettingSource[];
  /** The files among these. */
  readonly files: readonly string[];
};

const settingView = (
  key: ConfigKey,
  merged: Merged,
  files: readonly FileUse[],
  chosen: ReturnType<typeof chooseProvider>,
  lenses: readonly string[],
): SettingView => {
  const from = merged.sources[key] ?? ['default'];
  return {
    key,
    value: shownValue(key, merged, chosen, lenses),
    from,
    files: files
      .filter(({ source, use }) => use === 'read' && from.includes(source))
      .map(({ file }) => file),
  };
};

const shownValue = (
  key: ConfigKey,
  { values, narrowing, repositoryGate }: Merged,
  chosen: ReturnType<typeof chooseProvider>,
  lenses: readonly string[],
): unknown => {
  switch (key) {
    case 'provider':
      return chosen.provider ?? 'builtin';
    case 'command':
      return chosen.command === undefined ? undefined : withoutSecrets(chosen.command);
    case 'lenses':
      return lenses;
    case 'include':
    case 'exclude':
      return narrowing === undefined || narrowing[key].length === 0
        ? (values[key] ?? [])
        : { user: values[key] ?? [], repository: narrowing[key] };
    case 'failOn': {
      const gate = values.failOn ?? DEFAULT_GATE;
      return repositoryGate === undefined ? gate : stricterGate(gate, repositoryGate);
    }
    case 'timeout':
      return durationText(values.timeout ?? DEFAULT_LIMITS.wallMs);
    case 'idleTimeout':
      return durationText(values.idleTimeout ?? DEFAULT_LIMITS.idleMs);
    case 'maxAttempts':
      return values.maxAttempts ?? DEFAULT_LIMITS.attemptsMax;
    case 'grace':
      return durationText(values.grace ?? DEFAULT_GRACE_MS);
    case 'consent':
      return values.consent ?? [];
    case 'depth':
      return values.depth ?? 'standard';
    case 'deepening':
    case 'narrative':
      return afterReview(values)[key];
    case 'requireComplete':
    case 'wait':
      return values[key] ?? false;
    case 'passEnv':
    case 'parallel':
    case 'ui':
    case 'host':
      return values[key];
  }
};

/** What doctor prints is what people paste into a report. */
const withoutSecrets = (text: string): string =>
  new TextDecoder().decode(createRedaction(process.env).output(new TextEncoder().encode(text)));

type DoctorView = Awaited<ReturnType<typeof examine>>;

const doctorText = (view: DoctorView): string => {
  const row = (mark: string, id: string, detail: string): string =>
    `  ${mark} ${id.padEnd(16)} ${detail}`;
  const rows = (things: readonly Readiness[]): string[] =>
    things.map(({ id, ready, detail }) => row(ready ? 'yes' : 'no ', id, detail));
  return [
    view.ready
      ? `Ready: casefile run would audit ${view.root} with provider ${view.provider}.`
      : `Not ready: casefile run in ${view.root} would end with exit 2.`,
    ...view.problems.map((problem) => `  ${problem}`),
    'Settings, and where each comes from',
    ...view.settings.map(
      ({ key, value, from, files }) =>
        `  ${key.padEnd(16)} ${valueText(value)}  (${[from.join(', then '), ...files].join('; ')})`,
    ),
    'Files',
    ...view.files.map(
      ({ file, use, why }) => `  ${use.padEnd(12)} ${file}${why === undefined ? '' : `: ${why}`}`,
    ),
    ...(view.notices.length === 0 ? [] : ['Notices']),
    ...view.notices.map((notice) => `  ${notice}`),
    'This machine',
    ...rows(view.machine),
    ...(view.analyzers.length === 0 ? [] : ['Analyzers found on this machine']),
    ...rows(view.analyzers),
    'Providers',
    ...rows(view.providers),
  ].join('\n');
};

const valueText = (value: unknown): string => {
  if (value === undefined) return '–';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return Object.entries(value)
    .map(([key, part]) => `${key}: ${valueText(part)}`)
    .join('; ');
};
