import pLimit from 'p-limit';
import type { AuditState, TaskRecord } from '../decider/state.ts';
import { storedResult, type TaskResult } from '../domain/finding.ts';
import type { FindingId, TaskId } from '../domain/ids.ts';
import type { Synthesis } from '../domain/synthesis.ts';
import { storedVerification } from '../domain/verification.ts';
import type { TaskKind } from '../domain/vocabulary.ts';
import type { TaskOutcome } from '../pipeline/coverage.ts';
import type { Plan } from '../pipeline/planning.ts';
import type { FindingVerdict } from '../pipeline/joined-verdict.ts';
import { synthesize } from '../pipeline/synthesis.ts';
import type { BlobStore } from '../store/blob-store.ts';
import type { Artifacts } from './artifacts.ts';
import { plannedTaskOf } from './planned-task.ts';

const READS_AT_ONCE = 16;

/**
 * The synthesis of what a state holds, finished or not: an audit that stops early has a report too,
 * in which what was not reviewed is said to be so. With the results that it was made of.
 */
export const synthesizeState = async (
  state: AuditState,
  artifacts: Artifacts,
  blobs: BlobStore,
): Promise<{ readonly synthesis: Synthesis; readonly results: readonly TaskResult[] }> => {
  const tasks = [...state.tasks.values()].filter(({ status }) => status !== 'retired');
  const limit = pLimit(READS_AT_ONCE);
  const read = await limit.map(tasks, async ({ id, kind, result }) =>
    result === undefined || !HAS_FINDINGS.has(kind)
      ? undefined
      : readResult(id, blobs, result.blob.digest),
  );
  const results = read.filter((result) => result !== undefined);
  const enriched = await artifacts.find(state, 'enrichment');
  const structure = await artifacts.find(state, 'structure');
  const design = await artifacts.find(state, 'designAssessment');
  const synthesis = synthesize({
    plan: (await artifacts.find(state, 'planning')) ?? (await unplanned(state, artifacts)),
    outcomes: tasks.map((task) => ({
      task: plannedTaskOf(task),
      state: outcomeOf(task),
    })),
    results,
    verdicts: await verdictsOf(state, blobs),
    leads: enriched?.leads ?? [],
    assessments: design?.assessments ?? [],
    tree: {
      units: structure?.units,
      owners: structure?.shape?.owners,
      edges: structure?.edges,
    },
  });
  return { synthesis, results };
};

/** Tasks whose results are about files; the others are about findings. */
const HAS_FINDINGS: ReadonlySet<TaskKind> = new Set<TaskKind>(['review', 'design', 'deepening']);

/** What second passes said of findings, and why. */
const verdictsOf = async (
  state: AuditState,
  blobs: BlobStore,
): Promise<ReadonlyMap<FindingId, FindingVerdict>> => {
  const verdicts = new Map<FindingId, FindingVerdict>(state.verdicts);
  for (const { status, kind, about, result } of state.tasks.values()) {
    const verdict = about?.finding && state.verdicts.get(about.finding.id);
    if (kind !== 'verification' || status !== 'accepted' || result === undefined) continue;
    if (about?.finding === undefined || verdict === undefined) continue;
    const { reason, evidence } = storedVerification.parse(
      JSON.parse(Buffer.from(await blobs.get(result.blob.digest)).toString('utf8')),
    );
    verdicts.set(about.finding.id, {
      ...verdict,
      reason,
      ...(evidence !== undefined && { evidence }),
      by: result.provider,
      event: result.of,
    });
  }
  return verdicts;
};

const readResult = async (
  task: TaskId,
  blobs: BlobStore,
  digest: Parameters<BlobStore['get']>[0],
): Promise<TaskResult> => ({
  task,
  ...storedResult.parse(JSON.parse(Buffer.from(await blobs.get(digest)).toString('utf8'))),
});

const outcomeOf = ({ status, result, reason }: TaskRecord): TaskOutcome['state'] => {
  switch (status) {
    case 'accepted':
      return { kind: 'accepted', reviewer: result?.reviewer ?? 'agent' };
    case 'abandoned':
      return { kind: 'abandoned', reason: reason ?? 'every attempt failed' };
    case 'open':
      return { kind: 'open', reason: 'not reviewed yet' };
    case 'stale':
    case 'retired':
      return { kind: 'stale', reason: 'the file changed during the audit' };
  }
};

/** Before anything is planned, every cell is asked for and nothing has been looked at. */
const unplanned = async (state: AuditState, artifacts: Artifacts): Promise<Plan> => {
  const files = (await artifacts.find(state, 'inventory'))?.files.map(({ path }) => path) ?? [];
  const lenses = [...(state.settings?.lenses ?? [])];
  return {
    lenses,
    files: files.length,
    tasks: 0,
    packets: 0,
    tokens: 0,
    unchecked: files.length === 0 ? [] : [{ reason: 'nothing was planned yet', lenses, files }],
    skipped: [],
    unreadable: [],
  };
};
