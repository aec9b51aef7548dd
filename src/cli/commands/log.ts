import type { Commit } from '../../domain/commit.ts';
import { EVENT_TYPES, type EventType } from '../../domain/events.ts';
import { UsageError } from '../../domain/usage-error.ts';
import { createSystemClock } from '../../platform/clock.ts';
import { createNodeDisk } from '../../platform/node-disk.ts';
import { timelineOf } from '../../projections/timeline.ts';
import { isoTime } from '../../std/instant-text.ts';
import { readLog } from '../../store/read-log.ts';
import { chosenAudit, locate, type ReadAudit } from '../locate.ts';
import { terminal } from '../terminal.ts';
import { sayTornTail, type ReadFlags } from './status.ts';

export type LogFlags = ReadFlags & {
  readonly type: readonly string[];
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly follow?: boolean | undefined;
};

/** How often `--follow` looks for new commits. */
const LOOK_EVERY_MS = 500;

/** `casefile log`: the commits, as lines for people or as the JSON that stands in the log. */
export const logCommand = async (root: string | undefined, flags: LogFlags): Promise<number> => {
  const types = flags.type.map(eventType);
  const place = await locate(root, flags.stateDir);
  const disk = createNodeDisk();
  const audit = await chosenAudit(disk, place, flags.audit);
  const show = (commits: readonly Commit[]): void => {
    for (const commit of commits) showCommit(commit, types, flags);
  };
  show(audit.commits);
  if (flags.follow === true) await follow(audit, show);
  else sayTornTail(audit);
  return 0;
};

const showCommit = (commit: Commit, types: readonly EventType[], flags: LogFlags): void => {
  const { from = 1, to = Number.POSITIVE_INFINITY } = flags;
  const numbered = commit.events
    .map((event, index) => ({ event, seq: commit.seq + index }))
    .filter(
      ({ event, seq }) =>
        seq >= from && seq <= to && (types.length === 0 || types.includes(event.type)),
    );
  if (numbered.length === 0) return;
  if (flags.json === true) {
    const { seq, at, epoch, cause, from: before, to: after } = commit;
    terminal.jsonLine({
      seq,
      at: isoTime(at),
      epoch,
      cause,
      events: numbered.map(({ event, seq: number }) => ({ number, ...event })),
      from: before,
      to: after,
    });
    return;
  }
  const shown = new Set(numbered.map(({ seq }) => seq));
  for (const line of timelineOf(commit)) {
    if (!shown.has(line.seq)) continue;
    terminal.answer(
      `${String(line.seq).padStart(6)}  ${isoTime(line.at)}  ${line.type.padEnd(18)} ${line.text}`,
    );
  }
};

/** Until the audit is complete, the reader goes away or the operator stops it. */
const follow = async (
  audit: ReadAudit,
  show: (commits: readonly Commit[]) => void,
): Promise<void> => {
  const disk = createNodeDisk();
  const clock = createSystemClock();
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  let next = audit.position.seq + 1;
  let isComplete = audit.state.completed !== undefined;
  while (!stop.signal.aborted && !isComplete) {
    await clock.sleepUntil(clock.now() + LOOK_EVERY_MS, stop.signal);
    const { commits, position } = await readLog({
      disk,
      directory: audit.files.directory,
      from: next,
    });
    const fresh = commits.filter(({ seq }) => seq >= next);
    show(fresh);
    isComplete = fresh.some(({ events }) => events.some(({ type }) => type === 'AuditCompleted'));
    next = Math.max(next, position.seq + 1);
  }
};

const eventType = (name: string): EventType => {
  const type = EVENT_TYPES.find((known) => known === name);
  if (type !== undefined) return type;
  throw new UsageError(
    `There is no event type "${name}".`,
    `Types are: ${EVENT_TYPES.join(', ')}.`,
  );
};
