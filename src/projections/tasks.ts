import type { AuditEvent, PlannedTask, SeverityCounts } from '../domain/events.ts';
import type { BlobRef, TaskId } from '../domain/ids.ts';
import type { ProviderId, Reviewer } from '../domain/vocabulary.ts';

/** What became of each task, by folding the log. Owned and updated in place by `foldTasks`. */
export type TaskView = {
  readonly tasks: Map<TaskId, TaskEntry>;
  readonly byPath: Map<string, TaskId[]>;
  /** While a stale plan is made anew: the tasks that the new plan has named so far. */
  replanned: Set<TaskId> | undefined;
};

export type TaskEntry = {
  readonly task: PlannedTask;
  state: TaskEntryState;
};

export type TaskEntryState =
  | { readonly kind: 'open' }
  | {
      readonly kind: 'accepted';
      readonly result: BlobRef;
      readonly provider: ProviderId;
      readonly reviewer: Reviewer;
      readonly findings: SeverityCounts;
    }
  | { readonly kind: 'abandoned'; readonly reason: string }
  | { readonly kind: 'stale'; readonly reason: string };

export type TaskCounts = { readonly [K in TaskEntryState['kind']]: number };

export const createTaskView = (): TaskView => ({
  tasks: new Map(),
  byPath: new Map(),
  replanned: undefined,
});

/** Adds one event. Total: events that say nothing about tasks change nothing. */
export const foldTasks = (view: TaskView, event: AuditEvent): void => {
  switch (event.type) {
    case 'TasksPlanned':
      for (const task of event.tasks) addTask(view, task);
      return;
    case 'ArtifactsStale':
      if (event.obligations.includes('planning')) view.replanned = new Set();
      return;
    case 'ArtifactDerived':
      if (event.obligation === 'planning') endReplan(view);
      return;
    case 'ResultAccepted': {
      const { result, provider, reviewer, findings } = event;
      settle(view, event.task, { kind: 'accepted', result, provider, reviewer, findings });
      return;
    }
    case 'TaskAbandoned':
      settle(view, event.task, { kind: 'abandoned', reason: event.reason });
      return;
    case 'InputDrifted':
      for (const { path } of event.paths) {
        const reason = 'its files changed during the audit';
        for (const id of view.byPath.get(path) ?? []) settle(view, id, { kind: 'stale', reason });
      }
      return;
    case 'AuditOpened':
    case 'WriterOpened':
    case 'WriterClosed':
    case 'ObligationWaived':
    case 'PacketsPlanned':
    case 'AttemptStarted':
    case 'AttemptEnded':
    case 'AnswersImported':
    case 'ExternalInputReceived':
    case 'ExternalInputConsumed':
    case 'ResultRejected':
    case 'FindingVerified':
    case 'DeepeningEnded':
    case 'IngestionFinished':
    case 'CooldownStarted':
    case 'CooldownElapsed':
    case 'LimitsChanged':
    case 'AccountThrottled':
    case 'AccountExhausted':
    case 'AuditBlocked':
    case 'AuditResumed':
    case 'OperatorAnswered':
    case 'StopRequested':
    case 'AuditCompleted':
      return;
  }
};

export const countTasks = (view: TaskView): TaskCounts => {
  const counts = { open: 0, accepted: 0, abandoned: 0, stale: 0 };
  for (const { state } of view.tasks.values()) counts[state.kind] += 1;
  return counts;
};

const addTask = (view: TaskView, task: PlannedTask): void => {
  view.replanned?.add(task.id);
  // The same id is the same question about the same content: what is known of it holds.
  if (view.tasks.get(task.id)?.state.kind === 'accepted') return;
  view.tasks.set(task.id, { task, state: plannedState(task) });
  for (const path of task.paths) {
    const known = view.byPath.get(path) ?? [];
    view.byPath.set(path, known);
    if (!known.includes(task.id)) known.push(task.id);
  }
};

const plannedState = ({ inherited }: PlannedTask): TaskEntryState => {
  if (inherited === undefined) return { kind: 'open' };
  const { result, provider, findings } = inherited;
  return { kind: 'accepted', result, provider, reviewer: 'agent', findings };
};

/** Tasks that the new plan does not name are not part of the audit any more. */
const endReplan = (view: TaskView): void => {
  const { replanned } = view;
  view.replanned = undefined;
  if (replanned === undefined || replanned.size === 0) return;
  for (const id of view.tasks.keys()) if (!replanned.has(id)) view.tasks.delete(id);
  for (const [path, ids] of view.byPath) {
    view.byPath.set(
      path,
      ids.filter((id) => replanned.has(id)),
    );
  }
};

const settle = (view: TaskView, id: TaskId, state: TaskEntryState): void => {
  const entry = view.tasks.get(id);
  if (entry !== undefined) entry.state = state;
};
