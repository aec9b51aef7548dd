import type { Commit } from '../domain/commit.ts';
import type { AuditEvent, AuditEventOf } from '../domain/events.ts';
import type { ProviderId } from '../domain/vocabulary.ts';
import { changedSettings } from '../domain/settings.ts';
import { assert, required } from '../std/assert.ts';
import { accountOf, declareAccount, elapseCooldowns, startCooldown } from './account-ledger.ts';
import { endAttempt, rejectResult, startAttempt } from './evolve-attempt.ts';
import { advance } from './lifecycle.ts';
import {
  addPacket,
  addTask,
  leasedPacket,
  movePacket,
  moveTask,
  packetOf,
  taskOf,
} from './packet-board.ts';
import type { AuditState } from './state.ts';

/**
 * Folds one event into the state, which it owns and changes in place. Total on every history that
 * `decide` can write; on any other it asserts. It reads nothing but the event and the state.
 *
 * @returns the same object, for folds.
 */
export const evolve = (state: AuditState, event: AuditEvent): AuditState => {
  state.lifecycle = advance(state.lifecycle, event);
  state.seq += 1;
  if ('at' in event && event.at > state.at) state.at = event.at;
  apply(state, event);
  return state;
};

/** Folds a commit as it was read, and holds the log against its own account of the states. */
export const evolveCommit = (
  state: AuditState,
  commit: Pick<Commit, 'seq' | 'events' | 'at' | 'from' | 'to'>,
): AuditState => {
  assert(commit.seq === state.seq + 1, `L1: event ${state.seq + 1} comes after ${state.seq}`);
  for (const event of commit.events) evolve(state, event);
  if (commit.at > state.at) state.at = commit.at;
  return state;
};

const apply = (state: AuditState, event: AuditEvent): void => {
  switch (event.type) {
    case 'AuditOpened':
      assert(state.opened === undefined, 'I4: an audit is opened once, by its first event');
      state.opened = event;
      state.settings = event.settings;
      for (const account of event.settings.accounts) declareAccount(state, account);
      return;
    case 'WriterOpened':
      return openWriter(state, event);
    case 'WriterClosed':
      state.writer.isOpen = false;
      return;
    case 'ArtifactDerived':
      state.obligations.set(event.obligation, {
        state: 'current',
        artifact: event.artifact,
        reason: undefined,
        atRunTime: false,
        incomplete: event.incomplete ?? [],
      });
      state.basis = state.seq;
      return;
    case 'ObligationWaived':
      state.obligations.set(event.obligation, {
        state: 'waived',
        artifact: undefined,
        reason: event.reason,
        atRunTime: event.atRunTime,
        incomplete: [],
      });
      state.basis = state.seq;
      return;
    case 'ArtifactsStale':
      return makeStale(state, event);
    case 'TasksPlanned':
      for (const task of event.tasks) addTask(state, task);
      return;
    case 'PacketsPlanned':
      for (const packet of event.packets) addPacket(state, packet);
      return;
    case 'InputDrifted':
      return noteDrift(state, event);
    case 'AttemptStarted':
      return startAttempt(state, event);
    case 'AttemptEnded':
      return endAttempt(state, event);
    case 'AnswersImported': {
      const packet = packetOf(state, event.packet);
      packet.answers = [...packet.answers, event.answer.digest];
      if (state.completed === undefined) {
        state.queue.set(state.seq, {
          kind: 'answer',
          packet: event.packet,
          answer: event.answer,
          token: undefined,
          provider: importedFrom(state, event),
        });
      }
      return;
    }
    case 'ExternalInputReceived': {
      const { type: _, at: __, ...input } = event;
      state.inputs.set(state.seq, { ...input, isConsumed: false, imported: 0 });
      return;
    }
    case 'ExternalInputConsumed': {
      const input = required(
        state.inputs.get(event.of),
        `I2: input ${event.of} was received before anything is said of it`,
      );
      input.isConsumed = true;
      input.imported = event.imported;
      return;
    }
    case 'ResultAccepted': {
      state.queue.delete(event.of);
      const task = taskOf(state, event.task);
      task.result = {
        of: event.of,
        blob: event.result,
        provider: event.provider,
        reviewer: event.reviewer,
      };
      moveTask(state, task, 'accepted');
      if (event.settles !== undefined) {
        state.obligations.set(event.settles, {
          state: 'current',
          artifact: event.result,
          reason: undefined,
          atRunTime: false,
          incomplete: [],
        });
      }
      state.basis = state.seq;
      return;
    }
    case 'ResultRejected':
      return rejectResult(state, event);
    case 'TaskAbandoned': {
      const task = taskOf(state, event.task);
      task.reason = event.reason;
      moveTask(state, task, 'abandoned');
      state.basis = state.seq;
      return;
    }
    case 'FindingVerified':
      state.verdicts.set(event.finding, {
        verdict: event.verdict,
        ...(event.severity !== undefined && { severity: event.severity }),
      });
      return;
    case 'DeepeningEnded':
      state.deepeningEnded = event.reason;
      return;
    case 'IngestionFinished':
      if (!event.blocked) state.blocker = undefined;
      return;
    case 'CooldownStarted':
      startCooldown(accountOf(state, event.account), event);
      return;
    case 'CooldownElapsed':
      elapseCooldowns(state, event.at);
      return;
    case 'LimitsChanged': {
      const settings = required(state.settings, 'I4: settings are changed after they were given');
      state.settings = changedSettings(settings, event.changes);
      for (const account of event.changes.accounts ?? []) declareAccount(state, account);
      state.blocker = undefined;
      return;
    }
    case 'AccountThrottled':
      accountOf(state, event.account).ceiling = event.ceiling;
      return;
    case 'AccountExhausted':
      accountOf(state, event.account).exhausted = event.reason;
      return;
    case 'AuditBlocked': {
      const { type: _, ...blocker } = event;
      state.blocker = { ...blocker, number: state.seq };
      return;
    }
    case 'AuditResumed':
      state.blocker = undefined;
      for (const account of state.accounts.values()) account.exhausted = undefined;
      return;
    case 'OperatorAnswered': {
      const asked = state.questions.get(event.question);
      if (asked !== undefined) asked.value = event.value;
      state.blocker = undefined;
      return;
    }
    case 'StopRequested':
      state.writer.stop = event.reason;
      return;
    case 'AuditCompleted':
      state.completed = { how: event.how, reasons: event.reasons, number: state.seq, at: event.at };
      // Every task is settled: what came with the last leases is late, and judging it changes nothing.
      state.queue.clear();
      return;
  }
};

