import { resolveHostActiveSubagentLimit } from '../../src/domain/host-limit.ts';
import { resolveProvider } from '../../src/domain/host-provider.ts';
import { validateSessionConfig } from '../../src/domain/session-config.ts';
import { validateAuditResults } from '../../src/pipeline/audit-results.ts';
import { normalizeCoveragePath } from '../../src/pipeline/coverage-path.ts';
import { canonicalJson } from '../../src/std/canonical-json.ts';
import { digestOf } from '../../src/std/digest.ts';
import { describedValue } from './described-value.ts';

/** The input of one case, as its set has it. */
export type Input = Readonly<Record<string, unknown>>;

/** How one set of cases is run through our code. */
export type Row = {
  /** Name of the file without `.json`. */
  readonly set: string;
  /** The exported function that is held against the cases. */
  readonly subject: string;
  /** Maps a case's input to the function's arguments, and what it gives to the expected form. */
  readonly run: (input: Input) => unknown;
};

export const TABLE: readonly Row[] = [
  {
    set: 'validate-audit-results',
    subject: 'validateAuditResults',
    run: ({ results, tasks, line_index: lineIndex }) =>
      validateAuditResults(
        results,
        ((tasks ?? []) as readonly PredecessorTask[]).map((task) => ({
          id: task.task_id,
          unit: task.unit_id,
          pass: task.pass_id,
          lens: task.lens,
          paths: task.file_paths,
          tags: task.tags,
        })),
        new Map(Object.entries((lineIndex ?? {}) as Readonly<Record<string, number>>)),
      ).map(({ severity, resultIndex, taskId, path }) => ({
        severity,
        result_index: resultIndex,
        task_id: taskId,
        field: path,
        path,
      })),
  },
  {
    set: 'normalize-coverage-path',
    subject: 'normalizeCoveragePath',
    run: ({ path }) => normalizeCoveragePath(path as string),
  },
  {
    set: 'content-hash',
    subject: 'canonicalJson and digestOf',
    run: (input) => {
      const value = contentOf(input);
      return { canonical: canonicalJson(value), sha256: digestOf(identityOf(input)) };
    },
  },
  {
    set: 'validate-session-config',
    subject: 'validateSessionConfig',
    run: ({ config, undefined: isMissing }) =>
      validateSessionConfig(isMissing === true ? undefined : config).map(({ severity, path }) => ({
        severity,
        path,
      })),
  },
  {
    set: 'resolve-provider',
    subject: 'resolveProvider',
    run: ({ explicit, config, env, commands_on_path: onPath }) => {
      const resolved = resolveProvider({
        explicit: (explicit ?? undefined) as string | undefined,
        config: config ?? {},
        env: (env ?? {}) as Environment,
        isOnPath: (command) => ((onPath ?? []) as readonly string[]).includes(command),
      });
      return { provider: predecessorWord(resolved), lookups: resolved.lookups };
    },
  },
  {
    set: 'resolve-host-active-subagent-limit',
    subject: 'resolveHostActiveSubagentLimit',
    run: ({ explicit_limit: explicit, session_config: config, env }) => {
      const limit = resolveHostActiveSubagentLimit({
        explicit: (explicit ?? undefined) as number | undefined,
        config: config ?? {},
        env: (env ?? {}) as Environment,
      });
      return limit === undefined
        ? null
        : { active_subagents: limit.activeSubagents, source: limit.source };
    },
  },
];

type Environment = Readonly<Record<string, string | undefined>>;

type PredecessorTask = {
  readonly task_id: string;
  readonly unit_id: string;
  readonly pass_id: string;
  readonly lens: string;
  readonly file_paths: readonly string[];
  readonly tags?: readonly string[];
};

/** The content of a case of `content-hash`; what JSON cannot hold is described in words. */
export const contentOf = ({ value, value_note: note }: Input): unknown =>
  typeof note === 'string' ? describedValue(note) : value;

/**
 * What of it makes its identity. These two artifacts of the predecessor say at their top when they
 * were made, and that is left out; artifacts of ours hold no time.
 */
export const identityOf = (input: Input): unknown => {
  const content = contentOf(input);
  const isDated = ['repo_manifest.json', 'tooling_manifest.json'].includes(
    String(input['artifact']),
  );
  if (!isDated || typeof content !== 'object' || content === null || Array.isArray(content)) {
    return content;
  }
  const { generated_at: _, ...rest } = content as Input;
  return rest;
};

/** The predecessor's word for a choice of ours. */
const predecessorWord = (resolved: ReturnType<typeof resolveProvider>): string => {
  if (resolved.kind === 'unknown') return resolved.word;
  if (resolved.provider === 'handoff') return 'local-subprocess';
  if (resolved.template === 'subprocess_template') return 'subprocess-template';
  if (resolved.template === 'vscode_task') return 'vscode-task';
  return resolved.provider;
};
