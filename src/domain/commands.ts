import type { AttemptEnd, Usage } from './attempt-end.ts';
import type {
  AuditEventOf,
  BlockCause,
  InputKind,
  PlannedPacket,
  PlannedTask,
  Question,
  RefusedInput,
  SeverityCounts,
  StopReason,
  WaitsFor,
} from './events.ts';
import type {
  BlobRef,
  Digest,
  EventNumber,
  FindingId,
  Instant,
  PacketId,
  TaskId,
  Token,
} from './ids.ts';
import type { SettingsChange } from './settings.ts';
import type {
  DerivedObligation,
  RejectionCode,
  ResultVerdict,
  Severity,
  Verdict,
} from './vocabulary.ts';

/**
 * What is asked of the core. Time, ids, digests, exit codes and answers come in here as data.
 * `now` is never earlier than an instant that the log already holds; the engine sees to it.
 */
export type Command =
  | ({ readonly type: 'OpenAudit' } & Omit<AuditEventOf<'AuditOpened'>, 'type' | 'at'> & At)
  | ({
      readonly type: 'OpenWriter';
      readonly epoch: number;
      readonly tool: string;
      readonly startsMax?: number | undefined;
      readonly packetsMax?: number | undefined;
    } & At)
  | ({ readonly type: 'CloseWriter' } & At)
  /** Let the scheduler look: `running` are the tokens that this process runs or waits for. */
  | ({ readonly type: 'Advance'; readonly running: ReadonlySet<Token> } & At)
  | ({
      readonly type: 'ReportDerived';
      readonly obligation: DerivedObligation;
      /** The `basis` of the effect that asked for it. */
      readonly basis: EventNumber;
      readonly artifact: BlobRef;
      readonly tasks?: readonly PlannedTask[] | undefined;
      readonly packets?: readonly PlannedPacket[] | undefined;
      readonly incomplete?: readonly string[] | undefined;
      /** With the synthesis: that nothing more is looked at again, and why. */
      readonly deepeningEnd?: DeepeningSum | undefined;
      /** Inputs that the artifact is made of, by the event that brought each. */
      readonly consumed?: readonly EventNumber[] | undefined;
    } & At)
  | ({
      readonly type: 'ReportStageFailed';
      readonly obligation: DerivedObligation;
      readonly basis: EventNumber;
      readonly message: string;
      readonly remedy: string;
    } & At)
  | ({ readonly type: 'ReportDrift'; readonly paths: AuditEventOf<'InputDrifted'>['paths'] } & At)
  | ({ readonly type: 'ReportAttempt'; readonly token: Token; readonly report: AttemptReport } & At)
  | ({
      readonly type: 'ReportJudged';
      /** The event that brought the answer. */
      readonly of: EventNumber;
      readonly verdicts: readonly TaskVerdict[];
      /** The packet for the tasks that stay open, if some but not all were settled. */
      readonly remainder?: PlannedPacket | undefined;
    } & At)
  /** Something is handed in from outside; its bytes are already kept. */
  | ({
      readonly type: 'ReceiveInput';
      readonly kind: InputKind;
      readonly name: string;
      readonly content: BlobRef;
      readonly packet?: PacketId | undefined;
    } & At)
  /** What was found in an input with answers: the packets that it is about, and what is wrong. */
  | ({
      readonly type: 'ReportInput';
      readonly of: EventNumber;
      readonly packets: readonly PacketId[];
      readonly refused: readonly RefusedInput[];
    } & At)
  | ({
      readonly type: 'ChangeLimits';
      readonly changes: SettingsChange;
      readonly reason: string;
    } & At)
  | ({
      readonly type: 'WaiveObligation';
      readonly obligation: DerivedObligation;
      readonly reason: string;
      readonly atRunTime: boolean;
    } & At)
  | ({
      readonly type: 'BlockAudit';
      readonly cause: BlockCause;
      readonly message: string;
      readonly remedy: string;
      readonly waitsFor: WaitsFor;
      readonly question?: Question | undefined;
    } & At)
  | ({ readonly type: 'Resume'; readonly by: 'run' | 'operator' } & At)
  | ({ readonly type: 'AnswerQuestion'; readonly question: string; readonly value: string } & At)
  | ({ readonly type: 'RequestStop'; readonly reason: StopReason } & At);

type At = { readonly now: Instant };

export type CommandType = Command['type'];

/** The one exit report of an attempt, its bytes already kept as blobs. */
export type AttemptReport = {
  readonly end: AttemptEnd;
  readonly answer?: BlobRef | undefined;
  readonly stdout?: BlobRef | undefined;
  readonly stderr?: BlobRef | undefined;
  readonly usage?: Usage | undefined;
};

/** What the judgement of an answer says about one task, or about the whole answer. */
export type TaskVerdict =
  | {
      readonly kind: 'accepted';
      readonly task: TaskId;
      readonly result: BlobRef;
      readonly verdict: ResultVerdict;
      readonly findings: SeverityCounts;
      /** What was put right before it could be taken, a sentence each. */
      readonly repaired?: readonly string[] | undefined;
      /** Findings of it that were not taken, by code. */
      readonly quarantined?: Readonly<Partial<Record<RejectionCode, number>>> | undefined;
      /** With `judged`: what is said of a finding. */
      readonly judgement?: FindingJudgement | undefined;
    }
  | {
      readonly kind: 'rejected';
      readonly task?: TaskId | undefined;
      readonly code: RejectionCode;
      readonly message: string;
    };

export type FindingJudgement = {
  readonly finding: FindingId;
  readonly verdict: Verdict;
  /** With `downgraded`: to what. */
  readonly severity?: Severity | undefined;
};

export type DeepeningSum = Omit<AuditEventOf<'DeepeningEnded'>, 'type' | 'at'>;

/** A command that makes no sense now. A value, never thrown. */
export type Rejection = { readonly code: RejectionReason; readonly message: string };

export type RejectionReason =
  | 'audit-exists'
  | 'no-audit'
  | 'no-writer'
  | 'old-epoch'
  | 'unknown-token'
  | 'attempt-over'
  | 'repeat'
  | 'unknown-packet'
  | 'unknown-question'
  | 'unknown-value'
  | 'unknown-input'
  | 'not-judging'
  | 'not-current'
  | 'not-blocked'
  | 'not-possible-now'
  | 'audit-complete'
  | 'nothing-changes';

/** The digest of bytes that were seen before, to tell a repeat from a conflict (A3). */
export type SeenAnswer = { readonly packet: PacketId; readonly digest: Digest };
