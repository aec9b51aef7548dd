import { digestOf } from '../std/digest.ts';
import { printable } from '../std/printable.ts';
import { shown } from '../std/shown.ts';
import type { AnswerFinding } from '../domain/answer.ts';
import type { SeverityCounts } from '../domain/events.ts';
import type { Finding, Quarantined, TaskResult } from '../domain/finding.ts';
import { taskId, type TaskId } from '../domain/ids.ts';
import type { PacketBrief } from '../domain/packet-brief.ts';
import { countSeverities } from '../domain/severity-counts.ts';
import type { ProviderId, RejectionCode } from '../domain/vocabulary.ts';
import { prepareAnchorText, type AnchorText } from './anchor.ts';
import { findingIdOf } from './fingerprint.ts';
import { openAnswer, type OpenedAnswer } from './open-answer.ts';
import { ownPath } from './own-path.ts';
import { ownResults } from './own-results.ts';
import { resultsForPacket } from './results-for-packet.ts';
import { severityRank } from './severity-rank.ts';
import { quarantine } from './state-result.ts';
import {
  refusalOf,
  type PacketStatements,
  type Refusal,
  type TaskStatement,
  type Trouble,
} from './task-statement.ts';

/** What the judgement says about one task, or (without `task`) about the whole or a stray part. */
export type JudgedTask =
  | {
      readonly kind: 'accepted';
      readonly task: TaskId;
      readonly result: TaskResult;
      readonly findings: SeverityCounts;
      /** What was put right before it could be taken, a sentence each. */
      readonly repairs: readonly string[];
      /** All that is wrong with what was set aside, with its place in the answer. */
      readonly troubles: readonly Trouble[];
    }
  | {
      readonly kind: 'rejected';
      readonly task?: TaskId;
      readonly code: RejectionCode;
      /** One printable sentence: what is wrong, and where. */
      readonly message: string;
      /** All that is wrong, with its place in the answer. */
      readonly troubles?: readonly Trouble[];
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
  /** Folders of this machine in which the files lie: a worker may name a file by its place in them. */
  readonly roots?: readonly string[] | undefined;
  /** The provider measured that its model put out nothing at all: whatever lies there, nobody judged. */
  readonly isWordless?: boolean | undefined;
  /**
   * Whether another packet of the audit asks for a task. A list of results may be about tasks
   * of any packets, and those are none of this judgement's business. Default: never.
   */
  readonly isPlannedElsewhere?: ((task: string) => boolean) | undefined;
  /** An array's entries about nothing were told when it was opened, once and not packet by packet. */
  readonly isLookedThrough?: boolean | undefined;
};

/**
 * Judges the bytes that came back for a packet, task by task and finding by finding: one bad part never
 * spoils another. Each open task of the packet gets exactly one verdict, unless the answer as a whole is
 * refused. An empty or broken answer is never clean.
 *
 * Each quote is looked for in the frozen file. Found, the finding moves to the place that it shows, and
 * says what was stated; not found, it is kept and says so (`anchored: false`). A finding that cannot be
 * taken is set aside with its text; a result of which no finding can be taken is refused.
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
  const context: JudgingContext = {
    provider: input.provider,
    roots: input.roots ?? [],
    sourceOf: (path) => {
      if (!texts.has(path)) {
        const text = input.read(path);
        texts.set(path, text === undefined ? undefined : prepareAnchorText(text));
      }
      return texts.get(path);
    },
  };
  const verdicts = input.brief.tasks.flatMap((task): readonly JudgedTask[] => {
    const placed = said.byTask.get(task.id);
    if (placed === undefined) {
      if (input.settled.has(task.id)) return [];
      const message = 'The answer says nothing about this task.';
      return [rejected('not-accounted-for', message, task.id)];
    }
    const { at, statement } = placed;
    if (statement.kind === 'refused') return [placedRejection(statement, task.id, at)];
    if (statement.verdict === 'clean' && input.isWordless === true) {
      const message = 'It says "clean", and the model behind it was measured to have said nothing.';
      return [rejected('no-work-measured', message, task.id)];
    }
    return [judgeStatement(task, { at, statement }, context, opened.repairs)];
  });
  return [...stray, ...verdicts];
};

const statementsOf = (
  opened: Exclude<OpenedAnswer, { kind: 'refused' }>,
  { brief, isPlannedElsewhere = () => false }: AnswerToJudge,
): PacketStatements | Refusal => {
  if (opened.kind === 'audit-results') {
    return resultsForPacket(opened.entries, brief, isPlannedElsewhere);
  }
  // An answer that names its packet is about that packet.
  const isLeft = opened.at === '' ? isPlannedElsewhere : () => false;
  return ownResults(opened.results, brief, { at: opened.at, isLeft });
};

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
  readonly roots: readonly string[];
  readonly sourceOf: (path: string) => AnchorText | undefined;
};
export type BriefTask = PacketBrief['tasks'][number];

type Stated = Extract<TaskStatement, { kind: 'stated' }>;

/** Judges a result that has the form it must have: its places, and its quotes in the frozen files. */
export const judgeStatement = (
  task: BriefTask,
  { at, statement }: { readonly at: string; readonly statement: Stated },
  context: JudgingContext,
  repairs: readonly string[] = [],
): JudgedTask => {
  const files = new Map(task.files.map((file) => [file.path, file]));
  const findings = new Map<string, Finding>();
  const troubles: Trouble[] = [];
  const aside: Quarantined[] = [...statement.quarantined];
  const said = [...repairs, ...statement.repairs];
  for (const one of statement.findings) {
    const path = ownPath(one.finding.path, [...files.keys()], context.roots);
    const stated = path === undefined ? one.finding : { ...one.finding, path };
    const trouble =
      placeTrouble(stated, files.get(stated.path)) ??
      quoteTrouble(stated, files.get(stated.path), context);
    if (trouble !== undefined) {
      const { code, message } = trouble;
      troubles.push({ at: one.at, code, message: `${one.at}: ${message}` });
      aside.push(quarantine(one.at, one.raw, [{ at: one.at, code, message }]));
      continue;
    }
    if (stated.path !== one.finding.path) {
      said.push(`${one.at}.path: ${shown(one.finding.path)} was taken for the task's own.`);
    }
    const found = toFinding(stated, one.finding.path, task, context);
    const known = findings.get(found.id);
    if (known !== undefined) said.push(`${one.at}: it tells a finding of the result again.`);
    findings.set(found.id, known === undefined ? found : moreSevere(known, found));
  }
  const [first, ...more] = troubles;
  if (statement.verdict === 'findings' && findings.size === 0 && first !== undefined) {
    return placedRejection(refusalOf([first, ...more]), task.id, at);
  }
  const kept = [...findings.values()];
  const ordered = aside.toSorted((left, right) => indexOf(left) - indexOf(right));
  return {
    kind: 'accepted',
    task: taskId.parse(task.id),
    result: {
      task: task.id,
      verdict: statement.verdict,
      findings: kept,
      ...(ordered.length > 0 && { quarantined: ordered }),
      ...(statement.followUps.length > 0 && { followUps: [...statement.followUps] }),
    },
    findings: countSeverities(kept),
    repairs: said.map((one) => printable(one, 300)),
    troubles: [...statement.troubles, ...troubles].map((one) => placed(one, at)),
  };
};

