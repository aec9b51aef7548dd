import type { AttemptEnd } from '../domain/attempt-end.ts';
import type {
  AuditEventOf,
  InheritedResult,
  PlannedPacket,
  PlannedTask,
  Question,
  StopReason,
} from '../domain/events.ts';
import type {
  AccountId,
  BlobRef,
  Digest,
  EventNumber,
  FindingId,
  Instant,
  PacketId,
  TaskId,
  Token,
} from '../domain/ids.ts';
import type { FileRange } from '../domain/file-range.ts';
import type { Settings } from '../domain/settings.ts';
import type {
  DeepeningEnd,
  DerivedObligation,
  LimitSource,
  ProviderId,
  Reviewer,
  Severity,
  Verdict,
} from '../domain/vocabulary.ts';
import type { Standing } from '../scheduler/board.ts';
import { initialLifecycle, type Lifecycle } from './lifecycle.ts';
import { copyWaitingList, createWaitingList, waitingIn, type WaitingList } from './waiting-list.ts';

/**
 * What the log says, folded. `evolve` owns it and updates it in place; nobody keeps an old one.
 * `copyState` serves key frames and comparisons.
 */
export type AuditState = {
  /** Number of the last folded event. */
  seq: EventNumber;
  /** The latest instant in the log; the engine never decides with an earlier `now`. */
  at: Instant;
  lifecycle: Lifecycle;
  opened: Opened | undefined;
  /** The settings in force: those of `AuditOpened` and every later change. */
  settings: Settings | undefined;
  writer: Writer;
  obligations: Map<DerivedObligation, ObligationRecord>;
  /** Number of the last event that a stage's input depends on. */
  basis: EventNumber;
  tasks: Map<TaskId, TaskRecord>;
  packets: Map<PacketId, PacketRecord>;
  /** Place of the next new packet in the plan's order. */
  nextOrder: number;
  /** Packets that may start, by the plan's order; packets that wait after a failure, by time. */
  ready: WaitingList;
  backingOff: WaitingList;
  attempts: Map<Token, AttemptRecord>;
  /** Open leases, the oldest first. */
  leases: Set<Token>;
  accounts: Map<AccountId, AccountRecord>;
  /** What was handed in from outside, by the number of the event that brought it. */
  inputs: Map<EventNumber, InputRecord>;
  /** What attempts asked the operator, by the question's id, the oldest first. */
  questions: Map<string, QuestionRecord>;
  /** What waits to be judged, by the number of the event that brought it; the oldest first. */
  queue: Map<EventNumber, QueueItem>;
  blocker: Blocker | undefined;
  drifted: Map<string, Digest | undefined>;
  /** Why nothing more is looked at again; undefined while something may be. */
  deepeningEnded: DeepeningEnd | undefined;
  /** The latest verdict of a second pass on a finding. */
  verdicts: Map<FindingId, { readonly verdict: Verdict; readonly severity?: Severity }>;
  completed: Completed | undefined;
  counts: Counts;
};

export type Opened = AuditEventOf<'AuditOpened'>;

export type Writer = {
  epoch: number;
  isOpen: boolean;
  startsMax: number | undefined;
  /** Attempts that this process has started. */
  starts: number;
  stop: StopReason | undefined;
  /** Packets that this process may begin, and those that it has begun. */
  packetsMax: number | undefined;
  begun: Set<PacketId>;
};

export type InputRecord = Omit<AuditEventOf<'ExternalInputReceived'>, 'type' | 'at'> & {
  isConsumed: boolean;
  /** Packets for which it brought an answer, once it was consumed. */
  imported: number;
};

export type QuestionRecord = Question & {
  /** The packet whose attempt asked; its next attempt gets the answer, once. */
  readonly packet: PacketId;
  value: string | undefined;
  usedBy: Token | undefined;
};

export type ObligationRecord = {
  state: 'current' | 'stale' | 'waived';
  artifact: BlobRef | undefined;
  reason: string | undefined;
  atRunTime: boolean;
  incomplete: readonly string[];
};

export type TaskRecord = Omit<PlannedTask, 'paths' | 'ranges' | 'about' | 'inherited'> & {
  readonly paths: readonly string[];
  readonly ranges: readonly FileRange[] | undefined;
  readonly about: PlannedTask['about'] | undefined;
  status: TaskStatus;
  /** The latest packet that holds it. */
  packet: PacketId | undefined;
  result: AcceptedResult | undefined;
  /** Why it was abandoned. */
  reason: string | undefined;
};

