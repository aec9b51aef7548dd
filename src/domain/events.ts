import { z } from 'zod';
import { attemptEnd, usage } from './attempt-end.ts';
import { fileRange } from './file-range.ts';
import {
  accountId,
  auditId,
  blobRef,
  digest,
  eventNumber,
  findingId,
  instant,
  packetId,
  taskId,
} from './ids.ts';
import { settings, settingsChange } from './settings.ts';
import {
  deepeningEnd,
  deepeningTrigger,
  derivedObligation,
  lens,
  providerId,
  rejectionCode,
  type RejectionCode,
  resultVerdict,
  reviewer,
  severity,
  taskKind,
  verdict,
} from './vocabulary.ts';

/**
 * The facts. Everything that happened to an audit is one of these; state is what they say, folded.
 *
 *   opening    AuditOpened · WriterOpened · WriterClosed
 *   deriving   ArtifactDerived · ObligationWaived · ArtifactsStale · TasksPlanned · PacketsPlanned · InputDrifted
 *   attempts   AttemptStarted · AttemptEnded · AnswersImported
 *   outside    ExternalInputReceived · ExternalInputConsumed
 *   judging    ResultAccepted · ResultRejected · TaskAbandoned · FindingVerified · IngestionFinished
 *   deepening  DeepeningEnded
 *   limits     CooldownStarted · CooldownElapsed · LimitsChanged · AccountThrottled · AccountExhausted
 *   operator   AuditBlocked · AuditResumed · OperatorAnswered · StopRequested
 *   the end    AuditCompleted
 *
 * What `evolve` needs is here; what only stages, prompts and reports read is in blobs. An event is
 * written strictly (an unknown field is a bug of ours) and read tolerantly (an unknown field is
 * kept: a newer casefile may have written it).
 */

/** Findings of one result, by severity. */
export const severityCounts = z.strictObject({
  critical: z.int().nonnegative(),
  high: z.int().nonnegative(),
  medium: z.int().nonnegative(),
  low: z.int().nonnegative(),
  info: z.int().nonnegative(),
});
export type SeverityCounts = z.infer<typeof severityCounts>;

/**
 * An agent's result of an earlier audit of this place, for the very same question about the very same
 * content. It was judged anew against the files of this audit, and its bytes are a blob of this one.
 */
export const inheritedResult = z.strictObject({
  /** The audit that it was reviewed for, and the event of its log that brought the answer. */
  audit: auditId,
  event: eventNumber,
  /** Of the result as it was accepted there. */
  digest,
  result: blobRef,
  verdict: resultVerdict.exclude(['written']),
  findings: severityCounts,
  provider: providerId,
  /** With `judged`: what was said of the task's finding. */
  judgement: z
    .strictObject({ finding: findingId, verdict, severity: severity.optional() })
    .optional(),
});
export type InheritedResult = z.infer<typeof inheritedResult>;

/** One unit under one lens over some files: the thing coverage is counted in. */
export const plannedTask = z.strictObject({
  id: taskId,
  kind: taskKind,
  unit: z.string(),
  lens,
  /** Relative to the audited root, forward slashes (L6). */
  paths: z.array(z.string()).min(1),
  /** Of a path that the task holds only a part of: that part. */
  ranges: z.array(fileRange).min(1).optional(),
  /** Of a task that deepens the review: its cause, and the round of deepening, from 1. */
  about: z
    .strictObject({
      trigger: deepeningTrigger,
      round: z.int().positive(),
      /** With a task that verifies: what is verified, and how severe it was when that was asked. */
      finding: z.strictObject({ id: findingId, severity }).optional(),
    })
    .optional(),
  /** Its result, if an earlier audit has it: the task is settled from the start. */
  inherited: inheritedResult.optional(),
});
export type PlannedTask = z.infer<typeof plannedTask>;

/** Tasks that one agent reviews together: the thing that is dispatched. Never changed once planned. */
export const plannedPacket = z.strictObject({
  id: packetId,
  tasks: z.array(taskId).min(1),
  /** Estimated input tokens. */
  tokens: z.int().nonnegative(),
  /** The prompt's text. */
  prompt: blobRef,
  /** The packet whose remaining tasks these are; it passes on its place and its counted attempts. */
  replaces: packetId.optional(),
});
export type PlannedPacket = z.infer<typeof plannedPacket>;

/** Why the audit cannot go on by itself. */
export const blockCause = z.enum([
  'stage-failed',
  'answer-needed',
  'nothing-new',
  'no-provider',
  'budget-spent',
  'attempts-spent',
  'hand-off',
]);
export type BlockCause = z.infer<typeof blockCause>;

export const waitsFor = z.enum(['operator', 'answer', 'hand-off', 'limits']);
export type WaitsFor = z.infer<typeof waitsFor>;