const indexOf = ({ at }: Quarantined): number => Number(/\d+/.exec(at)?.[0] ?? 0);

const moreSevere = (known: Finding, other: Finding): Finding =>
  severityRank(other.severity) < severityRank(known.severity) ? other : known;

const placedRejection = (
  { code, message, troubles }: Refusal,
  task: string,
  at: string,
): JudgedTask => ({
  ...rejected(code, message, task),
  troubles: (troubles ?? [{ at: '', code, message }]).map((one) => placed(one, at)),
});

const placed = (trouble: Trouble, at: string): Trouble => ({
  ...trouble,
  at: [at, trouble.at].filter((part) => part !== '').join('.'),
});

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

/** A quote that stands in the file, but in another part of it than the one that is asked about. */
const quoteTrouble = (
  { path, quote, line }: AnswerFinding,
  file: BriefTask['files'][number] | undefined,
  { sourceOf }: JudgingContext,
): Pick<Trouble, 'code' | 'message'> | undefined => {
  if (file?.range === undefined) return undefined;
  const source = sourceOf(path);
  if (source === undefined || source.find(quote, line, file.range) !== undefined) return undefined;
  const elsewhere = source.find(quote, line);
  if (elsewhere === undefined) return undefined;
  const { range } = file;
  const message = `its quote stands at line ${elsewhere.line}, outside of this task's part of "${printable(path, 200)}", lines ${range.line} to ${range.endLine}.`;
  return { code: 'invalid-location', message };
};

const toFinding = (
  stated: AnswerFinding,
  statedPath: string,
  task: BriefTask,
  context: JudgingContext,
): Finding => {
  const source = context.sourceOf(stated.path);
  const range = task.files.find(({ path }) => path === stated.path)?.range;
  const anchor = source?.find(stated.quote, stated.line, range);
  const line = anchor?.line ?? stated.line;
  const endLine = anchor?.endLine ?? stated.endLine ?? line;
  return {
    id: findingIdOf({
      category: stated.category,
      path: stated.path,
      definition: anchor?.definition ?? '',
      quote: stated.quote,
      twin: anchor?.twin && { follows: anchor.follows, below: anchor.twin.below },
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
    ...((line !== stated.line || stated.path !== statedPath) && {
      stated: {
        ...(stated.path !== statedPath && { path: statedPath }),
        ...(line !== stated.line && { line: stated.line }),
      },
    }),
    ...(anchor && {
      around: {
        definition: anchor.definition,
        // A digest, since nothing of a line is shown that nobody quoted: it may hold a secret.
        follows: anchor.follows === '' ? '' : digestOf(anchor.follows).slice(0, 16),
      },
    }),
    ...(stated.suggestion === undefined ? {} : { suggestion: stated.suggestion }),
    provider: context.provider,
  };
};

const rejected = (
  code: RejectionCode,
  message: string,
  task?: string,
): Extract<JudgedTask, { kind: 'rejected' }> => ({
  kind: 'rejected',
  ...(task === undefined ? {} : { task: taskId.parse(task) }),
  code,
  message,
});
