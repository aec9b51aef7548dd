import { printable } from '../std/printable.ts';
import type { AnswerFinding, AnswerResult } from '../domain/answer.ts';
import type { SeverityCounts } from '../domain/events.ts';
import type { Finding, TaskResult } from '../domain/finding.ts';
import { taskId, type TaskId } from '../domain/ids.ts';
import type { PacketBrief } from '../domain/packet-brief.ts';
import { countSeverities } from '../domain/severity-counts.ts';
import type { ProviderId, RejectionCode } from '../domain/vocabulary.ts';
import { prepareAnchorText, type AnchorText } from './anchor.ts';
import { findingIdOf } from './fingerprint.ts';
import { openAnswer, type OpenedAnswer } from './open-answer.ts';
import { ownResults } from './own-results.ts';
import { resultsForPacket } from './results-for-packet.ts';
import type { PacketStatements, Refusal, TaskStatement } from './task-statement.ts';

/** What the judgement says about one task, or (without `task`) about the whole or a stray part. */
export type JudgedTask =
  | {
      readonly kind: 'accepted';
      readonly task: TaskId;
      readonly result: TaskResult;
      readonly findings: SeverityCounts;
    }
  | {
      readonly kind: 'rejected';
      readonly task?: TaskId;
      readonly code: RejectionCode;
      /** One printable sentence: what is wrong, and where. */
      readonly message: string;
    };

export type AnswerToJudge = {
  readonly bytes: Uint8Array;
  readonly brief: PacketBrief;
  /**
   * Tasks that are settled: the answer need not speak of them again. When it does, what it says is
   * judged, so that a repeat can be told from a conflict.
   */
  readonly settled: ReadonlySet<string>;
  readonly provider: ProviderId;
  /** A file's text in the frozen tree; undefined when it cannot be read. */
  readonly read: (path: string) => string | undefined;
  /**
   * Whether another packet of the audit asks for a task. An `AuditResult[]` array may be about tasks
   * of any packets, and those are none of this judgement's business. Default: never.
   */
  readonly isPlannedElsewhere?: ((task: string) => boolean) | undefined;
  /** An array's entries about nothing were told when it was opened, once and not packet by packet. */
  readonly isLookedThrough?: boolean | undefined;
};

/**
 * Judges the bytes that came back for a packet, task by task: one bad part never spoils another.
 * Each open task of the packet gets exactly one verdict, unless the answer as a whole is refused.
 * An empty or broken answer is never clean.
 *
 * Each quote is looked for in the frozen file. Found, the finding moves to the place nearest to the
 * stated line; not found, it is kept and says so (`anchored: false`).
 */
export const judgeAnswer = (input: AnswerToJudge): readonly JudgedTask[] => {
  const opened = openAnswer(input.bytes, input.brief.packet);
  if (opened.kind === 'refused') return [rejected(opened.code, opened.message)];
  const said = statementsOf(opened, input);
  if ('kind' in said) return [rejected(said.code, said.message)];
  const isTold = opened.kind === 'audit-results' && input.isLookedThrough === true;
  const stray = isTold ? [] : said.stray.map(({ code, message }) => rejected(code, message));
  if (opened.kind === 'audit-results' && said.byTask.size === 0) {
    return [
      ...stray,
      rejected('no-verdict', 'The array has no result about a task of the packet.'),
    ];
  }
  const texts = new Map<string, AnchorText | undefined>();
  const sourceOf = (path: string): AnchorText | undefined => {
    if (!texts.has(path)) {
      const text = input.read(path);
      texts.set(path, text === undefined ? undefined : prepareAnchorText(text));
    }
    return texts.get(path);
  };
  const verdicts = input.brief.tasks.flatMap((task) => {
    const statement = said.byTask.get(task.id);
    if (statement === undefined && input.settled.has(task.id)) return [];
    return [judgeStatement(task, statement, { provider: input.provider, sourceOf })];
  });
  return [...stray, ...verdicts];
};

const statementsOf = (
  opened: Exclude<OpenedAnswer, { kind: 'refused' }>,
  { brief, isPlannedElsewhere = () => false }: AnswerToJudge,
): PacketStatements | Refusal =>
  opened.kind === 'opened'
    ? ownResults(opened.results, brief)
    : resultsForPacket(opened.entries, brief, isPlannedElsewhere);