export const stopReason = z.enum(['operator', 'max-runs', 'limit', 'signal']);
export type StopReason = z.infer<typeof stopReason>;

/** What somebody hands in from outside. */
export const inputKind = z.enum(['answers', 'analyzer-results', 'runtime-updates']);
export type InputKind = z.infer<typeof inputKind>;

/** A part of what was handed in that could not be taken, before it came to a judgement. */
export const refusedInput = z.strictObject({
  code: rejectionCode,
  message: z.string(),
  packet: z.string().optional(),
});
export type RefusedInput = z.infer<typeof refusedInput>;

/** What the operator is asked. */
export const question = z.strictObject({
  id: z.string(),
  text: z.string(),
  /** The only values that are taken; undefined: any text. */
  options: z.array(z.string()).min(1).optional(),
});
export type Question = z.infer<typeof question>;

const at = instant;

/** The fields of each event type, beside `type`. */
/** How many of each code; an object of fixed fields, so that the log's fast check knows it. */
const rejectionCounts = z.strictObject(
  Object.fromEntries(
    rejectionCode.options.map((code) => [code, z.int().positive().optional()]),
  ) as Record<RejectionCode, z.ZodOptional<z.ZodInt>>,
);

export const EVENT_FIELDS = {
  /** The first event of a log. */
  AuditOpened: {
    audit: auditId,
    root: z.strictObject({
      name: z.string(),
      inventory: z.enum(['git', 'walk']),
      commit: z.string().optional(),
    }),
    inputDigest: digest,
    files: z.int().nonnegative(),
    settings,
    tool: z.strictObject({ name: z.literal('casefile'), version: z.string() }),
    schema: z.strictObject({ log: z.int().positive(), answer: z.int().positive() }),
    at,
  },
  /** The first event of each process that appends (W4). */
  WriterOpened: {
    epoch: z.int().positive(),
    tool: z.string(),
    /** Attempts that this process may start (`--max-runs`). */
    startsMax: z.int().positive().optional(),
    /** Packets that this process may begin (`--limit`); retries of these are free. */
    packetsMax: z.int().positive().optional(),
    at,
  },
  WriterClosed: { epoch: z.int().positive(), at },

  /** A stage gave its artifact. */
  ArtifactDerived: {
    obligation: derivedObligation,
    artifact: blobRef,
    /** With planning and synthesis: whether this leaves open tasks. */
    openWork: z.boolean().optional(),
    /** What was asked for and could not be done, one sentence each; makes the audit partial. */
    incomplete: z.array(z.string()).optional(),
    at,
  },
  /** Nobody here can or should do this. Shown in the report. */
  ObligationWaived: {
    obligation: derivedObligation,
    reason: z.string(),
    /** Asked for, but found impossible during the run: makes the audit partial. */
    atRunTime: z.boolean(),
    at,
  },
  ArtifactsStale: {
    obligations: z.array(derivedObligation).min(1),
    reason: z.string(),
    /** Whether tasks are open after this event. */
    openWork: z.boolean(),
    at,
  },
  TasksPlanned: { tasks: z.array(plannedTask).min(1).max(500) },
  PacketsPlanned: { packets: z.array(plannedPacket).min(1).max(500) },
  /** Files are not any more what the inventory says. Their tasks are stale. */
  InputDrifted: {
    paths: z
      .array(z.strictObject({ path: z.string(), expected: digest, found: digest.optional() }))
      .min(1),
    at,
  },

  /** A lease. The number of this event is the attempt's token. */
  AttemptStarted: {
    packet: packetId,
    provider: providerId,
    account: accountId,
    /** From 1, over the packet and those it replaces; limits and cancellations are numbered too. */
    attempt: z.int().positive(),
    leaseUntil: instant,
    at,
  },
  AttemptEnded: {
    token: eventNumber,
    end: attemptEnd,
    /** The raw bytes that came back, whatever they are. */
    answer: blobRef.optional(),
    stdout: blobRef.optional(),
    stderr: blobRef.optional(),
    usage: usage.optional(),
    /** Whether this used up one of the packet's attempts (A4); with an answer its judgement says. */
    counted: z.boolean(),
    /** No further start of the packet before this instant. */
    retryAt: instant.optional(),
    /** Whether something waits to be judged after this event. */
    answersWaiting: z.boolean(),
    at,
  },
  /** An answer that no open attempt brought: late, or handed in. */
  AnswersImported: {
    packet: packetId,
    answer: blobRef,
    source: z.enum(['late', 'file']),
    token: eventNumber.optional(),
    answersWaiting: z.boolean(),
    at,
  },

  /**
   * Something was handed in from outside, kept as it is before anything is said of it. It is held
   * until it can be used, and used once.
   */
  ExternalInputReceived: {
    kind: inputKind,
    /** File name without folders (L6). */
    name: z.string(),
    content: blobRef,
    /** The packet whose assigned place the file lay in. */
    packet: packetId.optional(),
    at,
  },
  /** What was made of it. Answers in it are `AnswersImported` of the same commit. */
  ExternalInputConsumed: {
    of: eventNumber,
    /** Packets for which it brought an answer. */
    imported: z.int().nonnegative(),
    refused: z.array(refusedInput),
    at,
  },

  /** One task's part of an answer was taken. `of`: the event that brought the answer. */
  ResultAccepted: {
    of: eventNumber,
    task: taskId,
    result: blobRef,
    verdict: resultVerdict,
    findings: severityCounts,
    provider: providerId,
    reviewer,
    /** What was put right before it could be taken, a sentence each. */
    repaired: z.array(z.string()).min(1).optional(),
    /** Findings of it that were not taken, by code; the blob has them. */
    quarantined: rejectionCounts.optional(),
    /** The obligation that this result settles by itself: the narrative. */
    settles: z.literal('narrative').optional(),
    at,
  },
  /** A part of an answer, or the whole of it (no `task`), was not taken. */
  ResultRejected: {
    of: eventNumber,
    packet: packetId,
    task: taskId.optional(),
    code: rejectionCode,
    message: z.string(),
    /** Stands on the one rejection that gives the packet back: did its attempt count (A4)? */
    counted: z.boolean().optional(),
    retryAt: instant.optional(),
    at,
  },
  TaskAbandoned: {
    task: taskId,
    code: z.enum(['attempts-spent', 'drifted']),
    reason: z.string(),
    at,
  },
  FindingVerified: {
    finding: findingId,
    verdict,
    severity: severity.optional(),
    by: eventNumber,
    at,
  },
  /** No more is looked at again. What was is in the tasks that say what they are about. */
  DeepeningEnded: {
    reason: deepeningEnd,
    rounds: z.int().nonnegative(),
    tasks: z.int().nonnegative(),
    /** Estimated input tokens of their packets, and what they were allowed to come to. */
    tokens: z.int().nonnegative(),
    tokensMax: z.int().nonnegative(),
    at,
  },
  /** The queue of answers is empty (M5). */
  IngestionFinished: {
    openWork: z.boolean(),
    canStart: z.boolean(),
    cooling: z.boolean(),
    blocked: z.boolean(),
    at,
  },

  /** No starts on an account before `until`. */
  CooldownStarted: {
    account: accountId,
    until: instant,
    limit: z.enum(['rate', 'quota', 'overload']),
    /** The instant is ours, since none was given. */
    assumed: z.boolean(),
    /** Every account of this audit is cooling. */
    allAccounts: z.boolean(),
    token: eventNumber.optional(),
    at,
  },
  CooldownElapsed: { at },
  LimitsChanged: { changes: settingsChange, canStart: z.boolean(), reason: z.string(), at },
  AccountThrottled: {
    account: accountId,
    ceiling: z.int().positive(),
    reason: z.string(),
    at,
  },
  AccountExhausted: { account: accountId, reason: z.string(), at },

  AuditBlocked: {
    cause: blockCause,
    message: z.string(),
    remedy: z.string(),
    waitsFor,
    /** With `answer-needed`: what is asked. */
    question: question.optional(),
    at,
  },
  AuditResumed: { by: z.enum(['run', 'operator']), at },
  OperatorAnswered: { question: z.string(), value: z.string(), at },
  /** No further starts until the next `WriterOpened`. */
  StopRequested: { reason: stopReason, at },
  AuditCompleted: { how: z.enum(['full', 'partial']), reasons: z.array(z.string()), at },
} as const;

export type EventType = keyof typeof EVENT_FIELDS;
export const EVENT_TYPES = Object.keys(EVENT_FIELDS) as readonly EventType[];

type EventOf<T extends EventType> = { readonly type: T } & Readonly<
  z.infer<z.ZodObject<(typeof EVENT_FIELDS)[T]>>
>;
export type AuditEvent = { [T in EventType]: EventOf<T> }[EventType];
export type AuditEventOf<T extends EventType> = EventOf<T>;

/** How an event is written: exactly these fields. */
export const strictEvent = z.discriminatedUnion(
  'type',
  EVENT_TYPES.map((type) =>
    z.strictObject({ type: z.literal(type), ...EVENT_FIELDS[type] }),
  ) as unknown as [z.ZodObject<{ type: z.ZodLiteral<string> }>],
) as unknown as z.ZodType<AuditEvent>;

/** How an event is read: at least these fields. */
export const tolerantEvent = z.discriminatedUnion(
  'type',
  EVENT_TYPES.map((type) =>
    z.looseObject({ type: z.literal(type), ...EVENT_FIELDS[type] }),
  ) as unknown as [z.ZodObject<{ type: z.ZodLiteral<string> }>],
) as unknown as z.ZodType<AuditEvent>;
