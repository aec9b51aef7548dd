import type { Commit } from '../domain/commit.ts';
import type { AuditEvent, EventType } from '../domain/events.ts';
import type { BlobRef, EventNumber, Instant } from '../domain/ids.ts';
import type { Subject } from '../domain/subject.ts';
import { createTrail } from './trail.ts';
import { timelineOf } from './timeline.ts';

/** One event in the history of one thing. `text` is one printable line. */
export type HistoryEntry = {
  readonly seq: EventNumber;
  readonly at: Instant;
  readonly event: AuditEvent;
  readonly text: string;
  readonly blobs: readonly NamedBlob[];
};

/** Bytes that an event names, and what they are to it. */
export type NamedBlob = {
  readonly role: 'prompt' | 'answer' | 'stdout' | 'stderr' | 'result' | 'artifact' | 'content';
  readonly blob: BlobRef;
};

/**
 * What happened to one thing, in order. The log is walked once; which attempts and answers belong to a
 * task or a packet is learnt on the way.
 */
export const historyOf = (
  commits: readonly Commit[],
  subject: Subject,
): readonly HistoryEntry[] => {
  const concerns = concernOf(subject);
  const entries: HistoryEntry[] = [];
  for (const commit of commits) {
    let lines: ReturnType<typeof timelineOf> | undefined;
    for (const [index, event] of commit.events.entries()) {
      const seq = commit.seq + index;
      if (!concerns(event, seq)) continue;
      lines ??= timelineOf(commit);
      const text = lines[index]?.text ?? event.type;
      entries.push({ seq, at: commit.at, event, text, blobs: blobsOf(event, subject) });
    }
  }
  return entries;
};

type Concern = (event: AuditEvent, seq: EventNumber) => boolean;

const concernOf = (subject: Subject): Concern => {
  switch (subject.kind) {
    case 'audit':
      return (event) => MILESTONES.has(event.type);
    case 'task':
      return createTrail({ kind: 'task', tasks: [subject.id] });
    case 'packet':
      return createTrail({ kind: 'packet', packet: subject.id });
    case 'attempt':
      return createTrail({ kind: 'attempt', token: subject.id });
    case 'finding': {
      const ofTasks = createTrail({ kind: 'task', tasks: subject.tasks });
      const names = new Set([subject.id, ...subject.aliases]);
      return (event, seq) =>
        ofTasks(event, seq) || (event.type === 'FindingVerified' && names.has(event.finding));
    }
    case 'event':
      return (event, seq) => seq === subject.id || refersTo(event, subject.id);
    case 'account':
      return aboutAccount(subject.id);
    case 'obligation':
      return (event) => isAbout(event, subject.id);
  }
};

/** What moves an audit as a whole. Single tasks and attempts have histories of their own. */
const MILESTONES: ReadonlySet<EventType> = new Set<EventType>([
  'AuditOpened',
  'WriterOpened',
  'WriterClosed',
  'ArtifactDerived',
  'ObligationWaived',
  'ArtifactsStale',
  'TasksPlanned',
  'PacketsPlanned',
  'InputDrifted',
  'DeepeningEnded',
  'CooldownStarted',
  'CooldownElapsed',
  'LimitsChanged',
  'AccountExhausted',
  'AuditBlocked',
  'AuditResumed',
  'OperatorAnswered',
  'StopRequested',
  'AuditCompleted',
]);

/** The event is an answer to, or a consequence of, event `number` by its own word. */
const refersTo = (event: AuditEvent, number: EventNumber): boolean =>
  ('of' in event && event.of === number) ||
  ('token' in event && event.token === number) ||
  ('by' in event && event.by === number);

/** Its limits, and the attempts that met one; all others would be most of the log. */
const aboutAccount = (id: string): Concern => {
  const tokens = new Set<EventNumber>();
  return (event, seq) => {
    if (event.type === 'AttemptStarted') {
      if (event.account === id) tokens.add(seq);
      return false;
    }
    if (event.type === 'AttemptEnded') {
      const { kind } = event.end;
      return tokens.has(event.token) && (kind === 'limited' || kind === 'overloaded');
    }
    if (event.type === 'LimitsChanged') {
      return event.changes.accounts?.some((account) => account.id === id) === true;
    }
    if (event.type === 'AuditOpened') {
      return event.settings.accounts.some((account) => account.id === id);
    }
    return 'account' in event && event.account === id;
  };
};

const isAbout = (event: AuditEvent, obligation: string): boolean => {
  if ('obligation' in event) return event.obligation === obligation;
  if (event.type === 'ArtifactsStale') {
    return event.obligations.some((stale) => stale === obligation);
  }
  if (event.type === 'ResultAccepted') return event.settles === obligation;
  if (event.type === 'TasksPlanned') return obligation === 'planning' || obligation === 'review';
  if (obligation === 'review') {
    return event.type === 'TaskAbandoned' || event.type === 'InputDrifted';
  }
  return obligation === 'ingestion' && event.type === 'IngestionFinished';
};

const ROLES = ['answer', 'stdout', 'stderr', 'result', 'artifact', 'content'] as const;

const blobsOf = (event: AuditEvent, subject: Subject): readonly NamedBlob[] => {
  if (event.type === 'PacketsPlanned') {
    // A chunk names hundreds of prompts: only those of the thing itself are told.
    return event.packets
      .filter(({ id, tasks }) =>
        subject.kind === 'packet'
          ? id === subject.id
          : subject.kind === 'task'
            ? tasks.includes(subject.id)
            : subject.kind === 'finding' && subject.tasks.some((task) => tasks.includes(task)),
      )
      .map(({ prompt }) => ({ role: 'prompt', blob: prompt }));
  }
  if (event.type === 'TasksPlanned') {
    return event.tasks
      .filter(({ id }) =>
        subject.kind === 'task'
          ? id === subject.id
          : subject.kind === 'finding' && subject.tasks.includes(id),
      )
      .flatMap(({ inherited }) =>
        inherited === undefined ? [] : [{ role: 'result', blob: inherited.result }],
      );
  }
  const fields = event as Readonly<Record<string, unknown>>;
  return ROLES.flatMap((role) => {
    const blob = fields[role] as BlobRef | undefined;
    return blob === undefined ? [] : [{ role, blob }];
  });
};