export const TASK_STATUSES = ['open', 'accepted', 'abandoned', 'stale', 'retired'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export type AcceptedResult = {
  readonly of: EventNumber;
  readonly blob: BlobRef;
  readonly provider: ProviderId;
  readonly reviewer: Reviewer;
  /** Where it was reviewed, if not in this audit; then `of` is the event that planned the task. */
  readonly inherited?: Pick<InheritedResult, 'audit' | 'event' | 'digest'>;
};

export type PacketRecord = {
  readonly spec: PlannedPacket;
  readonly order: number;
  status: PacketStatus;
  /** Tasks of the packet that are still open. */
  openTasks: number;
  /** Attempts over the packet and those it replaces, and those of them that count (A4). */
  attempts: number;
  counted: number;
  retryAt: Instant | undefined;
  lease: Token | undefined;
  /** Digests of the answers that came for it, to tell a repeat from a conflict (A3). */
  answers: readonly Digest[];
};

export const PACKET_STATUSES = [
  'ready',
  'running',
  'leased',
  'answered',
  'backing-off',
  'settled',
  'abandoned',
] as const satisfies readonly Standing['status'][];
export type PacketStatus = (typeof PACKET_STATUSES)[number];

export type AttemptRecord = {
  readonly token: Token;
  readonly packet: PacketId;
  readonly provider: ProviderId;
  readonly account: AccountId;
  readonly attempt: number;
  readonly startedAt: Instant;
  readonly leaseUntil: Instant;
  end: AttemptEnd | undefined;
  hasAnswer: boolean;
  endedAt: Instant | undefined;
};

export type AccountRecord = {
  readonly id: AccountId;
  /** Width in force, and what was declared for it. */
  ceiling: number;
  declared: number;
  source: LimitSource;
  inFlight: number;
  cooldownUntil: Instant | undefined;
  limit: AuditEventOf<'CooldownStarted'>['limit'] | undefined;
  /** When the last limit signal was recorded, and how many came in a row. */
  limitedAt: Instant | undefined;
  limitsInRow: number;
  exhausted: string | undefined;
};

export type QueueItem =
  | {
      readonly kind: 'answer';
      readonly packet: PacketId;
      readonly answer: BlobRef;
      /** The attempt that brought it; undefined for an imported one. */
      readonly token: Token | undefined;
      readonly provider: ProviderId;
      /** Its provider measured that the model put out nothing. */
      readonly isWordless?: true;
    }
  /** The packet's last attempt is used up: its open tasks are to be abandoned. */
  | { readonly kind: 'spent'; readonly packet: PacketId; readonly reason: string };

export type Blocker = Omit<AuditEventOf<'AuditBlocked'>, 'type'> & { readonly number: EventNumber };

export type Completed = {
  readonly how: 'full' | 'partial';
  readonly reasons: readonly string[];
  /** Number of the `AuditCompleted` event. */
  readonly number: EventNumber;
  readonly at: Instant;
};

export type Counts = {
  tasks: Record<TaskStatus, number>;
  packets: Record<PacketStatus, number>;
  attempts: {
    running: number;
    answered: number;
    failed: number;
    limited: number;
    cancelled: number;
    asked: number;
  };
};

export const initialState = (): AuditState => ({
  seq: 0,
  at: 0,
  lifecycle: initialLifecycle(),
  opened: undefined,
  settings: undefined,
  writer: {
    epoch: 0,
    isOpen: false,
    startsMax: undefined,
    starts: 0,
    stop: undefined,
    packetsMax: undefined,
    begun: new Set(),
  },
  obligations: new Map(),
  basis: 0,
  tasks: new Map(),
  packets: new Map(),
  nextOrder: 0,
  ready: createWaitingList('order'),
  backingOff: createWaitingList('retryAt'),
  attempts: new Map(),
  leases: new Set(),
  accounts: new Map(),
  inputs: new Map(),
  questions: new Map(),
  queue: new Map(),
  blocker: undefined,
  drifted: new Map(),
  deepeningEnded: undefined,
  verdicts: new Map(),
  completed: undefined,
  counts: {
    tasks: { open: 0, accepted: 0, abandoned: 0, stale: 0, retired: 0 },
    packets: {
      ready: 0,
      running: 0,
      leased: 0,
      answered: 0,
      'backing-off': 0,
      settled: 0,
      abandoned: 0,
    },
    attempts: { running: 0, answered: 0, failed: 0, limited: 0, cancelled: 0, asked: 0 },
  },
});

/** An independent copy. What is never changed in place (plans, settings, ends) is shared. */
export const copyState = (state: AuditState): AuditState => ({
  ...state,
  writer: { ...state.writer, begun: new Set(state.writer.begun) },
  obligations: copyRecords(state.obligations),
  tasks: copyRecords(state.tasks),
  packets: copyRecords(state.packets),
  ready: copyWaitingList(state.ready),
  backingOff: copyWaitingList(state.backingOff),
  attempts: copyRecords(state.attempts),
  leases: new Set(state.leases),
  accounts: copyRecords(state.accounts),
  inputs: copyRecords(state.inputs),
  questions: copyRecords(state.questions),
  queue: new Map(state.queue),
  drifted: new Map(state.drifted),
  verdicts: new Map(state.verdicts),
  counts: {
    tasks: { ...state.counts.tasks },
    packets: { ...state.counts.packets },
    attempts: { ...state.counts.attempts },
  },
});

const copyRecords = <Key, Value extends object>(records: Map<Key, Value>): Map<Key, Value> =>
  new Map([...records].map(([key, value]) => [key, { ...value }]));

/** The whole state as plain data, for comparisons: two folds agree when their texts do. */
export const plainState = (state: AuditState): unknown =>
  toPlain({
    ...state,
    lifecycle: { path: state.lifecycle.path, flags: state.lifecycle.flags },
    ready: [...waitingIn(state.ready)],
    backingOff: [...waitingIn(state.backingOff)],
  });

const toPlain = (value: unknown): unknown => {
  if (value instanceof Map) return [...value].map(([key, item]) => [key, toPlain(item)]);
  if (value instanceof Set) return [...value];
  if (Array.isArray(value)) return value.map(toPlain);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toPlain(item)]));
};