/** The packet's tasks that a judgement leaves open; their ids, in the packet's order. */
export const openTasksAfter = (
  brief: PacketBrief,
  settled: ReadonlySet<string>,
  judged: readonly JudgedTask[],
): readonly string[] => {
  const taken = new Set(judged.flatMap((one) => (one.kind === 'accepted' ? [one.task] : [])));
  return brief.tasks
    .map((task) => task.id)
    .filter((id) => !settled.has(id) && !taken.has(taskId.parse(id)));
};

export type JudgingContext = {
  readonly provider: ProviderId;
  readonly sourceOf: (path: string) => AnchorText | undefined;
};
export type BriefTask = PacketBrief['tasks'][number];

const judgeStatement = (
  task: BriefTask,
  statement: TaskStatement | undefined,
  context: JudgingContext,
): JudgedTask => {
  if (statement === undefined) {
    return rejected('not-accounted-for', 'The answer says nothing about this task.', task.id);
  }
  if (statement.kind === 'refused') return rejected(statement.code, statement.message, task.id);
  return judgeResult(task, statement.result, context);
};

/** Judges one result that has the form it must have: its places, and its quotes in the frozen files. */
export const judgeResult = (
  task: BriefTask,
  result: AnswerResult,
  context: JudgingContext,
): JudgedTask => {
  const files = new Map(task.files.map((file) => [file.path, file]));
  const stated = result.verdict === 'clean' ? [] : result.findings;
  for (const [index, finding] of stated.entries()) {
    const trouble = placeTrouble(finding, files.get(finding.path));
    if (trouble === undefined) continue;
    return rejected(trouble.code, `Finding ${index + 1}: ${trouble.message}`, task.id);
  }
  const findings = stated.map((one) => toFinding(one, task, context));
  return {
    kind: 'accepted',
    task: taskId.parse(task.id),
    result: { task: task.id, verdict: result.verdict, findings },
    findings: countSeverities(findings),
  };
};

/** What is wrong with a finding's place, if anything. `file`: its own, when the task has it. */
const placeTrouble = (
  finding: AnswerFinding,
  file: BriefTask['files'][number] | undefined,
): { readonly code: RejectionCode; readonly message: string } | undefined => {
  const path = printable(finding.path, 200);
  if (file === undefined) {
    return { code: 'path-outside-task', message: `"${path}" is not a path of this task.` };
  }
  const last = finding.endLine ?? finding.line;
  if (last < finding.line) {
    const message = `it ends at line ${last}, before its start at line ${finding.line}.`;
    return { code: 'invalid-location', message };
  }
  const { lines, range } = file;
  if (last > lines) {
    const message = `line ${last} is outside "${path}", which has ${lines} lines.`;
    return { code: 'invalid-location', message };
  }
  if (range !== undefined && (finding.line < range.line || finding.line > range.endLine)) {
    const message = `line ${finding.line} is outside of this task's part of "${path}", lines ${range.line} to ${range.endLine}.`;
    return { code: 'invalid-location', message };
  }
  return undefined;
};

const toFinding = (stated: AnswerFinding, task: BriefTask, context: JudgingContext): Finding => {
  const source = context.sourceOf(stated.path);
  const anchor = source?.find(stated.quote, stated.line);
  const line = anchor?.line ?? stated.line;
  const endLine = anchor?.endLine ?? stated.endLine ?? line;
  return {
    id: findingIdOf({
      category: stated.category,
      path: stated.path,
      definition: anchor?.definition ?? '',
      quote: stated.quote,
      ordinal: anchor?.ordinal ?? 0,
    }),
    lens: task.lens,
    severity: stated.severity,
    confidence: stated.confidence,
    category: stated.category,
    title: stated.title,
    explanation: stated.explanation,
    place: { path: stated.path, line, ...(endLine > line ? { endLine } : {}) },
    quote: stated.quote,
    anchored: anchor !== undefined,
    ...(stated.suggestion === undefined ? {} : { suggestion: stated.suggestion }),
    provider: context.provider,
  };
};

const rejected = (code: RejectionCode, message: string, task?: string): JudgedTask => ({
  kind: 'rejected',
  ...(task === undefined ? {} : { task: taskId.parse(task) }),
  code,
  message,
});