/** Leases of an earlier process stand; whether anything runs under them is to be found out (A2). */
const openWriter = (state: AuditState, event: AuditEventOf<'WriterOpened'>): void => {
  assert(event.epoch > state.writer.epoch, 'W2: epochs only grow');
  state.writer = {
    epoch: event.epoch,
    isOpen: true,
    startsMax: event.startsMax,
    starts: 0,
    stop: undefined,
    packetsMax: event.packetsMax,
    begun: new Set(),
  };
  for (const token of state.leases) {
    const packet = leasedPacket(state, token);
    if (packet.status === 'running') movePacket(state, packet, 'leased');
  }
};

/** M1: with the synthesis its narrative is void, and so are the tasks that would have written it. */
const makeStale = (state: AuditState, event: AuditEventOf<'ArtifactsStale'>): void => {
  for (const obligation of event.obligations) {
    const record = state.obligations.get(obligation);
    if (record !== undefined) record.state = 'stale';
  }
  // Out of `blocked`, as when the last packet of a hand-off went stale. In `ingesting` it stands.
  if (state.lifecycle.path.startsWith('deriving')) state.blocker = undefined;
  if (event.obligations.includes('narrative')) {
    for (const task of state.tasks.values()) {
      if (task.kind === 'narrative' && task.status === 'open') moveTask(state, task, 'retired');
    }
  }
  state.basis = state.seq;
};

/** Drift is seldom, so the tasks are searched for it rather than kept by path. */
const noteDrift = (state: AuditState, event: AuditEventOf<'InputDrifted'>): void => {
  for (const { path, found } of event.paths) state.drifted.set(path, found);
  const changed = new Set(event.paths.map(({ path }) => path));
  for (const task of state.tasks.values()) {
    if (task.paths.some((path) => changed.has(path))) moveTask(state, task, 'stale');
  }
  state.basis = state.seq;
};

/** Whose answer an imported one is: a late one its attempt's, any other was handed in by somebody. */
const importedFrom = (state: AuditState, { token }: AuditEventOf<'AnswersImported'>): ProviderId =>
  (token === undefined ? undefined : state.attempts.get(token)?.provider) ?? 'handoff';
