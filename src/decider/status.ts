import { tellBlocker } from '../domain/blocker.ts';
import type { AuditStatus } from '../domain/status.ts';
import { OBLIGATIONS, type Obligation } from '../domain/vocabulary.ts';
import { isoTime } from '../std/instant-text.ts';
import { accountStatus } from './account-ledger.ts';
import { inheritedFrom } from './inherited.ts';
import type { AttemptRecord, AuditState } from './state.ts';

/** The state for people and other tools; see `domain/status.ts`. Constant in size. */
export const statusOf = (state: AuditState): AuditStatus => {
  const { tasks, packets, attempts } = state.counts;
  const { asked, ...answered } = attempts;
  const starts = recentStarts(state);
  const inherited = inheritedFrom(state);
  const held = [...state.inputs.values()].filter(({ isConsumed }) => !isConsumed).length;
  return {
    audit: state.opened?.audit ?? '',
    seq: state.seq,
    state: state.lifecycle.path,
    ...(state.completed && { how: state.completed.how }),
    at: isoTime(state.at),
    obligations: OBLIGATIONS.map((id) => obligationStatus(state, id)),
    tasks: { ...tasks, total: total(tasks) },
    ...(inherited.length > 0 && { inherited: [...inherited] }),
    packets: { ...packets, total: total(packets) },
    attempts: {
      ...answered,
      ...(asked > 0 && { asked }),
      total: total(attempts),
    },
    accounts: [...state.accounts.values()].map((account) => ({
      id: account.id,
      state: accountStatus(account),
      inFlight: account.inFlight,
      ceiling: account.ceiling,
      source: account.source,
      ...(account.cooldownUntil !== undefined && { until: isoTime(account.cooldownUntil) }),
      ...(account.exhausted !== undefined && { reason: account.exhausted }),
      window: { starts: starts.get(account.id) ?? 0 },
    })),
    budget: {
      attempts: {
        reserved: state.leases.size,
        spent: state.attempts.size - state.leases.size,
        ...(state.writer.startsMax !== undefined && { cap: state.writer.startsMax }),
      },
    },
    answersWaiting: state.queue.size,
    ...(state.inputs.size > 0 && { inputs: { held, consumed: state.inputs.size - held } }),
    ...(state.writer.stop !== undefined && { stopping: state.writer.stop }),
    ...(state.blocker && {
      blocker: {
        ...tellBlocker(state.blocker),
        since: isoTime(state.blocker.at),
        event: state.blocker.number,
      },
    }),
  };
};

const obligationStatus = (
  state: AuditState,
  id: Obligation,
): AuditStatus['obligations'][number] => {
  const { open } = state.counts.tasks;
  const isPlanned = state.obligations.get('planning')?.state === 'current';
  if (id === 'ingestion') return { id, state: state.queue.size > 0 ? 'open' : 'current' };
  if (id === 'review') {
    return { id, state: !isPlanned ? 'missing' : open > 0 ? 'open' : 'current' };
  }
  const record = state.obligations.get(id);
  if (record === undefined) return { id, state: 'missing' };
  const reason =
    record.reason ?? (record.incomplete.length > 0 ? record.incomplete.join(' ') : undefined);
  return { id, state: record.state, ...(reason !== undefined && { reason }) };
};

const WINDOW_MS = 60_000;

/** Starts by account in the minute before the last event; attempts are kept in order of start. */
const recentStarts = (state: AuditState): Map<string, number> => {
  const counts = new Map<string, number>();
  const recent: AttemptRecord[] = [];
  for (let token = state.seq; token > 0 && recent.length < state.attempts.size; token -= 1) {
    const attempt = state.attempts.get(token);
    if (attempt === undefined) continue;
    if (attempt.startedAt <= state.at - WINDOW_MS) break;
    recent.push(attempt);
  }
  for (const { account } of recent) counts.set(account, (counts.get(account) ?? 0) + 1);
  return counts;
};

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, value) => sum + value, 0);
